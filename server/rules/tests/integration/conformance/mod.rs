//! Conformance of every game of this crate, by random play. A game joins with an implementation of [`Simulation`]
//! and its line among the tests.

mod abalone;
mod fortress;
mod riskless;
mod shark;
mod stones;
mod turns;

use std::collections::HashSet;

use grandstand_protocol::{Command, Game, MatchHeader, MatchResult, Micros, Scene};
use grandstand_replays::{Header, Limits, Replay, Writer};
use grandstand_rules::SplitMix64;

#[test]
fn abalone_conforms() {
    conforms::<abalone::Abalone>();
}

#[test]
fn fortress_conforms() {
    conforms::<fortress::Fortress>();
}

#[test]
fn shark_conforms() {
    conforms::<shark::Shark>();
}

#[test]
fn gomoku_conforms() {
    conforms::<turns::Turns<stones::Gomoku>>();
}

#[test]
fn pente_conforms() {
    conforms::<turns::Turns<stones::Pente>>();
}

#[test]
fn riskless_conforms() {
    conforms::<turns::Turns<riskless::Riskless>>();
}

/// A match that random players play.
trait Simulation: Clone {
    /// The game, in whose dialect it draws.
    const GAME: Game;
    /// Number of matches, each with its own seed.
    const MATCHES: u64;
    /// Number of steps after which each match is over.
    const MAX_STEPS: u64;

    fn start(seed: u64) -> Self;
    /// Performs a random action, valid or not, or lets time pass.
    fn step(&mut self, random: &mut SplitMix64);
    /// The commands since the last call with their times, which never decrease.
    fn drain(&mut self) -> Vec<(Micros, Command)>;
    /// Asserts that the scene drawn by commands equals the scene projected from the state.
    fn check_picture(&self, drawn: &Scene);
    /// Asserts all other invariants.
    fn check(&self);
    fn is_over(&self) -> bool;
    /// The whole state as text.
    fn state(&self) -> String;
}

/// Plays matches to their ends, and checks the promises of [`Simulation`].
fn conforms<S: Simulation>() {
    for seed in 0..S::MATCHES {
        let mut game = S::start(seed);
        let mut random = SplitMix64::new(!seed);
        let mut picture = Picture::new(S::GAME);
        let mut steps = 0;
        while !game.is_over() {
            assert!(steps < S::MAX_STEPS, "seed {seed}: no end in sight after {steps} steps");
            if steps % 97 == 0 {
                check_clone(&game, &random);
            }
            // The commands of each step draw the state after it.
            picture.draw(game.drain());
            game.check_picture(&picture.scene);
            game.check();
            game.step(&mut random);
            steps += 1;
        }
        picture.draw(game.drain());
        game.check_picture(&picture.scene);
        game.check();

        let (state, again) = replay::<S>(seed);
        assert_eq!(again, picture.commands, "seed {seed}: the same match has other commands");
        assert_eq!(state, game.state());
        // A match that is over does not change.
        game.step(&mut random);
        assert!(game.is_over() && game.drain().is_empty());
        picture.check_forms();
        picture.check_recording();
    }
}

/// The same match without checks in between.
fn replay<S: Simulation>(seed: u64) -> (String, Vec<Command>) {
    let mut game = S::start(seed);
    let mut random = SplitMix64::new(!seed);
    while !game.is_over() {
        game.step(&mut random);
    }
    (game.state(), game.drain().into_iter().map(|(_, command)| command).collect())
}

/// Asserts that a clone continues independently, and as the original would.
fn check_clone<S: Simulation>(game: &S, random: &SplitMix64) {
    let before = game.state();
    let play = || {
        let (mut clone, mut random) = (game.clone(), random.clone());
        for _ in 0..50 {
            clone.step(&mut random);
        }
        (clone.state(), clone.drain())
    };
    assert_eq!(play(), play());
    assert_eq!(game.state(), before);
}

/// The commands of a match and the scene that they draw.
struct Picture {
    scene: Scene,
    times: Vec<Micros>,
    commands: Vec<Command>,
}

impl Picture {
    fn new(game: Game) -> Self {
        Self { scene: Scene::new(game), times: Vec::new(), commands: Vec::new() }
    }

    fn draw(&mut self, commands: impl IntoIterator<Item = (Micros, Command)>) {
        for (t, command) in commands {
            assert!(self.times.last().is_none_or(|&last| last <= t), "{command:?} comes out of order");
            self.scene.apply(self.commands.len() as u64 + 1, t, &command);
            self.times.push(t);
            self.commands.push(command);
        }
    }

    /// Asserts that each command is the same as a line and as JSON.
    fn check_forms(&self) {
        let game = self.scene.game();
        let mut seen = HashSet::new();
        for command in &self.commands {
            assert!(!matches!(command, Command::Unknown(_)), "{command:?}");
            let line = command.to_line();
            if seen.contains(&line) {
                continue;
            }
            assert_eq!(Command::parse(game, line.as_bytes()), *command, "as text: {line}");
            let mut json = Vec::new();
            command.write_json(&mut json);
            let json = String::from_utf8(json).unwrap();
            assert_eq!(Command::from_json(game, &json).unwrap(), *command, "as JSON: {json}");
            seen.insert(line);
        }
    }

    /// Asserts that a recorded match is the same when it is read again.
    fn check_recording(&self) {
        let header = Header::new(self.scene.game(), MatchHeader::default());
        let mut writer = Writer::new(Vec::new(), &header).unwrap();
        for (&t, command) in self.times.iter().zip(&self.commands) {
            writer.command(t, command).unwrap();
        }
        let result = MatchResult { termination: "length".into(), ..MatchResult::default() };
        writer.result(*self.times.last().unwrap(), &result).unwrap();
        let replay = Replay::open(&writer.into_inner(), Limits::default()).unwrap();
        let log = replay.log();
        assert_eq!((replay.damage(), replay.result()), (None, Some(&result)));
        assert_eq!(log.last_seq(), self.commands.len() as u64);
        for (seq, (&t, command)) in (1..).zip(self.times.iter().zip(&self.commands)) {
            assert_eq!((log.time_of(seq), log.command(seq).as_ref()), (t, Some(command)));
        }
        assert_eq!(log.scene_at(log.last_seq()), self.scene);
        let middle = log.last_seq() / 2;
        let mut halfway = Picture::new(self.scene.game());
        let all = self.times.iter().copied().zip(self.commands.iter().cloned());
        halfway.draw(all.take(middle as usize));
        assert_eq!(log.scene_at(middle), halfway.scene);
    }
}
