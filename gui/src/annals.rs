//! What the plot and the timeline show of a match, gathered from its log's marks as they come.

use grandstand_protocol::{Command, Game, Micros, abalone, abalone::Team};
use grandstand_replays::{Log, MarkKind};

/// A team's score from a command on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Point {
    pub t: Micros,
    pub value: i32,
}

/// A moment that the timeline shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tick {
    pub seq: u64,
    pub t: Micros,
    pub kind: TickKind,
}

/// What happened at a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TickKind {
    /// The team of this number (in [`Annals::scores`]) made a point.
    Point(usize),
    /// The game server said that something happened.
    Marker,
    /// A line was not understood.
    Unknown,
}

/// Scores and moments up to a command.
#[derive(Debug)]
pub(crate) struct Annals {
    /// By the team's name in the dialect, in the order in which they first had a score; Abalone's are always there.
    pub scores: Vec<(String, Vec<Point>)>,
    /// In the order of the commands.
    pub ticks: Vec<Tick>,
    /// Everything up to this command is in.
    seen: u64,
    /// How many commands were missing below it: when they have come, everything is read again.
    missing: u64,
}

impl Annals {
    pub(crate) fn new(game: Game) -> Annals {
        let teams: &[Team] = match game {
            Game::Abalone => &Team::ALL,
            Game::Grid => &[],
        };
        let scores = teams.iter().map(|team| (team.name().to_owned(), Vec::new())).collect();
        Annals { scores, ticks: Vec::new(), seen: 0, missing: 0 }
    }

    /// Takes in what the log has gained.
    pub(crate) fn update(&mut self, log: &Log) {
        let missing = log.gaps().iter().map(|gap| gap.end() - gap.start() + 1).sum();
        if missing < self.missing {
            *self = Annals::new(log.game());
        }
        self.missing = missing;
        let to = log.last_seq();
        for mark in log.marks(self.seen, to) {
            let kind = match mark.kind {
                MarkKind::Turn | MarkKind::Talk => continue,
                MarkKind::Marker => TickKind::Marker,
                MarkKind::Unknown => TickKind::Unknown,
                MarkKind::Score | MarkKind::ScoreRise => {
                    let Some((team, value)) = log.command(mark.seq).and_then(|command| score_of(&command))
                    else {
                        continue;
                    };
                    let Some(side) = self.side(&team) else { continue };
                    self.scores[side].1.push(Point { t: mark.t, value });
                    if mark.kind == MarkKind::Score {
                        continue;
                    }
                    TickKind::Point(side)
                }
            };
            self.ticks.push(Tick { seq: mark.seq, t: mark.t, kind });
        }
        self.seen = to;
    }

    fn side(&mut self, team: &str) -> Option<usize> {
        let known = self.scores.iter().position(|(name, _)| name == team);
        known.or_else(|| {
            (self.scores.len() < grandstand_protocol::extension::TEAMS_MAX).then(|| {
                self.scores.push((team.to_owned(), Vec::new()));
                self.scores.len() - 1
            })
        })
    }

    /// The greatest score of any team so far.
    pub(crate) fn highest(&self) -> i32 {
        let values = self.scores.iter().flat_map(|(_, points)| points.iter().map(|point| point.value));
        values.max().unwrap_or(0)
    }
}

/// Whose score a command sets, and to what.
fn score_of(command: &Command) -> Option<(String, i32)> {
    match command {
        Command::Abalone(abalone::Command::Score { team, value }) => Some((team.name().to_owned(), *value)),
        Command::Grid(grandstand_protocol::grid::Command::Score { team, value }) => {
            Some((team.to_string(), *value))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_moments_are_taken_in_once_each() {
        let mut log = Log::live(Game::Abalone);
        let mut annals = Annals::new(Game::Abalone);
        for (index, line) in ["bscore 0", "set E0 b0", "bscore 1", "what", "turns 2"].iter().enumerate() {
            let t = Micros(index as u64 * 1000);
            let _ = log.insert(index as u64 + 1, t, &Command::parse(Game::Abalone, line.as_bytes()));
            annals.update(&log);
        }
        let points = [Point { t: Micros(0), value: 0 }, Point { t: Micros(2000), value: 1 }];
        assert_eq!(annals.scores, [("black".to_owned(), points.to_vec()), ("white".to_owned(), vec![])]);
        let kinds: Vec<_> = annals.ticks.iter().map(|tick| (tick.seq, tick.kind)).collect();
        assert_eq!(kinds, [(3, TickKind::Point(0)), (4, TickKind::Unknown)]);
        assert_eq!(annals.highest(), 1);
    }
}
