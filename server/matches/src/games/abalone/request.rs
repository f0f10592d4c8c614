//! Conversion of requests of CL programs to the Abalone world, and of its answers: the numbers of section 3 of the
//! Abalone handout (CS 312, 2008), which `server/rules/ABALONE.md` describes.

use grandstand_languages::Datum;
use grandstand_protocol::abalone::{Facing, Hex};
use grandstand_rules::abalone::{ACTIONS, Action, Object, Reply, TeamStat};

use crate::machine::text;

/// Action that the operand of `do` stands for, or the reason why it is none, for which the thread gets stuck.
pub(super) fn decode(request: &Datum) -> Result<Action, String> {
    let (number, arguments) = match request {
        Datum::Int(number) => (*number, None),
        Datum::Array(elements) => match elements.split_first() {
            Some((Datum::Int(number), arguments)) => (*number, Some(arguments)),
            None => (0, None),
            Some(_) => {
                return Err("the first element of the operand of `do` must be an action's number".to_owned());
            }
        },
        Datum::Pair(_) | Datum::Opaque => {
            return Err(
                "the operand of `do` must be an action's number, or an array that begins with one".to_owned()
            );
        }
    };
    let Some((name, _)) = ACTIONS.into_iter().find(|&(_, known)| known == number) else {
        return Err(format!(
            "{} is not an action; the actions are 1 (A_MYSTAT) to 10 (A_TALK)",
            Datum::Int(number)
        ));
    };
    let request = Request { name, arguments };
    match name {
        "A_MYSTAT" => request.bare(Action::MyStat),
        "A_TEAMSTAT" => request.bare(Action::TeamStat),
        "A_GAMESTAT" => request.bare(Action::GameStat),
        "A_SCAN" => request.bare(Action::Scan),
        "A_WAITTURN" => request.bare(Action::WaitTurn),
        "A_WAITMYTURN" => request.bare(Action::WaitMyTurn),
        "A_INSPECT" => request.position(),
        "A_LOOK" => Ok(Action::Look(request.direction(1)?)),
        "A_COMMITMOVE" => Ok(Action::CommitMove(request.direction(0)?)),
        _ => request.text().map(Action::Talk),
    }
}

/// Name of an action and its arguments; `None` if the number stood alone.
struct Request<'a> {
    name: &'static str,
    arguments: Option<&'a [Datum]>,
}

impl Request<'_> {
    fn bare(&self, action: Action) -> Result<Action, String> {
        match self.arguments {
            None | Some([]) => Ok(action),
            Some(_) => Err(format!("{} takes no argument", self.name)),
        }
    }

    fn position(&self) -> Result<Action, String> {
        let error = || format!("{} takes a position: two integers, or an array of two", self.name);
        let pair = match self.arguments.ok_or_else(error)? {
            [Datum::Array(pair)] => pair,
            pair => pair,
        };
        let integer = |index: usize| match pair.get(index) {
            None => Ok(0),
            Some(Datum::Int(value)) => Ok(*value),
            Some(_) => Err(error()),
        };
        if pair.len() > 2 {
            return Err(error());
        }
        Ok(Action::Inspect { row: integer(0)?, diagonal: integer(1)? })
    }

    /// The argument as a direction from `least` to 6.
    fn direction(&self, least: u8) -> Result<Facing, String> {
        let takes = format!("{} takes a direction from {least} to 6", self.name);
        let number = match self.arguments {
            Some([]) => 0,
            Some([Datum::Int(number)]) => *number,
            Some([_]) => return Err(format!("{takes}, this is not an integer")),
            None | Some(_) => return Err(takes),
        };
        let facing =
            u8::try_from(number).ok().filter(|&number| number >= least).and_then(Facing::from_number);
        facing.ok_or_else(|| format!("{takes}, this is {}", Datum::Int(number)))
    }

    /// Message of a bot: a text, or any other value as the language writes it.
    fn text(&self) -> Result<String, String> {
        let said = match self.arguments {
            Some([]) => Some(String::new()),
            Some([said @ Datum::Array(codes)]) => text::text(codes).or_else(|| text::value(said)),
            Some([said]) => text::value(said),
            None | Some(_) => None,
        };
        said.ok_or_else(|| format!("{} takes a string, that is an array of character codes", self.name))
    }
}

