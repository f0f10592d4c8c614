//! Short descriptions of the languages' keywords.

use grandstand_languages::Language;

/// Returns the description of a keyword.
pub(crate) fn about(language: Language, word: &str) -> Option<&'static str> {
    Some(match word {
        "let" | "in" => "`let x = e in …` gives the value of `e` the name `x` in what follows.",
        "fn" => {
            "`fn x => e` is a function of one argument; `fn x => fn y => e` takes two, one after the other."
        }
        "rec" if language == Language::Cl => {
            "`rec f in e` is `e`, in which `f` means the whole again: so a function calls itself, `let f = rec f in fn x => … f …`."
        }
        "rec" | "div" if language == Language::Rcl => "Means nothing in RCL, and can't be a name.",
        "if" | "then" | "else" => {
            "`if a then b else c` is `c` when `a` is 0, and `b` otherwise. There is always an `else`, and it ends before `;`."
        }
        "split" | "of" if language == Language::Rcl => {
            "`split l of fn h => fn t => a else b` is `a`, with the halves of the pair `l` (of a list: its first element, and the rest), or `b` when `l` is no pair."
        }
        "do" => "`do a` asks the game for the action `a`, and is its answer.",
        "spawn" if language == Language::Cl => {
            "`spawn e` makes a new thread, a new bot, that runs `e`. It is the bot's number, or 0 when there can't be one."
        }
        "spawn" => {
            "`spawn e` makes a new thread, a new robot, that runs `e` applied to its parent's number. It is the new one's number, or 0 when there can't be one."
        }
        "lref" => {
            "`lref v` makes a cell that holds `v` and that only this thread may use. `!c` is what `c` holds, `c := v` replaces it."
        }
        "gref" => {
            "`gref v` makes a cell that holds `v` and that all threads of the team may use. `!c` is what `c` holds, `c := v` replaces it."
        }
        "acquire" => "`acquire c` takes the lock of the cell `c`, and waits while another thread has it.",
        "release" => {
            "`release c` gives the lock of the cell `c` back; the thread that has waited longest gets it."
        }
        "typeof" if language == Language::Cl => {
            "`typeof v` is 0 for an integer, 1 for a function, 2 for an array, 3 for a cell."
        }
        "typeof" => "`typeof v` is 0 for an integer, 1 for a function, 2 for a pair, 3 for a cell.",
        "rand" => "`rand n` is a random integer from 0 to `n - 1`.",
        "mod" => "`a mod b` is the remainder of `a / b`, with the sign of `b`: `~7 mod 2` is 1.",
        "div" => "`a div b` is `a / b`: it rounds down.",
        _ => return None,
    })
}
