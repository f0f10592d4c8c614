//! Robots whose programs are written in Rust.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use grandstand_protocol::shark::{Heading, Team};
use grandstand_rules::Pid;
use grandstand_rules::shark::pilots::{self, Pilot, PilotAction, PilotEvent, PilotTeam, PilotTeams};
use grandstand_rules::shark::{Action, Answer, Kill, Rules, Weapon, World, maps};

use super::game::{Game, place, rules};

/// Performs the given actions, records their results, then rests.
#[derive(Debug, Clone)]
struct Puppet {
    deeds: Vec<PilotAction>,
    heard: Arc<Mutex<Vec<PilotEvent>>>,
}

impl Puppet {
    fn new(mut deeds: Vec<PilotAction>) -> Self {
        deeds.reverse();
        Self { deeds, heard: Arc::default() }
    }

    fn crew(self, root: u32) -> PilotTeam {
        PilotTeam::new(Box::new(self), Pid(root), Pid(root * 100))
    }
}

impl Pilot for Puppet {
    fn decide(&mut self, news: &PilotEvent) -> PilotAction {
        self.heard.lock().unwrap().push(news.clone());
        self.deeds.pop().unwrap_or(PilotAction::Rest(u64::MAX))
    }
}

const LANE: &str = "
    1 . . . 2
    1 red right
    2 blue left";

#[test]
fn deeds_cost_what_they_cost_other_programs() {
    let mut game = Game::by(Rules { time_every: 1_000_000, ..rules() }, LANE);
    game.drawn();
    let deeds = vec![
        PilotAction::Act(Action::Move),
        PilotAction::Act(Action::Face(Heading::Down)),
        PilotAction::Act(Action::MyStats),
        PilotAction::Rest(10),
        PilotAction::Rest(0),
        PilotAction::Act(Action::Move),
    ];
    let mut crews = PilotTeams::new([Puppet::new(deeds).crew(1)]);
    crews.run(&mut game.world, 15_000, Pid(0));
    let drawn = game.world.drain_commands().into_iter();
    let steps: BTreeSet<u64> = drawn.map(|(step, _)| step).collect();
    // The second move comes after the first one's 5,000, the turn's 2,500, one step for the question, and the rests of 10 and 1.
    assert_eq!(steps, BTreeSet::from([1, 1 + 5_001, 1 + 5_001 + 2_501 + 1 + 10 + 1]));
}

#[test]
fn a_pilot_hears_what_came_of_its_deeds() {
    let mut game = Game::new(
        "
        1 * r .
        1 red right",
    );
    let child = Puppet::new(vec![PilotAction::Act(Action::Move)]);
    let heard_by_child = Arc::clone(&child.heard);
    let deeds = vec![
        PilotAction::Act(Action::Move),
        PilotAction::Spawn(Box::new(child.clone())),
        PilotAction::Rest(3),
        PilotAction::Spawn(Box::new(child)),
        PilotAction::Act(Action::FlagPos),
    ];
    let pilot = Puppet::new(deeds);
    let heard = Arc::clone(&pilot.heard);
    let mut crews = PilotTeams::new([pilot.crew(1)]);
    // The child moves away in step 5,003, so that there is room for another.
    crews.run(&mut game.world, 5_100, Pid(0));
    assert_eq!(
        *heard.lock().unwrap(),
        [
            PilotEvent::Born { pid: Pid(1), parent: None },
            PilotEvent::Answer(Answer::Fail),
            PilotEvent::Spawned(Some(Pid(100))),
            PilotEvent::Rested,
            PilotEvent::Spawned(Some(Pid(101))),
            PilotEvent::Answer(Answer::Flags { own: place(2, 15), other: place(29, 15) }),
        ]
    );
    let born = |pid| PilotEvent::Born { pid: Pid(pid), parent: Some(Pid(1)) };
    assert_eq!(*heard_by_child.lock().unwrap(), [born(100), born(101)]);
    assert_eq!(game.world.count(Team::Red), 3);
}

#[test]
fn a_failed_spawn_is_heard_of_too() {
    let mut game = Game::new("1 r\n1 red right");
    let spawn = || PilotAction::Spawn(Box::new(Puppet::new(vec![])));
    let pilot = Puppet::new(vec![spawn(), spawn()]);
    let heard = Arc::clone(&pilot.heard);
    PilotTeams::new([pilot.crew(1)]).run(&mut game.world, 10, Pid(0));
    assert_eq!(heard.lock().unwrap()[1..], [PilotEvent::Spawned(Some(Pid(100))), PilotEvent::Spawned(None)]);
}

