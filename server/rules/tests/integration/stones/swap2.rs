//! Swap2: three stones, then a choice.

use grandstand_protocol::stones::Point;
use grandstand_rules::SplitMix64;
use grandstand_rules::stones::players::stupid_choice;
use grandstand_rules::stones::{Opening, Position, Rules};
use grandstand_rules::swap2::{Choice, Stage, Swap2};
use grandstand_rules::turn::{Position as _, Side};

fn opening() -> Swap2<Position> {
    Swap2::new(Position::new(&Rules { opening: Opening::Swap2, ..Rules::default() }).unwrap())
}

/// A side by its name, else a point.
fn choice(text: &str) -> Choice<Point> {
    match text {
        "black" => Choice::Take(Side::First),
        "white" => Choice::Take(Side::Second),
        point => Choice::Place(point.parse().unwrap()),
    }
}

fn chosen(choices: &str) -> Swap2<Position> {
    let mut opening = opening();
    for text in choices.split_whitespace() {
        opening.choose(choice(text)).unwrap();
    }
    opening
}

fn refusal(opening: &Swap2<Position>, text: &str) -> String {
    opening.check(choice(text)).unwrap_err().to_string()
}

fn is_swapped(opening: &Swap2<Position>) -> bool {
    opening.stage() == Stage::Settled { swapped: true }
}

#[test]
fn the_first_player_places_three_stones() {
    let mut opening = opening();
    for (text, side) in [("h8", Side::First), ("i9", Side::Second), ("c3", Side::First)] {
        assert_eq!((opening.stage(), opening.chooser()), (Stage::Place, Some(Side::First)));
        assert_eq!(opening.position().to_move(), side);
        assert_eq!(
            refusal(&opening, "black"),
            "sides are taken when three stones are placed; expected a point"
        );
        opening.choose(choice(text)).unwrap();
    }
    assert_eq!((opening.stage(), opening.chooser()), (Stage::Answer, Some(Side::Second)));
    assert_eq!(refusal(&opening, "i9"), "i9 has a white stone");
}

#[test]
fn the_second_player_takes_a_side() {
    let stays = chosen("h8 i9 c3 white");
    assert_eq!((stays.chooser(), stays.stage()), (None, Stage::Settled { swapped: false }));
    let swaps = chosen("h8 i9 c3 black");
    assert!(is_swapped(&swaps) && swaps.chooser().is_none());
    // White moves next, whichever player has it.
    assert_eq!(swaps.position().to_move(), Side::Second);
    assert_eq!(refusal(&swaps, "h9"), "the opening is over: who has which side is settled");
    let mut choices = Vec::new();
    swaps.legal_choices(&mut choices);
    assert!(choices.is_empty());
}

#[test]
fn or_places_two_more_and_leaves_the_choice_to_the_first() {
    let placed = chosen("h8 i9 c3 j6");
    assert_eq!((placed.stage(), placed.chooser()), (Stage::PlaceMore, Some(Side::Second)));
    assert_eq!(refusal(&placed, "white"), "sides are taken when three stones are placed; expected a point");
    let offered = chosen("h8 i9 c3 j6 d12");
    assert_eq!((offered.stage(), offered.chooser()), (Stage::Choose, Some(Side::First)));
    assert_eq!(
        refusal(&offered, "a1"),
        "five stones are placed; expected one of the sides, `black` or `white`"
    );
    let mut choices = Vec::new();
    offered.legal_choices(&mut choices);
    assert_eq!(choices, Side::ALL.map(Choice::Take));
    assert!(is_swapped(&chosen("h8 i9 c3 j6 d12 white")));
    assert!(!is_swapped(&chosen("h8 i9 c3 j6 d12 black")));
    assert_eq!(chosen("h8 i9 c3 j6 d12 black").position().ply(), 5);
}

#[test]
fn any_legal_choices_come_to_an_end() {
    let mut random = SplitMix64::new(2);
    for round in 0..60 {
        let mut opening = opening();
        let mut steps = 0;
        while opening.chooser().is_some() {
            let mut choices = Vec::new();
            opening.legal_choices(&mut choices);
            assert!(choices.is_sorted_by(|a, b| a < b));
            let chosen =
                if round % 2 == 0 { random.choose(&choices) } else { stupid_choice(&opening, &mut random) };
            assert_eq!(opening.check(chosen.unwrap()), Ok(()));
            opening.choose(chosen.unwrap()).unwrap();
            steps += 1;
        }
        assert!((4..=6).contains(&steps));
        assert_eq!(stupid_choice(&opening, &mut random), None);
    }
}
