//! Position of Riskless, and the rules (section 4.1.1).

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::map::TERRITORIES_MAX;
use super::{Map, Unreadable};
use crate::turn::{self, End, Outcome, Side};

/// The terminations of the rules, in the order in which they are checked.
pub mod termination {
    /// A side has no territory left.
    pub const ELIMINATION: &str = "elimination";
    /// One side has as many armies as the map's goal; if both have, it is a draw.
    pub const GOAL: &str = "goal";
    /// The number of moves has reached the map's limit: a draw.
    pub const PLIES: &str = "plies";
    /// All terminations.
    pub const ALL: [&str; 3] = [ELIMINATION, GOAL, PLIES];
}

/// A move of all armies of a territory to a neighbouring territory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The number of the territory that the armies leave.
    pub from: u8,
    /// The number of the territory that the armies enter.
    pub to: u8,
}

/// The reason why a move is illegal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The game is over, for the given reason.
    #[error("the game is over ({0})")]
    Over(&'static str),
    /// The territory does not exist.
    #[error("there is no territory {number}; the map has 0 to {last}")]
    NoTerritory {
        /// The number.
        number: u8,
        /// The highest number of a territory.
        last: u8,
    },
    /// The mover does not hold the territory.
    #[error("{territory} is not yours")]
    NotYours {
        /// The territory that the armies would leave.
        territory: String,
    },
    /// The territories are not neighbours.
    #[error("no road leads from {from} to {to}")]
    NoRoad {
        /// The territory that the armies would leave.
        from: String,
        /// The territory that the armies would enter.
        to: String,
    },
}

/// The battle of a move to a territory of the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Battle {
    /// The number of the territory.
    pub territory: u8,
    /// The number of attacking armies.
    pub attackers: u8,
    /// The number of defending armies.
    pub defenders: u8,
}

impl Battle {
    /// Whether the attacker holds the territory afterwards: the attacker wins a tie.
    pub fn is_won(self) -> bool {
        self.attackers >= self.defenders
    }
}

/// The holders of the territories, and the number of moves. Before each move every held territory has at least one army: a
/// territory that was left trains one at once.
pub struct Position {
    map: Arc<Map>,
    /// The armies of each territory: positive for Maxie's, negative for Minnie's.
    holdings: [i8; TERRITORIES_MAX],
    /// The territories of each side, as a bit set.
    owned: [u64; 2],
    totals: [u16; 2],
    ply: u32,
    last: Option<(Move, Option<Battle>)>,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self { map: Arc::clone(&self.map), ..*self }
    }

    /// Keeps the shared map if it is the same: searches on several threads would contend for its reference
    /// count.
    fn clone_from(&mut self, source: &Self) {
        let Self { map, holdings, owned, totals, ply, last } = source;
        if !Arc::ptr_eq(&self.map, map) {
            self.map = Arc::clone(map);
        }
        (self.holdings, self.owned, self.totals) = (*holdings, *owned, *totals);
        (self.ply, self.last) = (*ply, *last);
    }
}

/// Compares maps, holdings and plies, but not the last moves.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.holdings == other.holdings
            && self.ply == other.ply
            && (Arc::ptr_eq(&self.map, &other.map) || self.map == other.map)
    }
}

