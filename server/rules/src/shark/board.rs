//! Board: the robots and powerups on a field, and what robots see of them.

use grandstand_protocol::shark::{Ground, HEIGHT, Heading, Team, Tile, WIDTH};

use super::action::Object;
use super::field::PlayableMap;
use crate::Pid;

/// A robot on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bot {
    /// The pid of the robot's thread.
    pub pid: Pid,
    /// The robot's team.
    pub team: Team,
    /// The robot's tile.
    pub place: Tile,
    /// The robot's direction.
    pub heading: Heading,
    /// The robot's health points.
    pub health: u8,
    /// Whether the robot carries the opponent's flag.
    pub flag: bool,
    /// The first step in which the robot may act.
    pub ready: u64,
}

/// The content of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TileContent {
    Empty,
    Wall,
    Stand(Team),
    Powerup,
    Bot(Pid, Team),
}

/// The robots and powerups on a field.
#[derive(Debug, Clone)]
pub(super) struct Board {
    tiles: [TileContent; Tile::COUNT],
    /// The robots by ascending pid.
    bots: Vec<Bot>,
    counts: [u32; 2],
    /// The tiles of the powerups, in the order in which they appeared.
    powerups: Vec<Tile>,
    stands: [Tile; 2],
}

impl Board {
    /// The field without robots and powerups.
    pub(super) fn new(field: &PlayableMap) -> Self {
        let mut tiles = [TileContent::Empty; Tile::COUNT];
        for place in Tile::all() {
            tiles[place.index()] = match field.map().get(place) {
                Ground::Wall => TileContent::Wall,
                Ground::Stand(team) => TileContent::Stand(team),
                Ground::Empty | Ground::Spawn(_) | Ground::Drop => TileContent::Empty,
            };
        }
        let stands = Team::ALL.map(|team| field.stand(team));
        Self { tiles, bots: Vec::new(), counts: [0; 2], powerups: Vec::new(), stands }
    }

    /// The content of the tile.
    pub(super) fn at(&self, place: Tile) -> TileContent {
        self.tiles[place.index()]
    }

    /// Whether the tile is empty.
    pub(super) fn is_empty(&self, place: Tile) -> bool {
        self.at(place) == TileContent::Empty
    }

    /// The tile ahead and its content; every tile off the board is a wall.
    pub(super) fn ahead(&self, place: Tile, heading: Heading) -> (Option<Tile>, TileContent) {
        let next = place.neighbour(heading);
        (next, next.map_or(TileContent::Wall, |next| self.at(next)))
    }

    /// The first tile in a direction that is not empty: its distance, its place, and its content.
    pub(super) fn first(&self, from: Tile, heading: Heading) -> (u32, Option<Tile>, TileContent) {
        let (mut distance, mut place) = (1, from);
        loop {
            match self.ahead(place, heading) {
                (Some(next), TileContent::Empty) => place = next,
                (next, tile) => return (distance, next, tile),
            }
            distance += 1;
        }
    }

    /// Every robot, by ascending pid.
    pub(super) fn bots(&self) -> &[Bot] {
        &self.bots
    }

    /// Every powerup, in the order in which they appeared.
    pub(super) fn powerups(&self) -> &[Tile] {
        &self.powerups
    }

    /// The number of the team's robots.
    pub(super) fn count(&self, team: Team) -> u32 {
        self.counts[team.index()]
    }

    fn index_of(&self, pid: Pid) -> Result<usize, usize> {
        self.bots.binary_search_by_key(&pid, |bot| bot.pid)
    }

    /// The robot of that pid.
    pub(super) fn bot(&self, pid: Pid) -> Option<&Bot> {
        self.bots.get(self.index_of(pid).ok()?)
    }

    /// The robot of that pid. The caller must not change its place or team.
    pub(super) fn bot_mut(&mut self, pid: Pid) -> Option<&mut Bot> {
        let index = self.index_of(pid).ok()?;
        self.bots.get_mut(index)
    }

    /// The robot on the tile.
    pub(super) fn bot_at(&self, place: Tile) -> Option<&Bot> {
        match self.at(place) {
            TileContent::Bot(pid, _) => self.bot(pid),
            _ => None,
        }
    }

    /// The robot that carries the flag of `team`.
    pub(super) fn carrier(&self, team: Team) -> Option<&Bot> {
        self.bots.iter().find(|bot| bot.flag && bot.team != team)
    }

    /// The tile of the flag of `team`: that of its stand, or of its carrier.
    pub(super) fn flag(&self, team: Team) -> Tile {
        self.carrier(team).map_or(self.stands[team.index()], |bot| bot.place)
    }

    /// Adds a robot. Returns `false` and changes nothing if its tile or its pid is taken.
    pub(super) fn add(&mut self, bot: Bot) -> bool {
        let Err(index) = self.index_of(bot.pid) else { return false };
        if !self.is_empty(bot.place) {
            return false;
        }
        self.bots.insert(index, bot);
        self.tiles[bot.place.index()] = TileContent::Bot(bot.pid, bot.team);
        self.counts[bot.team.index()] += 1;
        true
    }

