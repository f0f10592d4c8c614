//! Conversion of requests of RCL programs to the λ-Shark world, and of its answers: table 1 of the λ-Shark handout (CS
//! 312, 2004), which `server/rules/SHARK.md` describes.

use grandstand_languages::Datum;
use grandstand_protocol::shark::Tile;
use grandstand_rules::shark::{ACTIONS, Action, Answer, Object, RESULTS, direction, direction_code};

use crate::machine::text;

/// Action that the operand of `do` stands for, or the reason why it is none, for which the thread gets stuck.
///
/// An action without an argument is its number. With one it is a pair of the number and the argument, or a list that
/// begins with the number. Two numbers may be a pair or a list.
pub(super) fn decode(request: &Datum) -> Result<Action, String> {
    let (number, arguments) = match request {
        Datum::Int(number) => (*number, &[][..]),
        Datum::Pair(parts) => match parts.split_first() {
            Some((Datum::Int(number), arguments)) => (*number, arguments),
            _ => return Err("the first part of the operand of `do` must be an action's number".to_owned()),
        },
        Datum::Array(_) | Datum::Opaque => {
            return Err(
                "the operand of `do` must be an action's number, or a pair or list that begins with one"
                    .to_owned(),
            );
        }
    };
    let Some((name, _)) = ACTIONS.into_iter().find(|&(_, known)| known == number) else {
        let (first, last) = (ACTIONS[0], ACTIONS[ACTIONS.len() - 1]);
        return Err(format!(
            "{} is not an action; the actions are {} ({}) to {} ({})",
            Datum::Int(number),
            first.1,
            first.0,
            last.1,
            last.0
        ));
    };
    let request = Request { name, arguments };
    match name {
        "A_MOVE" => request.bare(Action::Move),
        "A_FACE" => request.code("a direction from 1 to 4", direction).map(Action::Face),
        "A_SHOOT" => request.bare(Action::Shoot),
        "A_INSPECT" => request.position(),
        "A_LOOK" => request.code("a direction from 1 to 4", direction).map(Action::Look),
        "A_NEAREST" => request.code("an object's code from 1 to 10", Object::from_code).map(Action::Nearest),
        "A_MYSTATS" => request.bare(Action::MyStats),
        "A_TEAMSTATS" => request.bare(Action::TeamStats),
        "A_FLAGPOS" => request.bare(Action::FlagPos),
        _ => request.text().map(Action::Talk),
    }
}

/// Name of an action, and the parts that follow its number along the right halves of the pairs: a list ends with a 0.
struct Request<'a> {
    name: &'static str,
    arguments: &'a [Datum],
}

impl<'a> Request<'a> {
    fn bare(&self, action: Action) -> Result<Action, String> {
        match self.arguments {
            [] | [Datum::Int(0)] => Ok(action),
            _ => Err(format!("{} takes no argument", self.name)),
        }
    }

    /// The argument as the meaning of its code.
    fn code<T>(&self, expected: &str, meaning: impl Fn(i64) -> Option<T>) -> Result<T, String> {
        let takes = format!("{} takes {expected}", self.name);
        let code = match self.arguments {
            [Datum::Int(code)] | [Datum::Int(code), Datum::Int(0)] => *code,
            [_] | [_, Datum::Int(0)] => return Err(format!("{takes}, this is not an integer")),
            _ => return Err(takes),
        };
        meaning(code).ok_or_else(|| format!("{takes}, this is {}", Datum::Int(code)))
    }

    fn position(&self) -> Result<Action, String> {
        let inner = match self.arguments {
            [Datum::Pair(inner), Datum::Int(0)] => inner,
            arguments => arguments,
        };
        match inner {
            [Datum::Int(x), Datum::Int(y)] | [Datum::Int(x), Datum::Int(y), Datum::Int(0)] => {
                Ok(Action::Inspect { x: *x, y: *y })
            }
            _ => Err(format!("{} takes a position: a pair of two integers", self.name)),
        }
    }

