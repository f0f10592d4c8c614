//! Games of the engine with itself, and positions beside them, as lines of text.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::AtomicBool;

use grandstand_rules::SplitMix64;
use grandstand_search::gomoku::features::{Candidate, features};
use grandstand_search::gomoku::{Engine, Limits, Rule, Thought};

use crate::{Move, SIZE};

/// The score from which on a game is decided.
const WON: i32 = 29_000;
/// A game is lost slowly if the loser's score was at least [`EVEN`] this number of plies before the end.
const SLOW: usize = 16;
const EVEN: i32 = -50;

/// A line of a file: a game from a random opening, or a single position of it with one more move.
pub(crate) struct Game {
    /// The result from black's view (2, 1, 0); none for a single position.
    pub(crate) result: Option<f64>,
    /// The moves, with the score of the search that chose the move, from the mover's view. The opening has no scores.
    pub(crate) moves: Vec<(Move, Option<i32>)>,
}

impl Game {
    /// The moves before this number.
    pub(crate) fn before(&self, number: usize) -> Vec<Move> {
        self.moves[..number].iter().map(|(mv, _)| *mv).collect()
    }

    /// A number that all positions of the same game have in common: its first two stones.
    pub(crate) fn group(&self) -> u64 {
        let stone = |(mv, _): &(Move, Option<i32>)| u64::from(mv.0) * 31 + u64::from(mv.1);
        self.moves.iter().take(2).fold(7, |all, each| all * 1009 + stone(each))
    }
}

/// Reads files of games.
pub(crate) fn read(files: &[String]) -> Vec<Game> {
    let mut games = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file of games");
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let result = words.next().expect("a result");
            let result = (result != "?").then(|| result.parse().expect("a number"));
            let moves = words.map(|word| {
                let (mv, score) = word.split_once(':').map_or((word, None), |(mv, score)| (mv, Some(score)));
                let (x, y) = mv.split_once(',').expect("a point");
                let mv: Move = (x.parse().expect("a number"), y.parse().expect("a number"));
                (mv, score.map(|score| score.parse().expect("a number")))
            });
            games.push(Game { result, moves: moves.collect() });
        }
    }
    games
}

/// An engine with limits, and a file for what it finds.
pub(crate) struct Writer {
    pub(crate) engine: Engine,
    pub(crate) limits: Limits,
    pub(crate) random: SplitMix64,
    /// The largest share of random moves in a game, in per cent.
    pub(crate) astray: u64,
    pub(crate) rule: Rule,
    pub(crate) file: String,
}

impl Writer {
    fn think(&mut self, moves: &[Move]) -> Option<Thought> {
        self.engine.think(moves, &self.limits, &AtomicBool::new(false), &mut |_| {}).ok()
    }

    fn write(&self, line: &str) {
        let mut file =
            OpenOptions::new().create(true).append(true).open(&self.file).expect("a file to append to");
        file.write_all(line.as_bytes()).expect("room");
    }

    /// The stronger of two random candidates after these moves, by their strongest patterns; none where there is no choice.
    fn stray(&mut self, moves: &[Move]) -> Option<Move> {
        let candidates = features(self.rule, SIZE, moves).expect("a legal game").moves;
        if candidates.is_empty() {
            return None;
        }
        let two = [(); 2].map(|()| &candidates[self.random.below(candidates.len() as u64) as usize]);
        let strength = |m: &&Candidate| m.patterns.iter().flatten().copied().max();
        two.into_iter().max_by_key(strength).map(|m| m.point)
    }

