//! Scene of λ-Shark.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Command, Draw, FullName, Map, Shot, Sprite, Team, Tile};
use crate::overlay::Overlays;
use crate::talk::{Talk, TalkLine};
use crate::team::{ByTeam, Outcome};
use crate::text::Text;
use crate::time::Micros;

/// The most shots that a scene keeps.
pub const SHOTS_MAX: usize = 16;

/// The board and its sprites, the scores, the credits, the last shots and the talk. A new scene has no map and no
/// sprites, both flags at home, no points and no credits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    map: Option<Map>,
    tiles: Tiles,
    stands: ByTeam<Team, bool>,
    credits: ByTeam<Team, u32>,
    names: Option<ByTeam<Team, FullName>>,
    score: ByTeam<Team, i32>,
    time: Text,
    winner: Option<Outcome<Team>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    won: Option<FullName>,
    #[serde(deserialize_with = "shots")]
    shots: VecDeque<ShotLine>,
    talk: Talk<Team>,
    #[serde(default, skip_serializing_if = "Overlays::is_empty")]
    pub(crate) overlays: Overlays,
}

/// A shot that was fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShotLine {
    /// The sequence number of the shot's command.
    pub seq: u64,
    /// The time of the shot.
    pub t: Micros,
    /// The beam.
    #[serde(flatten)]
    pub shot: Shot,
    /// The team of the robot on the tile where the beam starts.
    pub team: Option<Team>,
}

/// The sprites by tile, in the order of the tiles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tiles(Arc<BTreeMap<Tile, Sprite>>);

impl Default for Scene {
    fn default() -> Scene {
        Scene {
            map: None,
            tiles: Tiles::default(),
            stands: ByTeam::new(true, true),
            credits: ByTeam::default(),
            names: None,
            score: ByTeam::default(),
            time: Text::from(""),
            winner: None,
            won: None,
            shots: VecDeque::new(),
            talk: Talk::default(),
            overlays: Overlays::default(),
        }
    }
}

impl Scene {
    /// The map; `None` before the first `map` command.
    pub fn map(&self) -> Option<&Map> {
        self.map.as_ref()
    }

    /// The sprite on a tile.
    pub fn get(&self, place: Tile) -> Option<Sprite> {
        self.tiles.0.get(&place).copied()
    }

    /// The tiles with sprites, row by row.
    pub fn sprites(&self) -> impl DoubleEndedIterator<Item = (Tile, Sprite)> + ExactSizeIterator {
        self.tiles.0.iter().map(|(&place, &sprite)| (place, sprite))
    }

    /// Whether a team's flag is at home.
    pub fn is_full(&self, stand: Team) -> bool {
        self.stands[stand]
    }

    /// A team's spawn credits.
    pub fn credits(&self, team: Team) -> u32 {
        self.credits[team]
    }

    /// A team's name, as it was sent; blanks in it may be written `_`.
    pub fn name(&self, team: Team) -> Option<&FullName> {
        self.names.as_ref().map(|names| &names[team])
    }

    /// A team's score.
    pub fn score(&self, team: Team) -> i32 {
        self.score[team]
    }

    /// The time, in the game server's words; empty before the first `time` command.
    pub fn time(&self) -> &Text {
        &self.time
    }

    /// The time as a number of steps, when it is a whole number.
    pub fn steps(&self) -> Option<u64> {
        self.time.parse().ok()
    }

    /// The outcome, if the game is over and the winner named by the game server is known.
    pub fn winner(&self) -> Option<Outcome<Team>> {
        self.winner
    }

    /// The winner in the game server's own words, if those are not `red`, `blue` or `draw`.
    pub fn won(&self) -> Option<&FullName> {
        self.won.as_ref()
    }

    /// The last [`SHOTS_MAX`] shots, oldest first.
    pub fn shots(&self) -> impl DoubleEndedIterator<Item = &ShotLine> + ExactSizeIterator {
        self.shots.iter()
    }

    /// The most recent lines of talk.
    pub fn talk(&self) -> &Talk<Team> {
        &self.talk
    }

    /// Applies a command, which is number `seq` of the match, at time `t` after its start.
    pub fn apply(&mut self, seq: u64, t: Micros, command: &Command) {
        match command {
            Command::Map { rows } => {
                self.map = Some(rows.clone());
                self.tiles = Tiles::default();
                self.stands = ByTeam::new(true, true);
                self.shots.clear();
            }
            Command::Draw(Draw { at, sprite }) => {
                if self.get(*at) != Some(*sprite) {
                    Arc::make_mut(&mut self.tiles.0).insert(*at, *sprite);
                }
            }
            Command::Erase(at) => {
                if self.get(*at).is_some() {
                    Arc::make_mut(&mut self.tiles.0).remove(at);
                }
            }
            Command::Shot(shot) => {
                let team = match self.get(shot.from()) {
                    Some(Sprite::Bot(bot)) => Some(bot.team),
                    _ => None,
                };
                if self.shots.len() >= SHOTS_MAX {
                    self.shots.pop_front();
                }
                self.shots.push_back(ShotLine { seq, t, shot: *shot, team });
            }
            Command::Spawn(credits) => self.credits = *credits,
            Command::Names(names) => self.names = Some(names.clone()),
            Command::Score(score) => self.score = *score,
            Command::Win(win) => {
                self.winner = win.among(self.names.as_ref());
                self.won = win.verdict().is_none().then(|| win.words().clone());
            }
            Command::Time { text } => self.time = text.text().capped(),
            Command::Say { team, text } => {
                self.talk.push(TalkLine { seq, t, team: *team, text: text.clone() });
            }
            Command::Stand { team, full } => self.stands[*team] = *full,
        }
    }
}

/// JSON: an object from places (`3,4`) to sprites.
impl Serialize for Tiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(place, sprite)| (place.to_string(), sprite)))
    }
}

impl<'de> Deserialize<'de> for Tiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tiles, D::Error> {
        let named = BTreeMap::<String, Sprite>::deserialize(deserializer)?;
        let placed =
            named.into_iter().map(|(place, sprite)| Ok((place.parse().map_err(D::Error::custom)?, sprite)));
        Ok(Tiles(Arc::new(placed.collect::<Result<_, D::Error>>()?)))
    }
}

fn shots<'de, D: Deserializer<'de>>(deserializer: D) -> Result<VecDeque<ShotLine>, D::Error> {
    let mut shots = VecDeque::<ShotLine>::deserialize(deserializer)?;
    shots.drain(..shots.len().saturating_sub(SHOTS_MAX));
    Ok(shots)
}
