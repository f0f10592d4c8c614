//! Players whose behaviour a test defines, and matches between them.

use std::time::Duration;

use grandstand_matches::games::stones::Stones;
use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_matches::turns::settings::{Timing, read_settings};
use grandstand_matches::{Ending, MatchSpec};
use grandstand_players::turns::player::{Player, Preparation, Turn};
use grandstand_players::turns::player_factory::PlayerFactory;
use grandstand_players::turns::player_factory::ProgramOptions;
use grandstand_players::turns::spec::TurnMatch;
use grandstand_protocol::stones::{Command as Drawn, Point};
use grandstand_protocol::{Command, Game, Scene};
use grandstand_rules::stones::Position;
use serde_json::{Value, json};

pub(super) type Answered = Result<Answer<Point>, Forfeit>;
type Think = Box<dyn FnMut(&Turn<'_, Position>) -> Answered + Send>;
type Prepare = Box<dyn FnMut(&Preparation<Position>) -> Result<(), Forfeit> + Send>;

/// A player whose behaviour a test defines.
pub(super) struct Puppet {
    pub(super) prepare: Prepare,
    pub(super) limit: Option<Duration>,
    pub(super) think: Think,
    pub(super) bids: Vec<Answer<Point>>,
}

impl Player<Position> for Puppet {
    fn prepare(&mut self, game: &Preparation<Position>) -> Result<(), Forfeit> {
        (self.prepare)(game)
    }

    fn preparation_limit(&self) -> Option<Duration> {
        self.limit
    }

    fn choose(&mut self, turn: &Turn<'_, Position>) -> Answered {
        (self.think)(turn)
    }

    fn answer_opening(
        &mut self,
        _: OpeningQuestion,
        _: &Turn<'_, Position>,
    ) -> Result<Answer<Point>, Forfeit> {
        Ok(self.bids.remove(0))
    }
}

/// A player that is ready at once and thinks by `think`.
pub(super) fn puppet(
    name: &str,
    think: impl FnMut(&Turn<'_, Position>) -> Answered + Send + Clone + 'static,
) -> PlayerFactory<Position> {
    bidder(name, &[], think)
}

/// A player with these answers in an opening.
pub(super) fn bidder(
    name: &str,
    bids: &[Answer<Point>],
    think: impl FnMut(&Turn<'_, Position>) -> Answered + Send + Clone + 'static,
) -> PlayerFactory<Position> {
    let bids = bids.to_vec();
    let think = std::sync::Mutex::new(think);
    PlayerFactory::new(name, move || Puppet {
        prepare: Box::new(|_| Ok(())),
        limit: Some(Duration::from_secs(30)),
        think: Box::new(think.lock().unwrap().clone()),
        bids: bids.clone(),
    })
}

pub(super) fn point(text: &str) -> Point {
    text.parse().unwrap()
}

/// Plays these points one after another, each by the number of the move.
pub(super) fn plays(
    points: &'static str,
) -> impl FnMut(&Turn<'_, Position>) -> Answered + Send + Clone + 'static {
    move |turn| {
        let own = turn.moves.len() / 2;
        Ok(Answer::Move(point(points.split(' ').nth(own).expect("no more moves were thought of"))))
    }
}

/// Black wins with its fifth stone if white plays elsewhere.
pub(super) const ROW: &str = "h8 i8 j8 k8 l8";
pub(super) const ELSEWHERE: &str = "a1 c1 e1 g1 i1";

pub(super) fn settings(settings: Value) -> grandstand_matches::turns::settings::Settings<Stones> {
    read_settings(Game::Gomoku, settings.as_object().unwrap().clone()).unwrap()
}

/// A match of these players with these clocks.
pub(super) fn between(
    first: PlayerFactory<Position>,
    second: PlayerFactory<Position>,
    time: &str,
) -> TurnMatch<Stones> {
    let control = time.parse().unwrap();
    TurnMatch {
        game: settings(json!({})).game,
        factories: [first, second],
        names: None,
        seed: 1,
        timing: if time == "none" { Timing::Virtual } else { Timing::Real(control) },
        show_thoughts: None,
        inputs: None,
        programs: ProgramOptions::default(),
    }
}

/// A finished match.
pub(super) struct Played {
    pub(super) lines: Vec<String>,
    pub(super) commands: Vec<Drawn>,
    pub(super) log: Vec<String>,
    pub(super) ending: Ending,
    pub(super) scene: Scene,
}

pub(super) fn play(fixture: &TurnMatch<Stones>) -> Played {
    let mut contest = fixture.start().unwrap();
    let mut scene = Scene::new(fixture.game());
    let (mut lines, mut commands, mut log, mut last) = (Vec::new(), Vec::new(), Vec::new(), 0);
    loop {
        for stamped in contest.drain_commands() {
            assert!(stamped.tick >= last, "time goes back");
            last = stamped.tick;
            scene.apply(0, grandstand_protocol::Micros(stamped.tick), &stamped.command);
            lines.push(format!("{} {}", stamped.tick, stamped.command.to_line()));
            if let Command::Stones(command) = stamped.command {
                commands.push(command);
            }
        }
        log.extend(contest.drain_log_lines().into_iter().map(|line| line.text));
        if let Some(ending) = contest.ending() {
            assert!(ending.tick >= last);
            return Played { lines, commands, log, ending, scene };
        }
        contest.advance();
    }
}

/// Winner and termination.
pub(super) fn outcome(played: &Played) -> (Option<usize>, &'static str) {
    (played.ending.winner, played.ending.termination)
}