    /// Message of a bot: a text, or any other value as the language writes it. `[A_TALK, 65]` and `(A_TALK, "A")` are
    /// one value, and say 65.
    fn text(&self) -> Result<String, String> {
        let list = |parts: &[Datum]| {
            let codes = parts.split_last().filter(|(end, _)| **end == Datum::Int(0)).map(|(_, codes)| codes);
            codes.and_then(text::text).or_else(|| text::value(&Datum::Pair(parts.to_vec())))
        };
        let said = match self.arguments {
            [] => None,
            [number @ Datum::Int(_)] | [number @ Datum::Int(_), Datum::Int(0)] => text::value(number),
            [Datum::Pair(parts), Datum::Int(0)] => list(parts),
            parts => list(parts),
        };
        said.ok_or_else(|| format!("{} takes a string, that is a list of character codes", self.name))
    }
}

/// Value of an answer in the program.
pub(super) fn encode(answer: &Answer) -> Datum {
    let pair = |x: i64, y: i64| Datum::pair(Datum::Int(x), Datum::Int(y));
    let list = |values: &[i64]| Datum::list(values.iter().copied().map(Datum::Int));
    let place = |place: &Tile| [i64::from(place.x()), i64::from(place.y())];
    match answer {
        Answer::Fail => Datum::Int(RESULTS[0].1),
        Answer::Ok => Datum::Int(RESULTS[1].1),
        Answer::Object(object) => Datum::Int(object.code()),
        Answer::Seen { distance, object } => pair((*distance).into(), object.code()),
        Answer::Found { x, y } => pair(*x, *y),
        Answer::Bot { place: at, health, flag, heading } => {
            let [x, y] = place(at);
            list(&[x, y, (*health).into(), (*flag).into(), direction_code(*heading)])
        }
        Answer::Teams { credits, bots, score, teammates } => {
            let numbers = [*credits, bots[0], bots[1], score[0], score[1]].map(|n| Datum::Int(n.into()));
            let teammates = Datum::list(teammates.iter().map(|pid| Datum::Int(pid.0.into())));
            Datum::list(numbers.into_iter().chain([teammates]))
        }
        Answer::Flags { own, other } => list(&[place(own), place(other)].concat()),
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::shark::Heading;
    use grandstand_rules::Pid;

    use super::*;

    fn int(value: i64) -> Datum {
        Datum::Int(value)
    }

    /// `[number, arguments…]`
    fn list(number: i64, arguments: &[Datum]) -> Datum {
        Datum::list([&[int(number)], arguments].concat())
    }

    /// `(number, argument)`
    fn pair(number: i64, argument: Datum) -> Datum {
        Datum::pair(int(number), argument)
    }

    #[test]
    fn a_number_alone_is_an_action_without_arguments() {
        let bare = [
            (1, Action::Move),
            (3, Action::Shoot),
            (7, Action::MyStats),
            (8, Action::TeamStats),
            (9, Action::FlagPos),
        ];
        for (number, action) in bare {
            assert_eq!(decode(&int(number)), Ok(action.clone()));
            assert_eq!(decode(&list(number, &[])), Ok(action));
            let error = decode(&pair(number, int(1))).unwrap_err();
            assert!(error.ends_with("takes no argument"), "{error}");
        }
    }

    #[test]
    fn a_code_is_the_other_half_of_a_pair_or_the_second_of_a_list() {
        for written in [pair(2, int(1)), list(2, &[int(1)])] {
            assert_eq!(decode(&written), Ok(Action::Face(Heading::Up)));
        }
        assert_eq!(decode(&pair(5, int(4))), Ok(Action::Look(Heading::Right)));
        assert_eq!(decode(&list(6, &[int(5)])), Ok(Action::Nearest(Object::Spawn)));
        let error = |request: &Datum| decode(request).unwrap_err();
        assert_eq!(error(&int(2)), "A_FACE takes a direction from 1 to 4");
        assert_eq!(error(&pair(2, int(5))), "A_FACE takes a direction from 1 to 4, this is 5");
        assert_eq!(error(&pair(5, int(-1))), "A_LOOK takes a direction from 1 to 4, this is ~1");
        assert_eq!(
            error(&list(6, &[Datum::Opaque])),
            "A_NEAREST takes an object's code from 1 to 10, this is not an integer"
        );
        assert_eq!(error(&list(2, &[int(1), int(2)])), "A_FACE takes a direction from 1 to 4");
    }

    #[test]
    fn a_position_is_written_in_any_way() {
        let inspect = |x, y| Ok(Action::Inspect { x, y });
        let (xy, as_list) = (Datum::pair(int(3), int(-2)), Datum::list([int(3), int(-2)]));
        for written in [
            pair(4, xy.clone()),
            pair(4, as_list.clone()),
            list(4, &[xy]),
            list(4, &[as_list]),
            list(4, &[int(3), int(-2)]),
        ] {
            assert_eq!(decode(&written), inspect(3, -2), "{written}");
        }
        assert_eq!(decode(&pair(4, Datum::pair(int(i64::MAX), int(0)))), inspect(i64::MAX, 0));
        for wrong in
            [int(4), pair(4, int(3)), list(4, &[int(1), int(2), int(3)]), pair(4, pair(1, Datum::Opaque))]
        {
            let error = decode(&wrong).unwrap_err();
            assert_eq!(error, "A_INSPECT takes a position: a pair of two integers", "{wrong}");
        }
    }

    #[test]
    fn strings_are_lists_of_codes() {
        let talk = |text: &str| Ok(Action::Talk(text.to_owned()));
        for text in ["hi, é!", "ab"] {
            assert_eq!(decode(&pair(10, Datum::text_list(text))), talk(text));
            assert_eq!(decode(&list(10, &[Datum::text_list(text)])), talk(text));
        }
        assert_eq!(decode(&list(10, &[Datum::text_list("A")])), talk("A"));
        let opaque = Datum::list([Datum::Opaque]);
        for wrong in [int(10), pair(10, opaque), pair(10, Datum::Opaque), list(10, &[Datum::Opaque])] {
            let error = decode(&wrong).unwrap_err();
            assert_eq!(error, "A_TALK takes a string, that is a list of character codes", "{wrong}");
        }
    }

    #[test]
    fn what_is_no_text_is_said_as_a_value() {
        let talk = |text: &str| Ok(Action::Talk(text.to_owned()));
        for number in [0, 65, -12, i64::MAX] {
            let text = int(number).to_string();
            assert_eq!(decode(&pair(10, int(number))), talk(&text));
            assert_eq!(decode(&list(10, &[int(number)])), talk(&text));
        }
        assert_eq!(decode(&pair(10, Datum::list([-1, 0xd800, 65].map(int)))), talk("[~1, 55296, 65]"));
        let place = Datum::pair(int(65), int(66));
        assert_eq!(decode(&pair(10, place.clone())), talk("(65, 66)"));
        assert_eq!(decode(&list(10, std::slice::from_ref(&place))), talk("(65, 66)"));
        assert_eq!(decode(&list(10, &[Datum::list([place, int(7)])])), talk("[(65, 66), 7]"));
    }

    #[test]
    fn other_requests_say_what_was_expected() {
        for number in [0, 11, -1] {
            let error = decode(&int(number)).unwrap_err();
            let expected = "is not an action; the actions are 1 (A_MOVE) to 10 (A_TALK)";
            assert!(error.ends_with(expected), "{error}");
        }
        assert!(decode(&Datum::Opaque).is_err());
        assert!(decode(&Datum::Array(vec![int(1)])).is_err());
        assert!(decode(&Datum::pair(Datum::Opaque, int(0))).is_err());
    }

    #[test]
    fn answers_are_the_pairs_and_lists_of_the_specification() {
        let place = |x, y| Tile::new(x, y).unwrap();
        let stats = |teammates: &[u32]| Answer::Teams {
            credits: 2,
            bots: [3, 1],
            score: [0, 9],
            teammates: teammates.iter().copied().map(Pid).collect(),
        };
        let cases = [
            (Answer::Fail, "0"),
            (Answer::Ok, "1"),
            (Answer::Object(Object::FlagStand), "10"),
            (Answer::Seen { distance: 4, object: Object::Wall }, "(4, 2)"),
            (Answer::Found { x: -1, y: 7 }, "(~1, 7)"),
            (
                Answer::Bot { place: place(31, 2), health: 3, flag: true, heading: Heading::Left },
                "[31, 2, 3, 1, 3]",
            ),
            (stats(&[4, 9]), "[2, 3, 1, 0, 9, [4, 9]]"),
            (stats(&[]), "[2, 3, 1, 0, 9, 0]"),
            (Answer::Flags { own: place(0, 1), other: place(30, 15) }, "[0, 1, 30, 15]"),
        ];
        for (answer, text) in cases {
            assert_eq!(encode(&answer).to_string(), text);
        }
    }
}