#[test]
fn who_gives_up_is_destroyed() {
    let mut game = Game::new(LANE);
    let mut crews =
        PilotTeams::new([Puppet::new(vec![PilotAction::End]).crew(1), Puppet::new(vec![]).crew(2)]);
    let finish = crews.play(&mut game.world);
    assert_eq!((finish.termination.name(), finish.step), ("robots", 1));
}

#[test]
fn all_is_done_in_the_order_of_step_and_pid() {
    let mut game = Game::new(
        "
        1 2
        1 red right
        2 blue left health 1",
    );
    // Both would run into the other in the first step; the lower pid is first, and the other robot does nothing more.
    let both = [
        Puppet::new(vec![PilotAction::Act(Action::Move)]),
        Puppet::new(vec![PilotAction::Act(Action::Move)]),
    ];
    let [red, blue] = both;
    let heard = Arc::clone(&blue.heard);
    let mut crews = PilotTeams::new([blue.crew(2), red.crew(1)]);
    crews.run(&mut game.world, 1, Pid(u32::MAX));
    game.shows(
        "
        1 .
        1 red right",
    );
    assert!(heard.lock().unwrap().is_empty());
}

#[test]
fn kills_of_robots_that_belong_to_no_crew_are_handed_on() {
    let mut game = Game::new(
        "
        1 . 2
        1 red right
        2 blue left health 1",
    );
    let mut crews = PilotTeams::new([Puppet::new(vec![PilotAction::Act(Action::Shoot)]).crew(1)]);
    // An action that is due exactly then is not performed yet.
    assert!(crews.run(&mut game.world, 1, Pid(1)).is_empty());
    let kills = crews.run(&mut game.world, 1, Pid(2));
    let [Kill { step: 1, bot, by, weapon: Weapon::Laser }] = kills[..] else { panic!("{kills:?}") };
    assert_eq!((bot.pid, by.pid), (Pid(2), Pid(1)));
}

#[test]
fn a_clone_of_a_match_plays_on_alone_and_as_the_original_would() {
    let mut world =
        World::new(Rules { game_length: 400_000, ..Rules::default() }, 3, Pid(1), Pid(2)).unwrap();
    let crew =
        |root, seed| PilotTeam::new(pilots::by_name("random", seed).unwrap(), Pid(root), Pid(root * 1_000));
    let mut crews = PilotTeams::new([crew(1, 1), crew(2, 2)]);
    for _ in 0..10 {
        let step = world.next_event_step();
        crews.run(&mut world, step, Pid(u32::MAX));
        world.end_step(step);
    }
    world.drain_commands();
    let play = |mut world: World, mut crews: PilotTeams| {
        crews.play(&mut world);
        world
            .drain_commands()
            .into_iter()
            .map(|(step, command)| (step, command.to_line()))
            .collect::<Vec<_>>()
    };
    let once = play(world.clone(), crews.clone());
    assert!(once.len() > 100);
    assert_eq!(play(world, crews), once);
}

#[test]
fn random_plays_a_match_to_its_end_on_every_map() {
    assert_eq!(pilots::by_name("nobody", 1).map(drop), None);
    let mut terminations = BTreeMap::new();
    for (name, _) in maps::SHIPPED {
        let map = maps::by_name(name).unwrap();
        for seed in 0..4 {
            let rules = Rules { map: map.clone(), game_length: 2_000_000, ..rules() };
            let mut world = World::new(rules, seed, Pid(1), Pid(2)).unwrap();
            let crew = |root| {
                let pilot = pilots::by_name("random", seed ^ u64::from(root)).unwrap();
                PilotTeam::new(pilot, Pid(root), Pid(root * 1_000_000))
            };
            let finish = PilotTeams::new([crew(1), crew(2)]).play(&mut world);
            *terminations.entry(finish.termination.name()).or_insert(0) += 1;
            assert!(world.bots().len() + world.drain_commands().len() > 100, "{name}: nothing happens");
        }
    }
    assert!(terminations.get("length").is_some_and(|&count| count > 10), "{terminations:?}");
}
