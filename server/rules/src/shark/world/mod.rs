//! State of a match. `step` has its progress from step to step, `actions` what robots do in one.

mod actions;
mod errors;
mod step;

use grandstand_protocol::shark::{Command, FullName, Heading, Scene, Team, Tile};
use grandstand_protocol::team::ByTeam;
use grandstand_protocol::{self as protocol, Micros};

use super::arrivals::Arrivals;
use super::board::{Board, Bot};
use super::draw;
use super::field::PlayableMap;
use super::outcome::Finish;
use super::refusal::Failure;
use super::rules::Rules;
use super::setup::{Setup, SetupError};
use crate::{Pid, SplitMix64};

pub use errors::{ActError, SpawnError};

/// A match of λ-Shark as its robots see it: sections 2 and 3 of the handout.
///
/// The world knows pids and no programs. The runner of the threads reports their actions in order of
/// (step, pid), and calls [`end_step`](Self::end_step) at least for every
/// [`next_event_step`](Self::next_event_step) before any action of a later step. Steps count from 1. A robot performs at most one
/// action in a step, and none while it waits. All changes are in
/// [`drain_commands`](Self::drain_commands): folding those commands into an empty [`Scene`] gives [`scene`](Self::scene), except
/// for talk and shots. The robots that others destroyed are in [`drain_kills`](Self::drain_kills), which must be
/// called after each action: these robots do nothing more, not even in the same step. A clone is a snapshot.
#[derive(Debug, Clone)]
pub struct World {
    pub(super) rules: Rules,
    pub(super) field: PlayableMap,
    pub(super) board: Board,
    pub(super) score: [u32; 2],
    pub(super) credits: [u32; 2],
    pub(super) names: Option<ByTeam<Team, FullName>>,
    /// The step in the last `time` command.
    pub(super) shown_step: u64,
    pub(super) finish: Option<Finish>,
    step: u64,
    arrivals: Arrivals,
    drops: SplitMix64,
    spawns: SplitMix64,
    /// The period of [`Rules::talk_period`] that `talks` counts.
    talk_period: u64,
    talks: [u32; 2],
    dropped_talks: [u64; 2],
    kills: Vec<Kill>,
    failure: Option<Failure>,
    /// The commands, each with the step in which it was drawn.
    commands: Vec<(u64, protocol::Command)>,
}

/// The destruction of a robot by another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kill {
    /// The step of the destruction.
    pub step: u64,
    /// The destroyed robot in its last state, except for its health.
    pub bot: Bot,
    /// The robot that destroyed it, in its state at that time.
    pub by: Bot,
    /// The weapon.
    pub weapon: Weapon,
}

/// The weapons of robots (section 2.12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weapon {
    /// Running into a robot.
    Melee,
    /// The laser.
    Laser,
}

/// The credits that a team with `team_size` robots pays for one more (section 2.10).
pub fn spawn_cost(team_size: u32) -> u32 {
    if team_size < 5 { 1 } else { team_size - 4 }
}

/// The team whose first robot has the lower pid in a match of this seed, and therefore acts first in every step. It depends on
/// the seed, so neither team is always first.
pub fn comes_first(seed: u64) -> Team {
    let mut seeds = SplitMix64::new(seed);
    // The match itself uses the first three seeds.
    let [.., fourth] = [(); 4].map(|()| seeds.next_u64());
    if fourth >> 63 == 0 { Team::Red } else { Team::Blue }
}

impl World {
    /// The start of a match between the threads `red` and `blue` (section 2.13). `seed` determines the random events:
    /// the spawn points of robots, and times and places of powerups.
    ///
    /// # Errors
    /// [`SetupError`] if the settings or the setup are invalid.
    pub fn new(rules: Rules, seed: u64, red: Pid, blue: Pid) -> Result<Self, SetupError> {
        let credits = [rules.spawn_credits; 2];
        let setup = Setup { rules, seed, step: 1, score: [0; 2], credits, bots: vec![], powerups: vec![] };
        let mut world = Self::prepare(&setup)?;
        for (team, pid) in [(Team::Red, red), (Team::Blue, blue)] {
            if world.board.bot(pid).is_some() {
                return Err(SetupError::SamePid(pid));
            }
            // All spawn points are empty for the first robot of a team, and a field has at least one.
            if let Some(place) = world.free_spawn(team) {
                world.board.add(world.fresh(pid, team, place, 1));
            }
        }
        world.draw_first();
        Ok(world)
    }