    /// Removes the robot of that pid from the board.
    pub(super) fn remove(&mut self, pid: Pid) -> Option<Bot> {
        let bot = self.bots.remove(self.index_of(pid).ok()?);
        self.tiles[bot.place.index()] = TileContent::Empty;
        self.counts[bot.team.index()] -= 1;
        Some(bot)
    }

    /// Moves a robot to a tile that is empty or has a powerup, which is then removed.
    pub(super) fn shift(&mut self, pid: Pid, to: Tile) {
        debug_assert!(matches!(self.at(to), TileContent::Empty | TileContent::Powerup), "{to} is taken");
        if self.at(to) == TileContent::Powerup {
            self.powerups.retain(|&place| place != to);
        }
        let Some(bot) = self.bot_mut(pid) else { return };
        let (from, team) = (std::mem::replace(&mut bot.place, to), bot.team);
        self.tiles[from.index()] = TileContent::Empty;
        self.tiles[to.index()] = TileContent::Bot(pid, team);
    }

    /// Puts a powerup on an empty tile. Returns `false` and changes nothing if the tile is taken.
    pub(super) fn drop_powerup(&mut self, place: Tile) -> bool {
        let is_free = self.is_empty(place);
        if is_free {
            self.tiles[place.index()] = TileContent::Powerup;
            self.powerups.push(place);
        }
        is_free
    }

    /// The object that a robot of `team` sees on a tile: the most specific code that fits (section 3.3.2).
    pub(super) fn object(&self, team: Team, tile: TileContent) -> Object {
        match tile {
            TileContent::Empty => Object::Empty,
            TileContent::Wall => Object::Wall,
            TileContent::Powerup => Object::Spawn,
            TileContent::Stand(owner) if self.carrier(owner).is_some() => Object::FlagStand,
            TileContent::Stand(owner) if owner == team => Object::MyFlag,
            TileContent::Stand(_) => Object::OppFlag,
            TileContent::Bot(pid, owner) => {
                let flag = self.bot(pid).is_some_and(|bot| bot.flag);
                match (owner == team, flag) {
                    (true, false) => Object::Teammate,
                    (true, true) => Object::TeammateWithFlag,
                    (false, false) => Object::Opponent,
                    (false, true) => Object::OpponentWithFlag,
                }
            }
        }
    }

    /// The nearest tile with the object, as column and row; of several the topmost, of those the
    /// leftmost. A robot is no teammate of itself.
    pub(super) fn nearest(&self, from: &Bot, object: Object) -> Option<(i64, i64)> {
        let bots = |team: Team, flag: bool| {
            let fits = move |bot: &&Bot| bot.team == team && (bot.flag || !flag) && bot.pid != from.pid;
            closest(from.place, self.bots.iter().filter(fits).map(|bot| bot.place))
        };
        let (team, opponent) = (from.team, from.team.opponent());
        let place = match object {
            Object::Empty => self.search(from.place, TileContent::Empty),
            Object::Spawn => closest(from.place, self.powerups.iter().copied()),
            Object::Wall => return self.nearest_wall(from.place),
            Object::MyFlag => Some(self.flag(team)),
            Object::OppFlag => Some(self.flag(opponent)),
            Object::Teammate => bots(team, false),
            Object::TeammateWithFlag => bots(team, true),
            Object::Opponent => bots(opponent, false),
            Object::OpponentWithFlag => bots(opponent, true),
            Object::FlagStand => closest(from.place, self.stands.into_iter()),
        };
        place.map(|place| (i64::from(place.x()), i64::from(place.y())))
    }

    /// The nearest wall. Every tile off the board is a wall, so there always is one; of the tiles beyond the four edges only
    /// those in the robot's own row or column can be the nearest.
    fn nearest_wall(&self, from: Tile) -> Option<(i64, i64)> {
        let (x, y) = (i64::from(from.x()), i64::from(from.y()));
        let beyond = [(x, -1), (-1, y), (i64::from(WIDTH), y), (x, i64::from(HEIGHT))];
        let on_board =
            self.search(from, TileContent::Wall).map(|place| (i64::from(place.x()), i64::from(place.y())));
        beyond
            .into_iter()
            .chain(on_board)
            .min_by_key(|&(wall_x, wall_y)| ((wall_x - x).abs() + (wall_y - y).abs(), wall_y, wall_x))
    }

    /// The nearest tile with exactly this content, searched in growing rings.
    fn search(&self, from: Tile, tile: TileContent) -> Option<Tile> {
        (1..u32::from(WIDTH) + u32::from(HEIGHT))
            .find_map(|distance| ring(from, distance).find(|&place| self.at(place) == tile))
    }
}

/// The tiles at a distance from a place, row by row.
fn ring(from: Tile, distance: u32) -> impl Iterator<Item = Tile> {
    let (x, y, distance) = (i32::from(from.x()), i32::from(from.y()), distance.cast_signed());
    let rows = (y - distance).max(0)..=(y + distance).min(i32::from(HEIGHT) - 1);
    rows.flat_map(move |row| {
        let aside = distance - (row - y).abs();
        let right = (aside > 0).then_some(x + aside);
        [Some(x - aside), right]
            .into_iter()
            .flatten()
            .filter_map(move |column| Tile::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?))
    })
}

fn closest(from: Tile, places: impl Iterator<Item = Tile>) -> Option<Tile> {
    places.min_by_key(|&place| (from.distance(place), place))
}
