//! Texts with several errors: each is reported once, and names are resolved as far as possible.

use grandstand_languages::draft::{BindingKind, Draft};
use grandstand_languages::{Language, LoadError, MemoryFiles, load};

fn draft(text: &str) -> Draft {
    Language::Cl.draft("a.cl", &MemoryFiles::new().with("a.cl", text)).expect("it is text")
}

/// The problems of a text, each with its line and column.
fn problems(text: &str) -> Vec<String> {
    told(&draft(text))
}

fn told(draft: &Draft) -> Vec<String> {
    let line = |error: &LoadError| error.to_string().lines().next().expect("a message has a line").to_owned();
    draft.problems().iter().map(|problem| line(&problem.error)).collect()
}

/// The bindings of a text's names: `name@line` for a bound name, `name?` for an unbound one.
fn meanings(text: &str) -> Vec<String> {
    let draft = draft(text);
    let uses = draft.names().into_iter().filter(|name| !name.binds && name.expr.is_some());
    uses.map(|name| {
        let shown = draft.module().name(name.name).to_owned();
        name.binding.map_or(format!("{shown}?"), |binding| {
            let place = draft.sources().place(draft.place_of(&draft.bindings()[binding]));
            format!("{shown}@{}", place.line)
        })
    })
    .collect()
}

#[test]
fn each_mistake_is_told_once() {
    assert_eq!(
        problems(
            "let f = fn x =>\n  let y = x + * 2 in\n  do (1, );\n  y\nin\nlet g = fn x =>\n  if x then 2\nin\nf (g 1"
        ),
        [
            "a.cl:2:15: expected an expression, found `*`",
            "a.cl:3:10: expected an expression, found `)`: the `(` of 3:6 is not closed",
            "a.cl:8:1: expected `else`, found the keyword `in`: the `if` of 7:3 has no `else`",
            "a.cl:9:7: expected an operator, `,`, `;` or `)`, found the end of the program: the `(` of 9:3 is not closed",
        ]
    );
}

#[test]
fn a_let_without_its_in_does_not_hide_what_follows() {
    let text = "let one = 1\nlet two = one + 1\nlet three = two + one in\nthree + none";
    assert_eq!(
        problems(text),
        [
            "a.cl:2:1: expected `in`, found the keyword `let`: the `let` of 1:1 has no `in`",
            "a.cl:3:1: expected `in`, found the keyword `let`: the `let` of 2:1 has no `in`",
        ]
    );
    assert_eq!(meanings(text), ["one@1", "two@2", "one@1", "three@3", "none?"]);
    // The same for a `let` that is nested in another.
    let text = "let f = fn x =>\n  let y = x + 1\n  let z = y * in\n  z\nin\nlet g = f 1 in g";
    assert_eq!(
        problems(text),
        [
            "a.cl:3:3: expected `in`, found the keyword `let`: the `let` of 2:3 has no `in`",
            "a.cl:3:15: expected an expression, found the keyword `in`: the `let` of 3:3 has no `in`",
        ]
    );
    assert_eq!(meanings(text), ["x@1", "y@2", "z@3", "f@1", "g@6"]);
}

#[test]
fn an_expression_that_breaks_off_ends_with_its_definition() {
    let text = "let f = fn x =>\n  let y = x + *\n  y\nin\nlet g = f 1 in g";
    assert_eq!(problems(text).len(), 1, "{:?}", problems(text));
    assert_eq!(meanings(text), ["x@1", "y@2", "f@1", "g@5"]);
}

#[test]
fn parameters_before_the_sign_are_names_of_the_body() {
    let text = "let f x y = x + y in f 1 2";
    assert_eq!(
        problems(text),
        ["a.cl:1:7: expected `=`, found the name `x` (a function is written `let f = fn x => …`)"]
    );
    assert_eq!(meanings(text), ["x@1", "y@1", "f@1"]);
    assert_eq!(meanings("let f = fn x y => x + y in f"), ["x@1", "y@1", "f@1"]);
}

