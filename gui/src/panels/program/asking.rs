//! Questions of the panel to the machine, and the handling of their answers.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::steps::Unit;
use super::told::{Found, Heat, Present, Rows, View};
use super::{ProgramPanel, Section};
use crate::session::Session;

/// Questions without an answer yet.
#[derive(Debug, Default)]
pub(super) struct Asking {
    last: u64,
    open: BTreeMap<u64, Kind>,
    /// The id of the long question under way (a search, print or heat map), and its progress from 0 to 1.
    long: Option<(u64, f32)>,
}

/// Kind of a question, which decides how its answer is read.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Match,
    Played,
    /// The bots after a command. `follow`: the source view goes to that moment too.
    Present {
        follow: bool,
    },
    At,
    Step,
    Find,
    /// The values of an expression at a line.
    Print {
        file: String,
        line: u32,
    },
    /// The heat map of all lines, or of one.
    Heat {
        of: Option<(usize, String, u32)>,
    },
}

impl Kind {
    /// Whether the question plays the match once more, with progress.
    fn is_long(&self) -> bool {
        matches!(self, Kind::Find | Kind::Print { .. } | Kind::Heat { .. })
    }
}

/// A message of the machine: an answer, an error, or progress.
#[derive(Debug, Deserialize)]
struct Told {
    id: Option<u64>,
    answer: Option<Value>,
    error: Option<String>,
    progress: Option<f32>,
}

impl Asking {
    /// Progress of the long question, from 0 to 1; `None` without one.
    pub(super) fn progress(&self) -> Option<f32> {
        self.long.map(|(_, progress)| progress)
    }

    fn is_open(&self, is_meant: impl Fn(&Kind) -> bool) -> bool {
        self.open.values().any(is_meant)
    }
}

impl ProgramPanel {
    fn ask(&mut self, kind: Kind, mut question: Value) {
        let Some(link) = &self.link else { return };
        self.asking.last += 1;
        let id = self.asking.last;
        question["id"] = id.into();
        link.ask(question.to_string());
        let is_long = kind.is_long();
        self.asking.open.insert(id, kind);
        if is_long {
            self.cancel();
            self.nothing = None;
            self.asking.long = Some((id, 0.0));
        }
    }

    pub(super) fn ask_facts(&mut self) {
        self.ask(Kind::Match, json!({ "ask": "match" }));
        self.ask(Kind::Played, json!({ "ask": "played" }));
    }

    /// Asks for the chosen bot at the cycle of the picture.
    pub(super) fn ask_at(&mut self) {
        if let (Some(bot), Some(present)) = (self.bot, &self.present) {
            // The view's own cycle is more exact than the command's, while the picture is still at the view's command.
            let cycle = match &self.view {
                Some(view) if Some(view.seq) == self.seq => view.cycle,
                _ => present.cycle,
            };
            self.ask(Kind::At, json!({ "ask": "at", "bot": bot, "cycle": cycle, "within": 0 }));
        }
    }

    /// Asks for a bot at a cycle, and moves the picture there.
    pub(super) fn go_to(&mut self, bot: u32, cycle: u64) {
        self.bot = Some(bot);
        self.ask(Kind::Step, json!({ "ask": "at", "bot": bot, "cycle": cycle, "within": 0 }));
    }

    pub(super) fn step(&mut self, unit: Unit, back: bool) {
        self.nothing = None;
        if let Some(view) = &self.view
            && !self.asking.is_open(|kind| *kind == Kind::Step)
        {
            let question = json!({
                "ask": "step", "bot": view.bot, "cycle": view.cycle, "within": view.within,
                "by": unit.key(), "back": back,
            });
            self.ask(Kind::Step, question);
        }
    }

    /// Searches from the moment that is shown.
    pub(super) fn find(&mut self, what: Value, back: bool) {
        let (cycle, within) = match (&self.view, &self.present) {
            (Some(view), _) => (view.cycle, view.within),
            (None, Some(present)) => (present.cycle, 0),
            (None, None) => return,
        };
        let question = json!({ "ask": "find", "cycle": cycle, "within": within, "back": back, "what": what });
        self.ask(Kind::Find, question);
    }

    pub(super) fn ask_print(&mut self, file: &str, line: u32, expression: &str, bot: Option<u32>) {
        let question =
            json!({ "ask": "print", "file": file, "line": line, "expression": expression, "bot": bot });
        self.ask(Kind::Print { file: file.to_owned(), line }, question);
    }

    /// Asks for the heat map of all lines, or of one line: the side, the file and the line.
    pub(super) fn ask_heat(&mut self, of: Option<(usize, String, u32)>) {
        let line = of.as_ref().map(|(side, file, line)| json!({ "side": side, "file": file, "line": line }));
        self.ask(Kind::Heat { of }, json!({ "ask": "heat", "of": line }));
    }

