//! Registry of games: for each, the match of a header and the match of a description.

use grandstand_matches::games::fortress::spec::ShippedMatch;
use grandstand_matches::games::riskless::Riskless;
use grandstand_matches::games::stones::Stones;
use grandstand_matches::machine::{GameWorld, ProgramMatch};
use grandstand_matches::turns::answer::Forfeit;
use grandstand_matches::{HeaderError, MatchSpec};
use grandstand_players::turns::player_factory::SeatedGame;
use grandstand_players::turns::spec::TurnMatch;
use grandstand_protocol::{Game, MatchHeader};
use grandstand_rules::{abalone, shark};

use crate::cli::play::description::MatchDescription;
use crate::cli::play::spec;

/// Makes the match of a header.
type FromHeader = fn(Game, &MatchHeader) -> Result<Box<dyn MatchSpec>, HeaderError>;

/// Constructors of a game's matches.
struct Entry {
    game: Game,
    from_header: FromHeader,
    from_description: fn(&MatchDescription<'_>) -> anyhow::Result<Box<dyn MatchSpec>>,
}

/// The games that can be played.
const GAMES: [Entry; 6] = [
    Entry {
        game: Game::Abalone,
        from_header: of_programs::<abalone::World>,
        from_description: spec::of_programs::<abalone::World>,
    },
    Entry {
        game: Game::Shark,
        from_header: of_programs::<shark::World>,
        from_description: spec::of_programs::<shark::World>,
    },
    Entry { game: Game::Fortress, from_header: of_fortress, from_description: spec::fortress },
    Entry { game: Game::Gomoku, from_header: by_turns::<Stones>, from_description: spec::stones },
    Entry { game: Game::Pente, from_header: by_turns::<Stones>, from_description: spec::stones },
    Entry { game: Game::Riskless, from_header: by_turns::<Riskless>, from_description: spec::riskless },
];

/// The match of `game` that `header` describes, to be replayed: it draws the same commands.
///
/// # Errors
/// If the game has no rules here, the header does not describe the match completely, or its players depend on time.
pub fn from_header(game: Game, header: &MatchHeader) -> Result<Box<dyn MatchSpec>, HeaderError> {
    let entry = GAMES.iter().find(|entry| entry.game == game).ok_or(HeaderError::Rules(game))?;
    (entry.from_header)(game, header)
}

/// The match of a description; `None` for a game without rules.
///
/// # Errors
/// If the description is not valid.
pub(crate) fn from_description(of: &MatchDescription<'_>) -> Option<anyhow::Result<Box<dyn MatchSpec>>> {
    let entry = GAMES.iter().find(|entry| entry.game == of.game)?;
    Some((entry.from_description)(of))
}

/// Whether the termination is a fault, of a tournament's player, rather than an end by the rules or by resignation.
pub(crate) fn is_fault(game: Game, termination: &str) -> bool {
    match game {
        Game::Gomoku | Game::Pente | Game::Riskless => {
            Forfeit::ALL.contains(&termination) && termination != Forfeit::RESIGNED
        }
        Game::Fortress => matches!(termination, "startup" | "crash" | "hang"),
        Game::Abalone | Game::Shark | Game::Grid => false,
    }
}

fn of_programs<W: GameWorld>(_: Game, header: &MatchHeader) -> Result<Box<dyn MatchSpec>, HeaderError> {
    Ok(Box::new(ProgramMatch::<W>::from_header(header)?))
}

fn of_fortress(_: Game, header: &MatchHeader) -> Result<Box<dyn MatchSpec>, HeaderError> {
    Ok(Box::new(ShippedMatch::from_header(header)?))
}

fn by_turns<G: SeatedGame>(game: Game, header: &MatchHeader) -> Result<Box<dyn MatchSpec>, HeaderError> {
    Ok(Box::new(TurnMatch::<G>::from_header(game, header)?))
}