#[test]
fn signs_that_mean_nothing_are_told_and_left_out() {
    assert_eq!(
        problems("let a = 5 % 2 in\nlet b = a && 99999999999999999999 in\nlet c = \"tall in\nb + c"),
        [
            "a.cl:1:11: `%` has no meaning here (the remainder is `mod`)",
            "a.cl:2:11: `&` has no meaning here (`a` and `b` is written `if a then b else 0`)",
            "a.cl:2:14: this number does not fit in 64 bits",
            "a.cl:3:9: this text is not closed on its line",
            "a.cl:4:6: expected `in`, found the end of the program: the `let` of 3:1 has no `in`",
        ]
    );
    assert_eq!(problems("let a = (1 in\n(* never closed\na").len(), 2, "what follows is in the comment");
}

#[test]
fn what_belongs_to_nothing_is_left_out() {
    let text = "let a = 1 in a) + a in\nlet b = 2 in a + b";
    assert_eq!(
        problems(text),
        [
            "a.cl:1:15: expected an operator, `;` or the end of the program, found `)`, and nothing is open that it could belong to",
        ]
    );
    assert_eq!(meanings(text).last().map(String::as_str), Some("b@2"));
}

#[test]
fn what_is_wrong_in_an_included_file_is_known_with_its_include() {
    let files = MemoryFiles::new()
        .with("a.cl", "let x = 1 in\n#include good.ch\n#include none.ch\nx + * 2")
        .with("good.ch", "let a = 1 in\n#include bad.ch\n")
        .with("bad.ch", "let b = 1 + in\nlet c = 2 % 3 in\n");
    let draft = Language::Cl.draft("a.cl", &files).expect("it is text");
    assert_eq!(
        told(&draft),
        [
            "bad.ch:2:11: `%` has no meaning here (the remainder is `mod`)",
            "a.cl:3:1: can't include `none.ch`: there is no such file",
            "bad.ch:1:13: expected an expression, found the keyword `in`: the `let` of 1:1 has no `in`",
            "a.cl:4:5: expected an expression, found `*`",
        ]
    );
    let lines = draft
        .problems()
        .iter()
        .map(|problem| problem.include.map(|include| draft.sources().place(include).line));
    assert_eq!(lines.collect::<Vec<_>>(), [Some(2), None, Some(2), None]);
    assert_eq!(load("a.cl", &files).expect_err("it does not load"), draft.problems()[0].error);
    assert_eq!(draft.includes().iter().filter(|include| include.file.is_some()).count(), 2);
}

#[test]
fn a_limit_ends_the_reading() {
    let deep = format!("let a = 1 + in {}a{}", "(".repeat(200), ")".repeat(200));
    let problems = problems(&deep);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[1].contains("a nesting of expressions of more than 128"), "{problems:?}");
    // At most a hundred problems are reported.
    assert_eq!(draft(&"let = in\n".repeat(1000)).problems().len(), 100);
}

#[test]
fn names_that_hide_others_mean_the_innermost() {
    let text = "let a = 1 in\nlet f = rec f in fn a =>\n  let a = a in f a\nin\nf a";
    assert_eq!(meanings(text), ["a@2", "f@2", "a@3", "f@2", "a@1"]);
    let draft = draft(text);
    let scope = |at: &str| -> Vec<String> {
        let offset = text.find(at).expect("it is there") as u32;
        let names = draft.in_scope(offset + 1).into_iter();
        names.map(|binding| draft.module().name(draft.bindings()[binding].name).to_owned()).collect()
    };
    assert_eq!(scope("f a\nin"), ["a", "f"]);
    assert_eq!(scope("1 in"), Vec::<String>::new());
    assert_eq!(scope("f a"), ["a", "f"]);
}

/// After a `let` without its `in` the parser goes on as if it were there.
#[test]
fn a_name_that_is_being_written_means_what_it_means_there() {
    let text = "let f = fn f => f\nlet";
    let draft = draft(text);
    let kinds = draft.in_scope(17).into_iter().map(|binding| draft.bindings()[binding].kind);
    assert_eq!(kinds.collect::<Vec<_>>(), [BindingKind::Fn]);
}

#[test]
fn comments_are_kept() {
    let text = "(* one *) let a = 1 in (* two (* three *) *)\n\"(* none *)\"; a";
    let draft = draft(text);
    let comments: Vec<&str> = draft.comments().iter().map(|span| draft.sources().text(*span)).collect();
    assert_eq!(comments, ["(* one *)", "(* two (* three *) *)"]);
}
