//! Places of the board among the values of a program.

use grandstand_protocol::insight::ScopeName;
use grandstand_protocol::{Game, Place, abalone, shark};
use serde_json::Value;

/// Number of places that are shown of one value at most.
const MOST: usize = 64;

/// Places in a value: its pairs of integers. A single integer makes a pair with the value of its partner name: `r` with
/// `d`, `x` with `y`.
pub(super) fn of_name(game: Game, name: &ScopeName, all: &[ScopeName]) -> Vec<Place> {
    let Some(value) = &name.value else { return Vec::new() };
    let mut places = Vec::new();
    collect(game, &value.value, &mut places);
    if places.is_empty()
        && let Some(own) = value.value.as_i64()
    {
        let other = |other: &str| {
            let found = all.iter().find(|name| name.name == other)?;
            found.value.as_ref()?.value.as_i64()
        };
        let pair = match (game, name.name.as_str()) {
            (Game::Abalone, "r") => other("d").map(|d| (own, d)),
            (Game::Abalone, "d") => other("r").map(|r| (r, own)),
            (Game::Shark, "x") => other("y").map(|y| (own, y)),
            (Game::Shark, "y") => other("x").map(|x| (x, own)),
            _ => None,
        };
        places.extend(pair.and_then(|(a, b)| place(game, a, b)));
    }
    places
}

fn collect(game: Game, value: &Value, places: &mut Vec<Place>) {
    let Value::Array(parts) = value else { return };
    if places.len() >= MOST {
        return;
    }
    if let [a, b] = &parts[..]
        && let (Some(a), Some(b)) = (a.as_i64(), b.as_i64())
    {
        places.extend(place(game, a, b));
        return;
    }
    parts.iter().for_each(|part| collect(game, part, places));
}

fn place(game: Game, a: i64, b: i64) -> Option<Place> {
    match game {
        Game::Abalone => {
            let hex = abalone::Hex::from_rd(i8::try_from(a).ok()?, i8::try_from(b).ok()?)?;
            Some(Place::Hex(hex))
        }
        Game::Shark => {
            let tile = shark::Tile::new(u8::try_from(a).ok()?, u8::try_from(b).ok()?)?;
            Some(Place::Tile(tile))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::insight::ShownValue;
    use serde_json::json;

    use super::*;

    fn name(name: &str, value: Value) -> ScopeName {
        ScopeName {
            name: name.to_owned(),
            constant: false,
            value: Some(ShownValue { text: String::new(), value }),
        }
    }

    #[test]
    fn pairs_that_are_places_are_found_in_values() {
        let shown = |game, value| {
            let of = name("pos", value);
            of_name(game, &of, &[]).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(Game::Abalone, json!([0, 0])), "E0");
        assert_eq!(shown(Game::Abalone, json!([[-2, -1], 3])), "C-1");
        assert_eq!(shown(Game::Abalone, json!([4, -4])), "");
        assert_eq!(shown(Game::Shark, json!([[3, 4], [31, 15], [32, 0]])), "3,4 31,15");
        assert_eq!(shown(Game::Gomoku, json!([0, 0])), "");
        assert_eq!(shown(Game::Abalone, json!(5)), "");
    }

    #[test]
    fn a_row_and_its_diagonal_are_a_place_together() {
        let names = [name("d", json!(1)), name("r", json!(2)), name("n", json!(2))];
        let of = |at: usize| of_name(Game::Abalone, &names[at], &names);
        assert_eq!(of(0), of(1));
        assert_eq!(of(1).len(), 1);
        assert!(of(2).is_empty());
    }
}