    /// The moment that `setup` describes.
    ///
    /// # Errors
    /// [`SetupError`] if the settings or the setup are invalid.
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        let mut world = Self::prepare(setup)?;
        world.draw_first();
        Ok(world)
    }

    fn prepare(setup: &Setup) -> Result<Self, SetupError> {
        let (field, board) = setup.board()?;
        // Each kind of random event has its own sequence, so that one does not affect the others.
        let mut seeds = SplitMix64::new(setup.seed);
        let [arrivals, drops, spawns] = [(); 3].map(|()| SplitMix64::new(seeds.next_u64()));
        Ok(Self {
            rules: setup.rules.clone(),
            field,
            board,
            score: setup.score,
            credits: setup.credits,
            names: None,
            shown_step: setup.step - 1,
            finish: None,
            step: setup.step,
            arrivals: Arrivals::new(arrivals, setup.rules.item_delay, setup.step - 1),
            drops,
            spawns,
            talk_period: 0,
            talks: [0; 2],
            dropped_talks: [0; 2],
            kills: Vec::new(),
            failure: None,
            commands: Vec::new(),
        })
    }

    /// Sets the names of the teams.
    pub fn set_names(&mut self, names: ByTeam<Team, FullName>) {
        self.push(Command::Names(names.clone()).into());
        self.names = Some(names);
    }

    /// The settings.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The map.
    pub fn field(&self) -> &PlayableMap {
        &self.field
    }

    /// The current step: the last one with an action, or the next one.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The points of the team.
    pub fn score(&self, team: Team) -> u32 {
        self.score[team.index()]
    }

    /// The spawn credits of the team.
    pub fn credits(&self, team: Team) -> u32 {
        self.credits[team.index()]
    }

    /// The robots on the board, by ascending pid.
    pub fn bots(&self) -> &[Bot] {
        self.board.bots()
    }

    /// The robot of that pid.
    pub fn bot(&self, pid: Pid) -> Option<&Bot> {
        self.board.bot(pid)
    }

    /// The robot on the tile.
    pub fn bot_at(&self, place: Tile) -> Option<&Bot> {
        self.board.bot_at(place)
    }

    /// The number of the team's robots.
    pub fn count(&self, team: Team) -> u32 {
        self.board.count(team)
    }

    /// The tiles of the powerups, in the order in which they appeared.
    pub fn powerups(&self) -> &[Tile] {
        self.board.powerups()
    }

    /// The tile of the team's flag: that of its stand, or of its carrier.
    pub fn flag(&self, team: Team) -> Tile {
        self.board.flag(team)
    }

    /// Whether the team's flag is on its stand.
    pub fn is_home(&self, team: Team) -> bool {
        self.board.carrier(team).is_none()
    }

    /// The number of the team's messages dropped because of `TALK_LIMIT`.
    pub fn dropped_talks(&self, team: Team) -> u64 {
        self.dropped_talks[team.index()]
    }

    /// The end of the match; `None` while it goes on.
    pub fn finish(&self) -> Option<&Finish> {
        self.finish.as_ref()
    }

    /// The next step at whose end something happens without an action: a powerup, a `time` command, the end of the match. After the
    /// end of the match, the step of that end.
    pub fn next_event_step(&self) -> u64 {
        match &self.finish {
            Some(finish) => finish.step,
            None => self.arrivals.next().min(self.next_time()).min(self.rules.game_length),
        }
    }

    /// All drawing commands since the last call, oldest first, each with its step; the first call also returns the whole board
    /// before them, with the step before the first.
    pub fn drain_commands(&mut self) -> Vec<(u64, protocol::Command)> {
        std::mem::take(&mut self.commands)
    }

    /// The robots that others destroyed since the last call, in that order: their threads end now.
    pub fn drain_kills(&mut self) -> Vec<Kill> {
        std::mem::take(&mut self.kills)
    }

    /// The reason why the last action had no effect, if it had none.
    pub fn failure(&self) -> Option<Failure> {
        self.failure
    }

    /// The commands that draw the current state on any board.
    pub fn draw(&self) -> Vec<protocol::Command> {
        draw::all(self)
    }

    /// The scene of the current state, without talk and shots.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::default();
        for command in draw::all(self) {
            if let protocol::Command::Shark(command) = command {
                scene.apply(0, Micros(0), &command);
            }
        }
        scene
    }

    /// Spawns a robot for the thread `child` of `parent` in `step` (section 2.10). Returns the tile of the new
    /// robot.
    ///
    /// # Errors
    /// [`SpawnError`] says why nothing is spawned.
    pub fn spawn(&mut self, step: u64, parent: Pid, child: Pid) -> Result<Tile, SpawnError> {
        let bot = self.begin(step, parent)?;
        if self.board.bot(child).is_some() {
            return Err(SpawnError::NotNew(child));
        }
        if let Some(bot) = self.board.bot_mut(parent) {
            bot.ready = self.step + 1;
        }
        let cost = spawn_cost(self.board.count(bot.team));
        let credits = self.credits(bot.team);
        if cost > credits {
            return Err(SpawnError::NoCredits { cost, credits });
        }
        let place = self.free_spawn(bot.team).ok_or(SpawnError::NoRoom)?;
        self.credits[bot.team.index()] -= cost;
        self.board.add(self.fresh(child, bot.team, place, self.step));
        self.push(draw::credits(self));
        self.show(place);
        Ok(place)
    }

    /// Handles the end of the thread `pid` in `step`, whether it returned, is stuck or exceeds a limit: its robot is
    /// destroyed (section 2.11). Returns the robot, or `None` for a thread without one (its robot was destroyed, or
    /// the match is over).
    pub fn ended(&mut self, step: u64, pid: Pid) -> Option<Bot> {
        self.enter(step);
        if self.finish.is_some() {
            return None;
        }
        self.destroy(pid)
    }

    /// A random empty spawn point of the team.
    fn free_spawn(&mut self, team: Team) -> Option<Tile> {
        let free: Vec<Tile> =
            self.field.spawns(team).iter().copied().filter(|&place| self.board.is_empty(place)).collect();
        self.spawns.choose(&free)
    }

    /// A new robot: red's face right, blue's left.
    fn fresh(&self, pid: Pid, team: Team, place: Tile, ready: u64) -> Bot {
        let heading = match team {
            Team::Red => Heading::Right,
            Team::Blue => Heading::Left,
        };
        Bot { pid, team, place, heading, health: self.rules.health, flag: false, ready }
    }

    fn show(&mut self, place: Tile) {
        self.push(draw::tile(self, place));
    }

    fn show_time(&mut self) {
        self.shown_step = self.step;
        self.push(draw::time(self));
    }

    fn push(&mut self, command: protocol::Command) {
        self.commands.push((self.step, command));
    }

    /// Draws the initial scene, in the step before the next one.
    fn draw_first(&mut self) {
        let before = self.step - 1;
        self.commands = draw::all(self).into_iter().map(|command| (before, command)).collect();
    }
}
