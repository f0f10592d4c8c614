//! Openings, and lists of stones from a manager.

use grandstand_protocol::stones::Point;
use grandstand_rules::stones::{Opening, Position, Rule, Rules};
use grandstand_rules::turn::{Position as _, Side};

use super::Pair;
use super::board::EngineBoard;
use super::manager::BoardPoint;

/// Values of a stone's field: the engine's own stone, the opponent's, and neither's.
const OWN: i64 = 1;
const OTHERS: i64 = 2;
const NEITHER: i64 = 3;

/// Moves that a manager has sent as stones, in the order of play, where the receiver is to move next. In Gomoku the
/// stones may come in any order.
///
/// # Errors
/// A message about stones that are neither side's, or that the sides can't have placed by turns.
pub(super) fn in_order(stones: &[(Pair, Option<i64>)], rule: Rule) -> Result<Vec<Pair>, String> {
    let (mut own, mut others, mut whose) = (Vec::new(), Vec::new(), Vec::new());
    for (at, field) in stones {
        let (x, y) = at;
        match field {
            Some(OWN) => own.push(*at),
            Some(OTHERS) => others.push(*at),
            // In Renju, field 3 also marks points that are forbidden to black; these hold no stone.
            Some(NEITHER) if rule == Rule::Renju => continue,
            Some(NEITHER) => {
                return Err(format!(
                    "{x},{y} is neither side's: games that go on after five are not supported"
                ));
            }
            Some(other) => {
                return Err(format!("{x},{y},{other}: a stone is 1, one's own, or 2, the other side's"));
            }
            None => {
                return Err(format!(
                    "{x},{y} is nobody's stone: `x,y,1` is one's own, `x,y,2` the other side's"
                ));
            }
        }
        whose.push(*field == Some(OWN));
    }
    let first_is_own = match others.len().checked_sub(own.len()) {
        Some(0) => true,
        Some(1) => false,
        _ => {
            let (own, others) = (own.len(), others.len());
            return Err(format!(
                "with {own} stones of its own and {others} of the other side it is not to move"
            ));
        }
    };
    let by_turns =
        whose.iter().enumerate().all(|(number, own)| *own == (number.is_multiple_of(2) == first_is_own));
    if !by_turns && rule == Rule::Pente {
        return Err("in Pente the moves are told in the order of play, captured stones too".to_owned());
    }
    let (first, second) = if first_is_own { (own, others) } else { (others, own) };
    let mut second = second.into_iter();
    Ok(first.into_iter().flat_map(|at| std::iter::once(at).chain(second.next())).collect())
}

/// Answer that proposes an opening of three stones in which neither side is much better off: away from the centre, the
/// two of the first side apart.
pub(super) fn proposal(size: u16) -> String {
    let far = size - 1;
    let (near, edge) = if size < 9 { (far / 2, far) } else { (far / 2 - 1, far - 1) };
    format!("{near},{edge} {},{} {},{}", near + 1, edge - 1, near - 1, edge - 3)
}

/// Points that are forbidden to the side that moves first, if it is to move. Only Renju has such points, and only on
/// boards with a centre.
pub(super) fn forbidden(board: &EngineBoard) -> Vec<BoardPoint> {
    let rules =
        Rules { size: board.size().into(), rule: board.rule(), opening: Opening::Free, ..Rules::gomoku() };
    let position = Position::new(&rules).ok().filter(|_| board.rule() == Rule::Renju);
    let after = position.and_then(|position| {
        board.moves().iter().try_fold(position, |position, (x, y)| position.play(Point::new(*x, *y)?).ok())
    });
    match after {
        Some(position) if position.to_move() == Side::First => {
            position.all_forbidden().into_iter().map(|point| (point.x(), point.y())).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stones(fields: &[(i64, i64, i64)]) -> Vec<(Pair, Option<i64>)> {
        fields.iter().map(|(x, y, field)| ((*x, *y), Some(*field))).collect()
    }

    #[test]
    fn stones_come_into_the_order_of_play() {
        let told = stones(&[(7, 7, 2), (8, 8, 1), (7, 8, 2)]);
        assert_eq!(in_order(&told, Rule::Freestyle).unwrap(), [(7, 7), (8, 8), (7, 8)]);
        let mixed = stones(&[(8, 8, 1), (9, 9, 1), (7, 7, 2), (7, 8, 2)]);
        assert_eq!(in_order(&mixed, Rule::Exactly5).unwrap(), [(8, 8), (7, 7), (9, 9), (7, 8)]);
        assert!(in_order(&mixed, Rule::Pente).unwrap_err().contains("order of play"));
        assert_eq!(in_order(&[], Rule::Pente).unwrap(), []);
    }

    #[test]
    fn what_cannot_be_is_said() {
        assert!(in_order(&stones(&[(1, 1, 1)]), Rule::Freestyle).unwrap_err().contains("not to move"));
        assert!(
            in_order(&stones(&[(1, 1, 2), (1, 2, 2)]), Rule::Freestyle).unwrap_err().contains("not to move")
        );
        assert!(in_order(&stones(&[(1, 1, 7)]), Rule::Freestyle).unwrap_err().contains("1,1,7"));
        assert!(in_order(&stones(&[(1, 1, 3)]), Rule::Freestyle).unwrap_err().contains("neither"));
        assert!(in_order(&stones(&[(1, 1, 3)]), Rule::Renju).unwrap().is_empty());
        assert!(in_order(&[((1, 1), None)], Rule::Freestyle).unwrap_err().contains("nobody"));
    }

    #[test]
    fn a_proposed_opening_fits_every_board() {
        for size in 5..=999 {
            let text = proposal(size);
            let points: Vec<Pair> = super::super::answer::points(&text).unwrap();
            assert!(
                points.len() == 3 && EngineBoard::with(size, Rule::Freestyle, &points).is_ok(),
                "{size}: {text}"
            );
        }
    }
}
