//! Players that are functions of the position and of chance.

use std::time::Instant;

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_rules::SplitMix64;
use grandstand_rules::swap2::{self, Swap2};
use grandstand_rules::turn::{Drawn, Side, random_move};

use crate::turns::player::{DirectPlayer, Player, Preparation, Turn};
use crate::turns::player_factory::{PlayerFactory, PlayerKind, no_options};

/// Function by which a [`Chooser`] chooses a move; at least one move is legal.
pub type ChooseMove<P> = fn(&P, &mut SplitMix64) -> Option<<P as grandstand_rules::turn::Position>::Move>;

/// Function by which a [`Chooser`] chooses in an opening that settles the sides.
pub type ChooseInOpening<P> =
    fn(&Swap2<P>, &mut SplitMix64) -> Option<swap2::Choice<<P as grandstand_rules::turn::Position>::Move>>;

/// A player that is a function of the position and of chance: it has no state but its random generator, and its time is
/// negligible.
#[derive(Debug, Clone)]
pub struct Chooser<P: Drawn> {
    choose: ChooseMove<P>,
    open: ChooseInOpening<P>,
    random: SplitMix64,
    start: Option<P>,
}

impl<P: Drawn> Chooser<P> {
    /// A player with these functions.
    pub fn new(choose: ChooseMove<P>, open: ChooseInOpening<P>) -> Self {
        Self { choose, open, random: SplitMix64::new(0), start: None }
    }

    /// The kind `random`.
    pub const fn random_kind() -> PlayerKind<P> {
        PlayerKind {
            name: "random",
            usage: "random",
            create: |options| {
                no_options(options)?;
                Ok(PlayerFactory::new("random", Self::random).deterministic())
            },
        }
    }

    /// A player that chooses any legal move, each with the same probability.
    pub fn random() -> Self {
        Self::new(random_move, |opening, random| {
            let mut choices = Vec::new();
            opening.legal_choices(&mut choices);
            random.choose(&choices)
        })
    }
}

impl<P: Drawn> Player<P> for Chooser<P> {
    fn prepare(&mut self, game: &Preparation<P>) -> Result<(), Forfeit> {
        self.random = SplitMix64::new(game.seed);
        self.start = Some(game.start.clone());
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, P>) -> Result<Answer<P::Move>, Forfeit> {
        // The referee asks no player without a legal move.
        Ok((self.choose)(turn.position, &mut self.random).map_or(Answer::Resign, Answer::Move))
    }

    fn answer_opening(
        &mut self,
        asked: OpeningQuestion,
        turn: &Turn<'_, P>,
    ) -> Result<Answer<P::Move>, Forfeit> {
        let Some(start) = &self.start else { return Ok(Answer::Resign) };
        open(start, asked, turn, |opening| (self.open)(opening, &mut self.random))
    }

    fn direct(&mut self) -> Option<&mut dyn DirectPlayer<P>> {
        Some(self)
    }
}

impl<P: Drawn> DirectPlayer<P> for Chooser<P> {
    fn get_ready(&mut self, game: &Preparation<P>, _until: Instant) -> Option<Result<(), Forfeit>> {
        Some(self.prepare(game))
    }

    fn answer(
        &mut self,
        asked: Option<OpeningQuestion>,
        turn: &Turn<'_, P>,
        _until: Instant,
    ) -> Option<Result<Answer<P::Move>, Forfeit>> {
        Some(match asked {
            None => self.choose(turn),
            Some(asked) => self.answer_opening(asked, turn),
        })
    }
}

/// Answers a question of an opening by choosing one stone or side at a time. `start` is the position before the
/// opening.
///
/// # Errors
/// If a choice is illegal.
pub fn open<P: Drawn>(
    start: &P,
    asked: OpeningQuestion,
    turn: &Turn<'_, P>,
    mut choose: impl FnMut(&Swap2<P>) -> Option<swap2::Choice<P::Move>>,
) -> Result<Answer<P::Move>, Forfeit> {
    let illegal = |why: String| Forfeit::new(Forfeit::ILLEGAL, why);
    let mut opening = Swap2::new(start.clone());
    for &mv in turn.moves {
        opening.choose(swap2::Choice::Place(mv)).map_err(|why| illegal(why.to_string()))?;
    }
    let mut stones = Vec::new();
    while asked.stones() != Some(stones.len()) {
        let Some(choice) = choose(&opening) else { return Ok(Answer::Resign) };
        opening.choose(choice).map_err(|why| illegal(why.to_string()))?;
        match choice {
            swap2::Choice::Place(mv) => stones.push(mv),
            swap2::Choice::Take(side) => return Ok(take(turn.side, side)),
        }
    }
    Ok(Answer::Place(stones))
}

/// Answer to a question of an opening that takes the side `taken`.
fn take<M>(own: Side, taken: Side) -> Answer<M> {
    if own == taken { Answer::Stay } else { Answer::Swap }
}
