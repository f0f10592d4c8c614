//! Script that answers the actions of a program without a match.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use grandstand_languages::{
    self as languages, Cause, Datum, Language, Limits, Machine, MemoryFiles, NoWorld,
};
use grandstand_matches::machine::{GameWorld, request_text};
use grandstand_matches::programs::shipped;
use grandstand_rules::{abalone, shark};

/// Maximum size of a script in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Maximum number of steps to evaluate an answer.
const ANSWER_STEPS: u64 = 100_000;

/// The lines of a script; each answers an action.
#[derive(Debug)]
pub(super) struct Script {
    file: String,
    /// Names and numbers of the game's actions.
    names: &'static [(&'static str, i64)],
    lines: Vec<Line>,
}

/// One line: `A_LOOK 3 = (1, 4)`.
#[derive(Debug)]
struct Line {
    number: usize,
    /// The action's name, with arguments if the line has some.
    action: String,
    /// Whether it answers any number of times, if no other line does.
    always: bool,
    used: bool,
    /// The answer; `None` stops the program.
    answer: Option<Datum>,
}

/// A script's reply to an action.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    /// The value of the action.
    Value(Datum),
    /// Stop the program.
    Stop,
    /// No line matches.
    Nothing,
}

impl Script {
    /// Reads the script for a program in the given language.
    pub(super) fn read(path: &Path, language: Language) -> anyhow::Result<Self> {
        let file = path.display().to_string();
        let size = fs::metadata(path).with_context(|| format!("can't read the actions in {file}"))?.len();
        if size > MAX_BYTES {
            bail!("{file} is larger than {MAX_BYTES} bytes");
        }
        let text = fs::read_to_string(path).with_context(|| format!("can't read the actions in {file}"))?;
        Self::parse(&file, &text, language)
    }

    fn parse(file: &str, text: &str, language: Language) -> anyhow::Result<Self> {
        let names = match language {
            Language::Cl => <abalone::World as GameWorld>::ACTIONS,
            Language::Rcl => <shark::World as GameWorld>::ACTIONS,
        };
        let mut script = Self { file: file.to_owned(), names, lines: Vec::new() };
        for (index, text) in text.lines().enumerate() {
            let text = text.trim();
            if !text.is_empty() && !text.starts_with('#') {
                let line = Line::parse(index + 1, text, names, language);
                script.lines.push(line.with_context(|| format!("{file}:{}", index + 1))?);
            }
        }
        Ok(script)
    }

    /// The action as text, in the form that lines use.
    pub(super) fn words(&self, request: &Datum) -> String {
        request_text(self.names, request)
    }

    /// The reply to an action: of the first matching line that is unused, or else of the first matching `*` line.
    pub(super) fn answer(&mut self, action: &str) -> Reply {
        let fits = |line: &&mut Line| line.fits(action);
        let found = match self.lines.iter_mut().filter(fits).find(|line| !line.always && !line.used) {
            Some(line) => Some(line),
            None => self.lines.iter_mut().filter(fits).find(|line| line.always),
        };
        let Some(line) = found else { return Reply::Nothing };
        line.used = true;
        line.answer.clone().map_or(Reply::Stop, Reply::Value)
    }

    /// The unused lines, with their places.
    pub(super) fn unused(&self) -> Vec<String> {
        let unused = self.lines.iter().filter(|line| !line.used);
        unused
            .map(|line| format!("{}:{}: `{}` was never asked for", self.file, line.number, line.action))
            .collect()
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)
    }
}

impl Line {
    fn parse(number: usize, text: &str, names: &[(&str, i64)], language: Language) -> anyhow::Result<Self> {
        let (always, text) = match text.strip_prefix('*') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, text),
        };
        let (action, answer) = match split(text, |c| c == '=').next() {
            Some(action) if action.len() < text.len() => (action, Some(text[action.len() + 1..].trim())),
            _ => match text.strip_suffix("stop") {
                Some(action) => (action, None),
                None => bail!("expected `ACTION = ANSWER` or `ACTION stop`, this is `{text}`"),
            },
        };
        let words = split(action, char::is_whitespace).filter(|word| !word.is_empty());
        let action = words.collect::<Vec<_>>().join(" ");
        let name = action.split(' ').next().unwrap_or_default();
        if !names.iter().any(|(known, _)| *known == name) {
            let known: Vec<&str> = names.iter().map(|(known, _)| *known).collect();
            bail!("`{name}` is not an action; expected one of {}", known.join(", "));
        }
        let answer = answer.map(|answer| evaluate(answer, language)).transpose()?;
        Ok(Self { number, action, always, used: false, answer })
    }

    /// Whether the line matches the action: a line without arguments matches any arguments.
    fn fits(&self, action: &str) -> bool {
        let name = action.split(' ').next().unwrap_or_default();
        self.action == action || self.action == name
    }
}

