//! Scene of a game with stones.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Command, FORBIDDEN_MAX, Point, Size, Team};
use crate::games::Game;
use crate::overlay::Overlays;
use crate::team::ByTeam;
use crate::time::Micros;
use crate::turn::{Command as Common, TurnScene};

/// The board and its stones, the captures, and the state beside the board. A new scene is an empty board of 15 by 15.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scene {
    game: Game,
    size: Size,
    #[serde(serialize_with = "by_team")]
    stones: Arc<BTreeMap<Point, Stone>>,
    ply: u32,
    last: Option<Point>,
    captures: ByTeam<Team, u32>,
    five: Option<[Point; 2]>,
    forbidden: Arc<[Point]>,
    #[serde(flatten)]
    table: TurnScene<Team, Point>,
    #[serde(skip_serializing_if = "Overlays::is_empty")]
    pub(crate) overlays: Overlays,
}

/// A stone on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stone {
    /// The stone's team.
    pub team: Team,
    /// The number of the move, from 1; `None` for a stone that was set without a move.
    pub number: Option<u32>,
}

impl Scene {
    /// The scene before the first command. `game` is Pente or Gomoku.
    pub(crate) fn new(game: Game) -> Scene {
        Scene {
            game,
            size: Size::USUAL,
            stones: Arc::default(),
            ply: 0,
            last: None,
            captures: ByTeam::default(),
            five: None,
            forbidden: [].into(),
            table: TurnScene::default(),
            overlays: Overlays::default(),
        }
    }

    /// The game, Gomoku or Pente.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stone on a point.
    pub fn stone(&self, point: Point) -> Option<Stone> {
        self.stones.get(&point).copied()
    }

    /// The stones on the board, row by row from below.
    pub fn stones(&self) -> impl DoubleEndedIterator<Item = (Point, Stone)> + ExactSizeIterator {
        self.stones.iter().map(|(&point, &stone)| (point, stone))
    }

    /// The number of moves so far.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The point of the last move.
    pub fn last(&self) -> Option<Point> {
        self.last
    }

    /// The number of pairs that a team has captured.
    pub fn captures(&self, team: Team) -> u32 {
        self.captures[team]
    }

    /// The ends of the winning row.
    pub fn five(&self) -> Option<[Point; 2]> {
        self.five
    }

    /// The points that are forbidden to black.
    pub fn forbidden(&self) -> &[Point] {
        &self.forbidden
    }

    /// The team to move, clocks, names, the outcome, thoughts and talk.
    pub fn table(&self) -> &TurnScene<Team, Point> {
        &self.table
    }

    /// Applies a command, which is number `seq` of the match, at time `t` after its start. A point off the board is ignored.
    pub fn apply(&mut self, seq: u64, t: Micros, command: &Command) {
        match command {
            Command::Board { size } => {
                let (mut table, overlays) =
                    (std::mem::take(&mut self.table), std::mem::take(&mut self.overlays));
                table.clear();
                *self = Scene { size: *size, table, overlays, ..Scene::new(self.game) };
            }
            Command::Set { point, stone } => self.put(*point, stone.map(|team| Stone { team, number: None })),
            Command::Move { team, point } => {
                if self.size.has(*point) {
                    self.ply = self.ply.saturating_add(1);
                    self.last = Some(*point);
                    self.table.moved(point);
                    self.put(*point, Some(Stone { team: *team, number: Some(self.ply) }));
                }
            }
            Command::Captures { team, pairs } => self.captures[*team] = *pairs,
            Command::Five { from, to } => {
                if self.size.has(*from) && self.size.has(*to) {
                    self.five = Some([*from, *to]);
                }
            }
            Command::Forbid { points } => self.forbid(points),
            Command::Common(common) => self.table.apply(seq, t, common),
        }
    }

    /// Shows a late thought, sent by command number `seq` at `t`, if its position has been reached.
    pub(crate) fn recall(&mut self, seq: u64, t: Micros, command: &Command) {
        if let Command::Common(Common::LateThought(late)) = command {
            let stones = &self.stones;
            let was_made =
                |number, point: &Point| stones.get(point).is_some_and(|stone| stone.number == Some(number));
            self.table.recall(self.ply, (seq, t), late, was_made);
        }
    }

    fn put(&mut self, point: Point, stone: Option<Stone>) {
        if self.size.has(point) && self.stone(point) != stone {
            let stones = Arc::make_mut(&mut self.stones);
            match stone {
                Some(stone) => stones.insert(point, stone),
                None => stones.remove(&point),
            };
        }
    }

    fn forbid(&mut self, points: &Arc<[Point]>) {
        if points.iter().all(|point| self.size.has(*point)) {
            self.forbidden = Arc::clone(points);
        } else {
            self.forbidden = points.iter().copied().filter(|point| self.size.has(*point)).collect();
        }
    }

    /// Sets the game of a deserialized scene, whose JSON does not contain it.
    pub(crate) fn of(self, game: Game) -> Scene {
        Scene { game, ..self }
    }
}

/// JSON of the stones: for each team an object from points to move numbers, or null.
type Numbers = ByTeam<Team, BTreeMap<Point, Option<u32>>>;

fn by_team<S: Serializer>(stones: &BTreeMap<Point, Stone>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut numbers = Numbers::default();
    for (&point, stone) in stones {
        numbers[stone.team].insert(point, stone.number);
    }
    numbers.serialize(serializer)
}

/// Deserializes a scene; the caller has read its game and sets it later. Anything off the board is dropped.
impl<'de> Deserialize<'de> for Scene {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scene, D::Error> {
        #[derive(Deserialize)]
        struct Raw {
            size: Size,
            stones: Numbers,
            ply: u32,
            last: Option<Point>,
            captures: ByTeam<Team, u32>,
            five: Option<[Point; 2]>,
            forbidden: Vec<Point>,
            #[serde(flatten)]
            table: TurnScene<Team, Point>,
            #[serde(default)]
            overlays: Overlays,
        }
        let raw = Raw::deserialize(deserializer)?;
        let size = raw.size;
        let stones = Team::ALL.into_iter().zip(raw.stones.into_array());
        let stones = stones.flat_map(|(team, points)| {
            points.into_iter().map(move |(point, number)| (point, Stone { team, number }))
        });
        let forbidden = raw.forbidden.into_iter().filter(|point| size.has(*point));
        Ok(Scene {
            game: Game::Gomoku,
            size,
            stones: Arc::new(stones.filter(|(point, _)| size.has(*point)).collect()),
            ply: raw.ply,
            last: raw.last.filter(|point| size.has(*point)),
            captures: raw.captures,
            five: raw.five.filter(|five| five.iter().all(|point| size.has(*point))),
            forbidden: forbidden.take(FORBIDDEN_MAX).collect(),
            table: raw.table,
            overlays: raw.overlays,
        })
    }
}