/// Value of a reply in the program; `None` if the answer comes later.
pub(super) fn encode(reply: Reply) -> Option<Datum> {
    let array = |values: &[i64]| Datum::Array(values.iter().copied().map(Datum::Int).collect());
    let team = |stat: TeamStat| [stat.pieces, stat.score, stat.spawns].map(i64::from);
    Some(match reply {
        Reply::Done => Datum::Int(0),
        Reply::Position { hex, facing } => {
            Datum::Array(vec![array(&position(hex)), Datum::Int(i64::from(facing.number()))])
        }
        Reply::Teams { own, other } => array(&[team(own), team(other)].concat()),
        Reply::Game { turn, cycles_to_move } => {
            array(&[i64::from(turn), i64::try_from(cycles_to_move).unwrap_or(i64::MAX)])
        }
        Reply::Object(object) => Datum::Int(object.code()),
        Reply::Objects(objects) => {
            Datum::Array(objects.into_iter().map(Object::code).map(Datum::Int).collect())
        }
        Reply::Wait => return None,
    })
}

fn position(hex: Hex) -> [i64; 2] {
    [i64::from(hex.row()), i64::from(hex.diagonal())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i64]) -> Datum {
        Datum::Array(values.iter().copied().map(Datum::Int).collect())
    }

    fn with(number: i64, argument: Datum) -> Datum {
        Datum::Array(vec![Datum::Int(number), argument])
    }

    #[test]
    fn a_number_alone_is_an_action_without_arguments() {
        let bare = [
            (1, Action::MyStat),
            (2, Action::TeamStat),
            (3, Action::GameStat),
            (6, Action::Scan),
            (8, Action::WaitTurn),
            (9, Action::WaitMyTurn),
        ];
        for (number, action) in bare {
            assert_eq!(decode(&Datum::Int(number)), Ok(action.clone()));
            assert_eq!(decode(&ints(&[number])), Ok(action));
            let error = decode(&ints(&[number, 0])).unwrap_err();
            assert!(error.ends_with("takes no argument"), "{error}");
        }
    }

    #[test]
    fn positions_are_written_in_line_or_as_a_pair() {
        let inspect = |row, diagonal| Ok(Action::Inspect { row, diagonal });
        assert_eq!(decode(&ints(&[4, -2, 3])), inspect(-2, 3));
        assert_eq!(decode(&with(4, ints(&[-2, 3]))), inspect(-2, 3));
        assert_eq!(decode(&ints(&[4, 1])), inspect(1, 0));
        assert_eq!(decode(&ints(&[4])), inspect(0, 0));
        assert_eq!(decode(&ints(&[4, i64::MAX, i64::MIN])), inspect(i64::MAX, i64::MIN));
        for wrong in [Datum::Int(4), ints(&[4, 1, 2, 3]), with(4, ints(&[1, 2, 3])), with(4, Datum::Opaque)] {
            let error = decode(&wrong).unwrap_err();
            assert_eq!(error, "A_INSPECT takes a position: two integers, or an array of two");
        }
    }

    #[test]
    fn directions_are_checked() {
        assert_eq!(decode(&ints(&[5, 1])), Ok(Action::Look(Facing::Right)));
        assert_eq!(decode(&ints(&[7, 6])), Ok(Action::CommitMove(Facing::DownRight)));
        assert_eq!(decode(&ints(&[7, 0])), Ok(Action::CommitMove(Facing::None)));
        let error = |request: &Datum| decode(request).unwrap_err();
        assert_eq!(error(&ints(&[5, 0])), "A_LOOK takes a direction from 1 to 6, this is 0");
        assert_eq!(error(&ints(&[7, 7])), "A_COMMITMOVE takes a direction from 0 to 6, this is 7");
        assert_eq!(error(&ints(&[7, -1])), "A_COMMITMOVE takes a direction from 0 to 6, this is ~1");
        assert_eq!(error(&ints(&[7, 257])), "A_COMMITMOVE takes a direction from 0 to 6, this is 257");
        assert_eq!(
            error(&with(7, ints(&[1]))),
            "A_COMMITMOVE takes a direction from 0 to 6, this is not an integer"
        );
        assert_eq!(error(&Datum::Int(7)), "A_COMMITMOVE takes a direction from 0 to 6");
        assert_eq!(error(&ints(&[7, 1, 2])), "A_COMMITMOVE takes a direction from 0 to 6");
    }

    #[test]
    fn strings_are_arrays_of_codes() {
        let talk = |argument: Datum| decode(&with(10, argument));
        assert_eq!(talk(Datum::text("hi, é!")), Ok(Action::Talk("hi, é!".to_owned())));
        assert_eq!(talk(ints(&[104, 105, 0, 33])), Ok(Action::Talk("hi".to_owned())));
        assert_eq!(talk(Datum::Int(-12)), Ok(Action::Talk("~12".to_owned())));
        assert_eq!(talk(Datum::Int(65)), Ok(Action::Talk("65".to_owned())));
        assert_eq!(talk(Datum::Int(0)), Ok(Action::Talk("0".to_owned())));
        assert_eq!(decode(&ints(&[10])), Ok(Action::Talk(String::new())));
        for wrong in [Datum::Int(10), with(10, Datum::Opaque), with(10, Datum::Array(vec![Datum::Opaque]))] {
            let error = decode(&wrong).unwrap_err();
            assert_eq!(error, "A_TALK takes a string, that is an array of character codes");
        }
    }

    #[test]
    fn what_is_no_text_is_said_as_a_value() {
        let said = |argument: Datum| decode(&with(10, argument));
        let talk = |text: &str| Ok(Action::Talk(text.to_owned()));
        assert_eq!(said(ints(&[-1, 0xd800, 65])), talk("(~1, 55296, 65)"));
        assert_eq!(said(ints(&[i64::MAX])), talk("()[0 := 9223372036854775807]"));
        assert_eq!(said(Datum::Array(vec![ints(&[3, -2]), Datum::Int(4)])), talk("((3, ~2), 4)"));
    }

    #[test]
    fn other_requests_say_what_was_expected() {
        for number in [0, 11, -1] {
            let error = decode(&Datum::Int(number)).unwrap_err();
            assert!(
                error.contains("is not an action; the actions are 1 (A_MYSTAT) to 10 (A_TALK)"),
                "{error}"
            );
        }
        assert!(decode(&Datum::Opaque).is_err());
        assert!(decode(&Datum::Array(vec![])).is_err());
        assert!(decode(&Datum::Array(vec![Datum::Opaque])).is_err());
    }

    #[test]
    fn replies_are_the_arrays_of_the_specification() {
        let hex = Hex::from_rd(-2, 1).unwrap();
        let stat = |pieces, score, spawns| TeamStat { pieces, score, spawns };
        let cases = [
            (Reply::Done, "0"),
            (Reply::Position { hex, facing: Facing::Left }, "((~2, 1), 4)"),
            (Reply::Teams { own: stat(3, 1, 11), other: stat(2, 0, 0) }, "(3, 1, 11, 2, 0, 0)"),
            (Reply::Game { turn: 7, cycles_to_move: 1_999 }, "(7, 1999)"),
            (Reply::Object(Object::OffBoard), "4"),
            (
                Reply::Objects(vec![Object::Empty, Object::Piece, Object::OtherPiece, Object::OffBoard]),
                "(1, 2, 3, 4)",
            ),
        ];
        for (reply, text) in cases {
            assert_eq!(encode(reply).unwrap().to_string(), text);
        }
        assert_eq!(encode(Reply::Wait), None);
    }
}
