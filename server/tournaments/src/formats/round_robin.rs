//! Round robin by the circle method, and gauntlet.

use super::Drawn;
use crate::PlayerIndex;

/// All rounds of a round robin: in each, every player plays once or has the bye of an odd field.
pub(crate) fn round_robin(field: &[PlayerIndex], cycles: u32) -> Vec<Drawn> {
    let mut circle: Vec<Option<PlayerIndex>> = field.iter().copied().map(Some).collect();
    if circle.len() % 2 == 1 {
        circle.push(None);
    }
    let rounds = circle.len().saturating_sub(1);
    let mut drawn = Vec::with_capacity(rounds * cycles as usize);
    for cycle in 0..cycles {
        for round in 0..rounds {
            let mut encounters = Vec::with_capacity(circle.len() / 2);
            let mut byes = Vec::new();
            for place in 0..circle.len() / 2 {
                match (circle[place], circle[circle.len() - 1 - place]) {
                    // The first player keeps its place, so its sides alternate by rounds.
                    (Some(a), Some(b)) if (place == 0 && round % 2 == 1) != (cycle % 2 == 1) => {
                        encounters.push(([b, a], None));
                    }
                    (Some(a), Some(b)) => encounters.push(([a, b], None)),
                    (Some(only), None) | (None, Some(only)) => byes.push(only),
                    (None, None) => {}
                }
            }
            drawn.push(Drawn { cycle, encounters, byes });
            circle[1..].rotate_right(1);
        }
    }
    drawn
}

/// All rounds of a gauntlet: the first `challengers` of the field meet all others. Nobody plays twice in a round;
/// players of the larger group have rounds without a game.
pub(crate) fn gauntlet(field: &[PlayerIndex], challengers: u32, cycles: u32) -> Vec<Drawn> {
    let (challengers, others) = field.split_at((challengers as usize).min(field.len()));
    let (few, many) =
        if challengers.len() <= others.len() { (challengers, others) } else { (others, challengers) };
    let mut drawn = Vec::new();
    if few.is_empty() {
        return drawn;
    }
    for cycle in 0..cycles {
        for round in 0..many.len() {
            let encounters = few.iter().enumerate().map(|(place, &one)| {
                let other = many[(round + place) % many.len()];
                (if (round as u32 + cycle).is_multiple_of(2) { [one, other] } else { [other, one] }, None)
            });
            drawn.push(Drawn { cycle, encounters: encounters.collect(), byes: Vec::new() });
        }
    }
    drawn
}
