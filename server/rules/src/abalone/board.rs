//! Board: the pieces, and the chains that move together.

use grandstand_protocol::abalone::{Facing, Hex, Team};

use super::turn_moves::IllegalMove;
use crate::Pid;

/// A piece on the board: a bot's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bot {
    /// The thread that controls the piece.
    pub pid: Pid,
    /// The piece's team.
    pub team: Team,
    /// The piece's hex.
    pub hex: Hex,
    /// Its committed move, [`Facing::None`] for none.
    pub commit: Facing,
}

/// The pieces by pid and by hex: at most one on each hex.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    /// The pieces by ascending pid.
    bots: Vec<Bot>,
    /// The pieces by [`Hex::index`].
    cells: [Option<(Pid, Team)>; Hex::COUNT],
    counts: [usize; 2],
}

/// Pieces in a straight, contiguous line that are all committed to move along it. A single piece is a chain, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chain {
    pub(crate) team: Team,
    pub(crate) facing: Facing,
    /// The hexes from the front, in the direction of the move, to the rear. Never empty.
    pub(crate) hexes: Vec<Hex>,
}

/// The effect of a chain's move on the pieces in front of it (section 2.11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Push {
    /// The enemy pieces that move with the chain, nearest first: none, one or two.
    pub(crate) pushed: Vec<Hex>,
    /// The hex that the foremost moved piece enters; `None` if it is pushed off the board.
    pub(crate) into: Option<Hex>,
}

impl Default for Board {
    fn default() -> Self {
        Self { bots: Vec::new(), cells: [None; Hex::COUNT], counts: [0; 2] }
    }
}

impl Board {
    /// The piece of `pid`.
    pub(crate) fn bot(&self, pid: Pid) -> Option<&Bot> {
        let index = self.bots.binary_search_by_key(&pid, |bot| bot.pid).ok()?;
        self.bots.get(index)
    }

    fn bot_mut(&mut self, pid: Pid) -> Option<&mut Bot> {
        let index = self.bots.binary_search_by_key(&pid, |bot| bot.pid).ok()?;
        self.bots.get_mut(index)
    }

    /// The pid and the team of the piece on `hex`.
    pub(crate) fn at(&self, hex: Hex) -> Option<(Pid, Team)> {
        self.cells[hex.index()]
    }

    /// The piece on `hex`.
    pub(crate) fn bot_at(&self, hex: Hex) -> Option<&Bot> {
        self.bot(self.at(hex)?.0)
    }

    /// Every piece, by ascending pid.
    pub(crate) fn bots(&self) -> &[Bot] {
        &self.bots
    }

    /// The number of pieces of `team`.
    pub(crate) fn count(&self, team: Team) -> usize {
        self.counts[team.index()]
    }

    /// Adds a piece. Returns `false` and changes nothing if its hex or its pid is taken.
    pub(crate) fn add(&mut self, bot: Bot) -> bool {
        if self.at(bot.hex).is_some() {
            return false;
        }
        let Err(index) = self.bots.binary_search_by_key(&bot.pid, |other| other.pid) else {
            return false;
        };
        self.bots.insert(index, bot);
        self.cells[bot.hex.index()] = Some((bot.pid, bot.team));
        self.counts[bot.team.index()] += 1;
        true
    }

    /// Removes the piece of `pid` from the board.
    pub(crate) fn remove(&mut self, pid: Pid) -> Option<Bot> {
        let index = self.bots.binary_search_by_key(&pid, |bot| bot.pid).ok()?;
        let bot = self.bots.remove(index);
        self.cells[bot.hex.index()] = None;
        self.counts[bot.team.index()] -= 1;
        Some(bot)
    }

    /// Sets the committed move of `pid`; returns the piece's hex if the move has changed.
    pub(crate) fn commit(&mut self, pid: Pid, facing: Facing) -> Option<Hex> {
        let bot = self.bot_mut(pid)?;
        (bot.commit != facing).then(|| {
            bot.commit = facing;
            bot.hex
        })
    }

    /// Moves the piece on `from` to the empty hex `to`.
    pub(crate) fn shift(&mut self, from: Hex, to: Hex) {
        let Some((pid, team)) = self.at(from) else { return };
        debug_assert!(self.at(to).is_none(), "{to} is taken");
        self.cells[from.index()] = None;
        self.cells[to.index()] = Some((pid, team));
        if let Some(bot) = self.bot_mut(pid) {
            bot.hex = to;
        }
    }

    /// The chain to move next for `team` (section 2.10): the longest line, through the piece with the lowest pid that has a
    /// committed move, of pieces of the team that are committed to the same move.
    pub(crate) fn next_chain(&self, team: Team) -> Option<Chain> {
        let first = self.bots.iter().find(|bot| bot.team == team && bot.commit != Facing::None)?;
        let facing = first.commit;
        let joins = |hex: &Hex| self.bot_at(*hex).is_some_and(|bot| bot.team == team && bot.commit == facing);
        let run = |direction: Facing| {
            std::iter::successors(first.hex.neighbour(direction), move |hex| hex.neighbour(direction))
                .take_while(joins)
        };
        let mut hexes: Vec<Hex> = run(facing).collect();
        hexes.reverse();
        hexes.push(first.hex);
        hexes.extend(run(facing.opposite()));
        Some(Chain { team, facing, hexes })
    }

    /// The pieces that the move of `chain` pushes, and their destination; or the reason why it is illegal (section 2.11).
    pub(crate) fn check_push(&self, chain: &Chain) -> Result<Push, IllegalMove> {
        let front = chain.hexes.first().and_then(|front| front.neighbour(chain.facing));
        let mut ahead = front.ok_or(IllegalMove::OffBoard)?;
        let mut pushed = Vec::new();
        loop {
            match self.at(ahead) {
                None => return Ok(Push { pushed, into: Some(ahead) }),
                Some((_, team)) if team == chain.team && pushed.is_empty() => {
                    return Err(IllegalMove::OwnPiece(ahead));
                }
                Some((_, team)) if team == chain.team => return Err(IllegalMove::OwnPieceBehind(ahead)),
                Some(_) => pushed.push(ahead),
            }
            if pushed.len() > 2 || pushed.len() >= chain.hexes.len() {
                return Err(self.outnumbered(chain));
            }
            match ahead.neighbour(chain.facing) {
                None => return Ok(Push { pushed, into: None }),
                Some(next) => ahead = next,
            }
        }
    }

    /// The error for a chain that the enemies in front of it outnumber.
    fn outnumbered(&self, chain: &Chain) -> IllegalMove {
        let is_enemy = |hex: &Hex| self.at(*hex).is_some_and(|(_, team)| team != chain.team);
        let first = chain.hexes.first().and_then(|front| front.neighbour(chain.facing));
        let line = std::iter::successors(first, |hex| hex.neighbour(chain.facing));
        let (own, enemies) = (chain.hexes.len(), line.take_while(is_enemy).count());
        if own > enemies {
            IllegalMove::TooMany { own, enemies }
        } else {
            IllegalMove::Outnumbered { own, enemies }
        }
    }
}