    /// Plays a game: a line `RESULT x,y[:SCORE] …`. A share of the moves, from none to `astray` per cent by chance, are not those of the search
    /// but the stronger of two random candidates, as before the leaves of a search; such a game has no result, and the scores are
    /// those of the positions, not of these moves.
    pub(crate) fn play(&mut self) {
        self.engine.clear();
        let astray = if self.astray > 0 { self.random.below(self.astray + 1) } else { 0 };
        loop {
            let mut moves: Vec<Move> = Vec::new();
            let mut text = String::new();
            let (width, stones) = (5 + self.random.below(5) as u16, 2 + self.random.below(7) as usize);
            while moves.len() < stones {
                let mut near = || SIZE / 2 - width / 2 + self.random.below(u64::from(width)) as u16;
                let mv = (near(), near());
                if !moves.contains(&mv) {
                    let _ = write!(text, " {},{}", mv.0, mv.1);
                    moves.push(mv);
                }
            }
            let mut result = 1;
            let mut start = true;
            let mut even = true;
            let mut strayed = false;
            while moves.len() < usize::from(SIZE * SIZE) - 1 {
                let best = self.think(&moves).expect("a legal position");
                if start && best.score.abs() > 400 {
                    even = false;
                    break;
                }
                start = false;
                let mut mv = best.line[0];
                if best.score.abs() <= WON
                    && astray > 0
                    && self.random.below(100) < astray
                    && let Some(other) = self.stray(&moves)
                {
                    mv = other;
                    strayed = true;
                }
                let _ = write!(text, " {},{}:{}", mv.0, mv.1, best.score);
                if best.score.abs() > WON {
                    let black = moves.len().is_multiple_of(2) == (best.score > 0);
                    result = if black { 2 } else { 0 };
                    break;
                }
                moves.push(mv);
            }
            if even {
                let result = if strayed { "?".to_owned() } else { result.to_string() };
                return self.write(&format!("{result}{text}\n"));
            }
        }
    }

    /// Searches about one in `every` positions of these games, at most `positions`, after one more move, the stronger of two random candidates, since
    /// leaves of a search come after moves that no game has.
    pub(crate) fn aside(&mut self, games: &[Game], every: u64, mut positions: u64) {
        for game in games {
            let opening = game.moves.iter().filter(|(_, score)| score.is_none()).count();
            for number in opening..game.moves.len() {
                if positions == 0 {
                    return;
                }
                if self.random.below(every) > 0 {
                    continue;
                }
                let mut moves = game.before(number);
                let Some(other) = self.stray(&moves) else { continue };
                moves.push(other);
                self.label(&moves);
                positions -= 1;
            }
        }
    }

    /// Searches every second position of the loser in up to `games` games that were lost slowly, from the last even one to the
    /// last that was not yet lost.
    pub(crate) fn slow(&mut self, all: &[Game], games: usize) {
        let mut left = games;
        for game in all {
            let Some(result) = game.result.filter(|&result| result != 1.0) else { continue };
            let loser = usize::from(result > 1.0);
            let score = |number: usize| game.moves[number].1.filter(|_| number % 2 == loser);
            let end = game.moves.len();
            let even = (0..end).rev().find(|&number| score(number).is_some_and(|score| score >= EVEN));
            let Some(even) = even.filter(|even| even + SLOW <= end && left > 0) else { continue };
            left -= 1;
            for number in (even..end).step_by(4) {
                if score(number).is_some_and(|score| score > -WON) {
                    self.label(&game.before(number));
                }
            }
        }
    }

    /// Prints how many nodes the winner's search needs to announce the win, `back` plies before the game was announced as won, in up to
    /// `games` games.
    pub(crate) fn wins(&mut self, all: &[Game], back: usize, games: usize) {
        let (mut count, mut found, mut nodes) = (0, 0, 0);
        for game in all.iter().filter(|game| game.result.is_some_and(|result| result != 1.0)).take(games) {
            let winner = if game.result > Some(1.0) { 0 } else { 1 };
            let last = game.moves.len() - 1;
            let Some(number) = last.checked_sub(back + usize::from(last % 2 != winner)) else { continue };
            if game.moves[number].1.is_none_or(|score| score.abs() > WON) {
                continue;
            }
            self.engine.clear();
            let mut first = None;
            let stop = AtomicBool::new(false);
            let mut report = |thought: &Thought| {
                if thought.score > WON {
                    first.get_or_insert(thought.nodes);
                }
            };
            let end = self.engine.think(&game.before(number), &self.limits, &stop, &mut report);
            let end = end.expect("a legal position").nodes;
            count += 1;
            found += usize::from(first.is_some());
            nodes += first.unwrap_or(end);
        }
        println!("{found} of {count} wins, {nodes} nodes");
    }

    /// Searches a position that nobody played: a line `? x,y … x,y:SCORE`.
    fn label(&mut self, moves: &[Move]) {
        self.engine.clear();
        let Some(best) = self.think(moves) else { return };
        let mut text = String::from("?");
        for (x, y) in moves {
            let _ = write!(text, " {x},{y}");
        }
        let _ = write!(text, " {},{}:{}", best.line[0].0, best.line[0].1, best.score);
        self.write(&(text + "\n"));
    }
}