impl Position {
    /// The start on a map.
    pub fn start(map: Arc<Map>) -> Self {
        let mut position =
            Self { holdings: [0; TERRITORIES_MAX], owned: [0; 2], totals: [0; 2], ply: 0, last: None, map };
        for (number, territory) in position.map.territories().iter().enumerate().take(TERRITORIES_MAX) {
            if let Some((side, armies)) = territory.start {
                position.holdings[number] = signed(side, i16::from(armies));
                position.owned[side.index()] |= 1 << number;
                position.totals[side.index()] += u16::from(armies);
            }
        }
        position
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The holder of a territory, and the number of armies.
    pub fn holding(&self, territory: u8) -> Option<(Side, u8)> {
        let armies = self.holdings.get(usize::from(territory)).copied().unwrap_or_default();
        match armies {
            0 => None,
            1.. => Some((Side::First, armies.unsigned_abs())),
            _ => Some((Side::Second, armies.unsigned_abs())),
        }
    }

    /// The armies of every territory by its number: positive for Maxie's, negative for Minnie's.
    pub fn holdings(&self) -> &[i8] {
        &self.holdings[..self.map.territories().len()]
    }

    /// The territories of a side: bit `n` is territory `n`.
    pub fn territories(&self, side: Side) -> u64 {
        self.owned[side.index()]
    }

    /// The number of all armies of a side.
    pub fn armies(&self, side: Side) -> u16 {
        self.totals[side.index()]
    }

    /// The last move, and its battle if there was one.
    pub fn last(&self) -> Option<(Move, Option<Battle>)> {
        self.last
    }

    /// The battle of a legal move, if there is one.
    pub fn battle(&self, mv: Move) -> Option<Battle> {
        let (_, attackers) = self.holding(mv.from)?;
        let (defender, defenders) = self.holding(mv.to)?;
        (defender != turn::Position::to_move(self)).then_some(Battle {
            territory: mv.to,
            attackers,
            defenders,
        })
    }

    /// A hash of the board and the side to move, independent of the ply. It serves to recognize a repeated
    /// position.
    pub fn standing(&self) -> u64 {
        self.mixed(self.ply % 2)
    }

    fn mixed(&self, number: u32) -> u64 {
        let used = self.map.territories().len();
        // The number is spread over the word first: otherwise the armies of territory 0 would cancel it out.
        let mut key = u64::from(number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for word in self.holdings[..used.next_multiple_of(8).min(TERRITORIES_MAX)].chunks_exact(8) {
            let word = word.iter().rev().fold(0, |word, &armies| word << 8 | u64::from(armies as u8));
            key = (key ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
            key ^= key >> 32;
        }
        key = key.wrapping_mul(0x9fb2_1c65_1e98_df25);
        key ^ key >> 29
    }

    /// Adds one army to every held territory, up to the cap, and updates the totals.
    fn train(&mut self) {
        let cap = self.map.cap() as i8;
        let used = self.map.territories().len().next_multiple_of(16).min(TERRITORIES_MAX);
        let (mut sum, mut size) = (0_i16, 0_i16);
        for armies in &mut self.holdings[..used] {
            let trained = (*armies + armies.signum()).clamp(-cap, cap);
            *armies = trained;
            sum += i16::from(trained);
            size += i16::from(trained.unsigned_abs());
        }
        self.totals = [(size + sum) as u16 / 2, (size - sum) as u16 / 2];
    }
}

fn signed(side: Side, armies: i16) -> i8 {
    match side {
        Side::First => armies as i8,
        Side::Second => -armies as i8,
    }
}

impl turn::Position for Position {
    type Move = Move;
    type Illegal = Illegal;
    type Unreadable = Unreadable;

    fn to_move(&self) -> Side {
        Side::ALL[(self.ply % 2) as usize]
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn end(&self) -> Option<End> {
        let over = |outcome, termination| Some(End { outcome, termination });
        let goal = self.map.goal();
        match (self.owned, self.totals.map(|armies| armies >= goal)) {
            ([_, 0], _) => over(Outcome::Win(Side::First), termination::ELIMINATION),
            ([0, _], _) => over(Outcome::Win(Side::Second), termination::ELIMINATION),
            (_, [true, true]) => over(Outcome::Draw, termination::GOAL),
            (_, [true, false]) => over(Outcome::Win(Side::First), termination::GOAL),
            (_, [false, true]) => over(Outcome::Win(Side::Second), termination::GOAL),
            _ if self.ply >= self.map.draw_plies() => over(Outcome::Draw, termination::PLIES),
            _ => None,
        }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.end().is_some() {
            return;
        }
        let mut left = self.owned[self.to_move().index()];
        while left != 0 {
            let from = left.trailing_zeros() as u8;
            left &= left - 1;
            moves.extend(self.map.neighbours(from).iter().map(|&to| Move { from, to }));
        }
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        if let Some(end) = self.end() {
            return Err(Illegal::Over(end.termination));
        }
        let count = self.map.territories().len();
        for number in [mv.from, mv.to] {
            if usize::from(number) >= count {
                return Err(Illegal::NoTerritory { number, last: count.saturating_sub(1) as u8 });
            }
        }
        let name = |number| self.map.name(number).to_string();
        let mover = self.to_move();
        if self.owned[mover.index()] >> mv.from & 1 == 0 {
            return Err(Illegal::NotYours { territory: name(mv.from) });
        }
        if !self.map.neighbours(mv.from).contains(&mv.to) {
            return Err(Illegal::NoRoad { from: name(mv.from), to: name(mv.to) });
        }
        Ok(())
    }

    fn advance(&mut self, mv: Move) {
        let mover = self.to_move();
        self.last = Some((mv, self.battle(mv)));
        let (from, to) = (usize::from(mv.from) % TERRITORIES_MAX, usize::from(mv.to) % TERRITORIES_MAX);
        // Armies from the mover's view: negative for the opponent's, so that reinforcement and battle are both a sum.
        let moved = i16::from(signed(mover, i16::from(self.holdings[from])));
        let met = i16::from(signed(mover, i16::from(self.holdings[to])));
        let left = moved + met;
        let cap = i16::from(self.map.cap());
        self.holdings[from] = 0;
        self.holdings[to] = 0;
        self.train();
        let mut settle = |at: usize, owner: Side, armies: i16| {
            let armies = (armies + 1).min(cap);
            self.holdings[at] = signed(owner, armies);
            self.totals[owner.index()] += armies as u16;
        };
        settle(from, mover, 0);
        if left >= 0 {
            settle(to, mover, left);
            self.owned[mover.index()] |= 1 << to;
            self.owned[mover.opponent().index()] &= !(1 << to);
        } else {
            settle(to, mover.opponent(), -left);
        }
        self.ply += 1;
    }

    fn parse_move(&self, text: &str) -> Result<Move, Unreadable> {
        self.map.read_move(text)
    }

    fn move_text(&self, mv: Move) -> String {
        format!("{}-{}", mv.from, mv.to)
    }

    fn key(&self) -> u64 {
        self.mixed(self.ply)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at ply {}:", self.map.title(), self.ply)?;
        for (number, armies) in self.holdings().iter().enumerate().filter(|(_, armies)| **armies != 0) {
            write!(f, " {number}:{armies:+}")?;
        }
        Ok(())
    }
}
