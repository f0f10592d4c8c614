//! Fuzz bodies on stable Rust with seeded inputs. The fuzzer in `/fuzz` runs the same functions.

use grandstand_matches::games::fortress::fuzz;
use grandstand_matches::games::fortress::message::{Request, Response};
use grandstand_rules::SplitMix64;
use grandstand_rules::fortress::{
    Action, ActionResult, Direction, Elevation, Hand, PointStatus, Position, Sighting, Square, UnitClass,
};
use proptest::prelude::*;

#[test]
fn messages() {
    let text = include_str!("../../../FORTRESS-PROTOCOL.md");
    let examples: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("→ ").or(line.strip_prefix("← "))).collect();
    let inputs =
        ["[0,1,\"open\"]", "[12,1,\"line\",\"x\"]", "[12,1,\"close\",\"y\"]", "[3,0,\"absent\",\"red\"]"];
    let examples: Vec<&str> = examples.into_iter().chain(inputs).collect();
    let noise = b"{}[]\",:0 9n\\-e.\n\r\xff";
    let mut random = SplitMix64::new(3110);
    fuzz::messages(b"");
    for _ in 0..5_000 {
        let mut data = Vec::new();
        for _ in 0..=random.below(3) {
            data.extend_from_slice(random.choose(&examples).unwrap().as_bytes());
            data.push(b'\n');
        }
        for _ in 0..random.below(4) {
            let at = random.below(data.len() as u64) as usize;
            match random.below(3) {
                0 => data[at] = random.choose(noise).unwrap(),
                1 => data.insert(at, random.choose(noise).unwrap()),
                _ => drop(data.remove(at)),
            }
        }
        fuzz::messages(&data);
    }
}

#[test]
fn referee() {
    let mut random = SplitMix64::new(2010);
    fuzz::referee(b"");
    for case in 0..100 {
        // Some cases begin with all players joining, so that there is a match.
        let mut data = Vec::new();
        if case % 3 > 0 {
            for (peer, y) in [(0, 0), (1, 1)] {
                data.extend([0, peer, 0, y, 0, peer, 0, y]);
            }
            for id in 1..=4_u8 {
                let (peer, y) = (1 + id, u8::from(id > 2));
                data.extend([2, peer, id, y, 2, peer, id, y]);
            }
        }
        for _ in 0..random.below(600) {
            let [what, peer, x, y] = random.next_u64().to_le_bytes()[..4].try_into().unwrap();
            // Inputs that end the match are rare.
            let what = if what % 16 >= 10 && random.below(8) > 0 { what & 0xf7 } else { what };
            data.extend([what, peer, x, y]);
        }
        fuzz::referee(&data);
    }
}

fn place() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_map(|index| Square::all().nth(index).unwrap())
}

fn any_of<T: Clone + std::fmt::Debug + 'static>(all: &[T]) -> impl Strategy<Value = T> + use<T> {
    proptest::sample::select(all.to_vec())
}

fn action() -> impl Strategy<Value = Action> {
    let position = || (any::<i64>(), any::<i64>()).prop_map(|(x, y)| Position { x, y });
    prop_oneof![
        proptest::option::of(any_of(&Hand::ALL)).prop_map(Action::Move),
        any_of(&Hand::ALL).prop_map(Action::Turn),
        position().prop_map(Action::PrimaryAbility),
        position().prop_map(Action::SecondaryAbility),
        any::<i64>().prop_map(Action::Scan),
        position().prop_map(Action::Inspect),
        Just(Action::MyStatus),
        Just(Action::GameStatus),
        any_of(&UnitClass::ALL).prop_map(Action::Respawn),
        any::<String>().prop_map(Action::Talk),
    ]
}

fn sighting() -> impl Strategy<Value = Sighting> {
    let fields = (any_of(&UnitClass::ALL), any::<i32>(), place(), any::<bool>());
    fields.prop_map(|(class, health, at, ally)| Sighting { class, health, at, ally })
}

fn point() -> impl Strategy<Value = PointStatus> {
    let fields = (place(), 0..5_u8, any::<Option<bool>>());
    fields.prop_map(|(at, point, ours)| PointStatus { at, point, ours })
}

fn result() -> impl Strategy<Value = ActionResult> {
    prop_oneof![
        Just(ActionResult::Success),
        Just(ActionResult::Failed),
        proptest::collection::vec(sighting(), 0..4).prop_map(|units| ActionResult::ScanData { units }),
        (any_of(&Elevation::ALL), proptest::option::of(sighting()), proptest::option::of(point()))
            .prop_map(|(elevation, unit, point)| ActionResult::InspectData { elevation, unit, point }),
        (place(), any::<i32>(), any_of(&Direction::ALL))
            .prop_map(|(at, health, facing)| ActionResult::MyData { at, health, facing }),
        (any::<u64>(), proptest::collection::vec(point(), 0..5))
            .prop_map(|(remaining, points)| ActionResult::GameData { remaining, points }),
    ]
}

proptest! {
    #[test]
    fn a_request_reads_as_it_was_written(action in action(), id: u32, secret: Option<String>) {
        let request = Request::Action { id, secret, action };
        let line = request.to_line();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(Request::parse(&line), Ok(request));
    }

    #[test]
    fn a_result_reads_as_it_was_written(result in result(), id: u32) {
        let response = Response::Result { id, action: "Scan", result };
        let line = response.to_line();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(Response::parse(&line), Ok(response));
    }
}
