//! Boards as text.

use grandstand_protocol::abalone::{Facing, Hex, Team};
use grandstand_rules::Pid;
use grandstand_rules::abalone::{Bot, Diagram};
use proptest::prelude::*;

const EMPTY: &str = "I . . . . .\nH . . . . . .\nG . . . . . . .\nF . . . . . . . .\nE . . . . . . . . .\n\
                     D . . . . . . . .\nC . . . . . . .\nB . . . . . .\nA . . . . .\n";

fn error(text: &str) -> String {
    text.parse::<Diagram>().unwrap_err().to_string()
}

#[test]
fn pieces_without_a_pid_get_the_free_ones_in_reading_order() {
    let text = EMPTY.replace("I . . ", "I w 1b6 ").replace("A .", "A b");
    let bots: Vec<String> =
        text.parse::<Diagram>().unwrap().bots.iter().map(|bot| format!("{bot:?}")).collect();
    let bot = |pid, team, hex: &str, commit| {
        format!("{:?}", Bot { pid: Pid(pid), team, hex: hex.parse().unwrap(), commit })
    };
    assert_eq!(
        bots,
        [
            bot(1, Team::Black, "I1", Facing::DownRight),
            bot(2, Team::White, "I0", Facing::None),
            bot(3, Team::Black, "A-4", Facing::None)
        ]
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert_eq!(error(""), "line 1: expected row I, found \"\"");
    assert_eq!(error(&EMPTY.replace('G', "H")), "line 3: expected row G, found \"H\"");
    assert_eq!(error(&EMPTY.replace("E .", "E . .")), "line 5: row E has 9 hexes, found 10");
    assert_eq!(
        error(&EMPTY.replace("D . .", "D . b7")),
        "line 6, column 5: \"b7\" is not a hex; expected `.` or [pid](b|w)[0-6]"
    );
    assert_eq!(
        error(&format!("{EMPTY}J .")),
        "line 10, column 1: \"J\" is not a hex; expected `.` or [pid](b|w)[0-6]"
    );
    assert_eq!(EMPTY.parse::<Diagram>().unwrap(), Diagram::default());
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(cells in proptest::collection::vec(proptest::option::of((any::<bool>(), 0_u8..7)), Hex::COUNT)) {
        let bots = Hex::all().zip(1..).zip(cells).filter_map(|((hex, pid), cell)| {
            let (white, facing) = cell?;
            let team = if white { Team::White } else { Team::Black };
            Some(Bot { pid: Pid(pid), team, hex, commit: Facing::from_number(facing)? })
        });
        let diagram = Diagram { bots: bots.collect() };
        prop_assert_eq!(diagram.to_string().parse::<Diagram>(), Ok(diagram));
    }

    #[test]
    fn no_text_makes_it_panic(text in "([A-I]( (\\.|[0-9]{0,12}[bwx][0-9]?|é)){0,10}(;.*)?\n){0,12}") {
        let _ = text.parse::<Diagram>();
    }
}