    /// Cancels the long question.
    pub(super) fn cancel(&mut self) {
        if let (Some((id, _)), Some(link)) = (self.asking.long.take(), &self.link) {
            link.ask(json!({ "ask": "cancel", "id": id }).to_string());
            self.asking.open.remove(&id);
        }
    }

    /// Asks for the bots of the picture's command after the picture was moved by anything but the panel.
    pub(super) fn follow(&mut self, session: &Session) {
        let seq = session.seq();
        if self.seq != Some(seq) && !self.asking.is_open(|kind| matches!(kind, Kind::Present { .. })) {
            self.seq = Some(seq);
            self.ask(Kind::Present { follow: true }, json!({ "ask": "moment", "seq": seq }));
        }
    }

    /// Takes the answers that have come.
    pub(super) fn take(&mut self, session: &Session) {
        while let Some(told) = self.link.as_mut().and_then(super::Link::next) {
            let text = match told {
                super::link::Told::Answer(text) => text,
                super::link::Told::Broken(words) => {
                    self.give_up(words);
                    return;
                }
            };
            let Ok(told) = serde_json::from_str::<Told>(&text) else { continue };
            let Some(id) = told.id else { continue };
            if let Some(progress) = told.progress {
                match self.asking.open.get(&id) {
                    Some(Kind::Played) => self.playing = progress,
                    Some(_) if self.asking.long.is_some_and(|(long, _)| long == id) => {
                        self.asking.long = Some((id, progress));
                    }
                    _ => {}
                }
                continue;
            }
            let Some(kind) = self.asking.open.remove(&id) else { continue };
            self.asking.long.take_if(|(long, _)| *long == id);
            match (told.answer, told.error) {
                (Some(answer), _) => self.answered(kind, answer, session),
                (None, error) => self.failed(kind, error.unwrap_or_default()),
            }
        }
    }

    fn answered(&mut self, kind: Kind, answer: Value, session: &Session) {
        match kind {
            Kind::Match => self.facts = read(answer),
            Kind::Played => self.played = read(answer),
            Kind::Present { follow } => {
                self.present = read::<Present>(answer);
                self.first_bot();
                if follow && self.view.as_ref().is_none_or(|view| Some(view.seq) != self.seq) {
                    self.ask_at();
                }
            }
            Kind::At => self.show_view(read(answer)),
            Kind::Step | Kind::Find => {
                let view = match answer.get("found") {
                    Some(_) => read::<Found>(answer).and_then(|found| found.found),
                    None => read(answer),
                };
                match view {
                    Some(view) => {
                        self.bot = Some(view.bot);
                        self.go_with(&view, session);
                        self.show_view(Some(view));
                    }
                    None if kind == Kind::Find => self.nothing = Some("Nothing found that way.".to_owned()),
                    None => self.nothing = Some("No further step that way.".to_owned()),
                }
            }
            Kind::Print { file, line } => {
                if let Some(rows) = read::<Rows>(answer) {
                    self.print.take((file, line), rows);
                }
            }
            Kind::Heat { of } => {
                (self.heat.heat, self.heat.of) = (read::<Heat>(answer), of);
                self.section = Section::Heat;
            }
        }
    }

    fn failed(&mut self, kind: Kind, error: String) {
        match kind {
            Kind::Match | Kind::Played => self.give_up(error),
            Kind::Present { .. } | Kind::At => {
                self.absent = Some(error);
                self.before = None;
            }
            Kind::Step | Kind::Find | Kind::Print { .. } | Kind::Heat { .. } => self.nothing = Some(error),
        }
    }

    /// Moves the picture to the command of a view.
    fn go_with(&mut self, view: &View, session: &Session) {
        self.seq = Some(view.seq);
        if session.seq() != view.seq || session.is_running() {
            self.request.seq = Some(view.seq);
        }
        self.ask(Kind::Present { follow: false }, json!({ "ask": "moment", "seq": view.seq }));
    }

    fn show_view(&mut self, view: Option<Box<View>>) {
        let Some(view) = view else { return };
        self.absent = None;
        self.call = 0;
        let before = self.view.replace(view);
        self.before = before.filter(|before| Some(before.bot) == self.bot);
    }

    /// Chooses the first bot of a side with a program, if none is chosen.
    fn first_bot(&mut self) {
        let (Some(facts), Some(present), None) = (&self.facts, &self.present, self.bot) else { return };
        let has_program = |side: usize| !facts.sides[side].files.is_empty();
        let first = present.bots.iter().find(|here| has_program(here.side));
        self.bot = first.map(|here| here.bot);
    }
}

fn read<T: DeserializeOwned>(answer: Value) -> Option<T> {
    serde_json::from_value(answer).ok()
}
