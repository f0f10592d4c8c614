//! Body of the fuzz target: it takes any bytes and panics when an invariant is violated.

use super::game::TurnGame;
use super::inputs;
use crate::games::riskless::Riskless;
use crate::games::stones::Stones;

/// Any bytes as a file of inputs of a match, of any of the games: it is refused, or it gives the same match each time,
/// in which time never goes back.
pub fn inputs(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    check::<Stones>(&text);
    check::<Riskless>(&text);
}

fn check<G: TurnGame>(text: &str) {
    let once = inputs::replay::<G>(text);
    let again = inputs::replay::<G>(text);
    match (once, again) {
        (Ok(once), Ok(again)) => {
            assert_eq!((&once.commands, &once.ending), (&again.commands, &again.ending));
            assert!(once.commands.is_sorted_by_key(|stamped| stamped.tick));
        }
        (Err(once), Err(again)) => assert_eq!(once, again),
        (once, again) => panic!("the same file is {once:?} and {again:?}"),
    }
}