/// Splits a text at characters outside of its quoted parts.
fn split(text: &str, is_separator: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |c: char| {
        let is_quote = c == '"' && !escaped;
        quoted ^= is_quote;
        escaped = quoted && c == '\\' && !escaped;
        !quoted && !is_quote && is_separator(c)
    })
}

/// Body of a fuzz target: any text is a script in which every line answers once, or is refused with its place.
pub(crate) fn fuzz(text: &str) {
    // Evaluating a line may take a while.
    let text: String = text.lines().take(8).collect::<Vec<_>>().join("\n");
    for language in [Language::Cl, Language::Rcl] {
        match Script::parse("fuzz", &text, language) {
            Ok(mut script) => {
                let actions: Vec<String> = script.lines.iter().map(|line| line.action.clone()).collect();
                for action in &actions {
                    assert_ne!(script.answer(action), Reply::Nothing, "{action}");
                }
            }
            Err(error) => assert!(format!("{error:#}").starts_with("fuzz:"), "{error:#}"),
        }
    }
}

/// Evaluates an expression.
fn evaluate(text: &str, language: Language) -> anyhow::Result<Datum> {
    // The constants of the game are available as in programs.
    let constants = match language {
        Language::Cl => "abalone/constants.ch",
        Language::Rcl => "shark/constants.rch",
    };
    let main = format!("answer.{}", language.extension());
    let files = MemoryFiles::new()
        .with(constants, shipped(constants).unwrap_or_default())
        .with(&main, format!("#include {constants}\n{text}"));
    let program = languages::load(&main, &files).map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut machine = Machine::new(Limits::default(), 0);
    let team = machine.add_team(&program);
    machine.start(team);
    let mut world = NoWorld::default();
    machine.run(ANSWER_STEPS, &mut world);
    match world.ends.into_iter().next() {
        Some((_, _, end)) => match end.cause {
            Cause::Value(value) => Ok(value),
            _ => bail!("{end}"),
        },
        None => bail!("`{text}` has no value after {ANSWER_STEPS} steps"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> anyhow::Result<Script> {
        Script::parse("a.actions", text, Language::Cl)
    }

    fn error(text: &str) -> String {
        format!("{:#}", script(text).unwrap_err())
    }

    #[test]
    fn lines_answer_in_order_and_the_starred_ones_always() {
        let mut script = script(
            "# a look\nA_LOOK 3 = (1, 4)\nA_LOOK = 7\n\n* A_LOOK = 8\n A_SCAN  stop\nA_TALK = T_EMPTY",
        )
        .unwrap();
        let mut ask = |action: &str| script.answer(action);
        let int = |value| Reply::Value(Datum::Int(value));
        assert_eq!(ask("A_LOOK 1"), int(7));
        assert_eq!(ask("A_LOOK 3"), Reply::Value(Datum::Array(vec![Datum::Int(1), Datum::Int(4)])));
        assert_eq!(ask("A_LOOK 3"), int(8));
        assert_eq!(ask("A_LOOK 2"), int(8));
        assert_eq!(ask("A_MYSTAT"), Reply::Nothing);
        assert_eq!(ask("A_SCAN"), Reply::Stop);
        assert_eq!(script.unused(), ["a.actions:7: `A_TALK` was never asked for"]);
    }

    #[test]
    fn quoted_texts_are_one_word() {
        let mut script = script(
            r#"A_TALK  "a=b" = 1
A_TALK "a  \" = b" = 2
A_TALK   3   = 4"#,
        )
        .unwrap();
        for (action, value) in [(r#"A_TALK "a=b""#, 1), (r#"A_TALK "a  \" = b""#, 2), ("A_TALK 3", 4)] {
            assert_eq!(script.answer(action), Reply::Value(Datum::Int(value)), "{action}");
        }
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        assert!(
            error("\nA_JUMP = 1")
                .starts_with("a.actions:2: `A_JUMP` is not an action; expected one of A_MYSTAT, ")
        );
        assert_eq!(
            error("A_SCAN"),
            "a.actions:1: expected `ACTION = ANSWER` or `ACTION stop`, this is `A_SCAN`"
        );
        assert!(error("A_SCAN = (1,").starts_with("a.actions:1: answer.cl:2:"), "{}", error("A_SCAN = (1,"));
        assert!(error("A_SCAN = 1 / 0").contains("division by zero"));
        assert!(error("A_SCAN = rec f in f").contains("has no value after"));
        assert!(error("=").contains("`` is not an action"));
    }
}
