//! Questions of the panel to the machine, and the handling of their answers.

use std::collections::BTreeMap;

use grandstand_protocol::insight::{
    BotAnswer, BotState, Found, NumberedQuestion, Question, Reply, ReplyContent, SideLine, StepUnit, Target,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::link::LinkMessage;
use super::{ProgramPanel, Section};
use crate::session::Session;

/// Questions without an answer yet.
#[derive(Debug, Default)]
pub(super) struct Asking {
    last: u64,
    open: BTreeMap<u64, Asked>,
    /// The id of the long question under way (a search, print or heat map), and its progress from 0 to 1.
    long: Option<(u64, f32)>,
}

/// A question without an answer yet.
#[derive(Debug)]
struct Asked {
    question: Question,
    /// With the answer the picture goes to the bot's moment, or the source view to the picture's.
    follow: bool,
}

impl Asked {
    /// Whether the question plays the match once more, with progress.
    fn is_long(&self) -> bool {
        matches!(self.question, Question::Find { .. } | Question::Print { .. } | Question::Heat { .. })
    }

    /// Whether the picture goes to the moment that the answer is about.
    fn moves_picture(&self) -> bool {
        matches!(self.question, Question::Step { .. } | Question::Find { .. })
            || self.follow && matches!(self.question, Question::At { .. })
    }
}

impl Asking {
    /// Progress of the long question, from 0 to 1; `None` without one.
    pub(super) fn progress(&self) -> Option<f32> {
        self.long.map(|(_, progress)| progress)
    }

    fn is_open(&self, is_meant: impl Fn(&Asked) -> bool) -> bool {
        self.open.values().any(is_meant)
    }
}

impl ProgramPanel {
    fn ask(&mut self, question: Question, follow: bool) {
        let Some(link) = &self.link else { return };
        self.asking.last += 1;
        let id = self.asking.last;
        link.ask(text(id, question.clone()));
        let asked = Asked { question, follow };
        let is_long = asked.is_long();
        self.asking.open.insert(id, asked);
        if is_long {
            self.cancel();
            self.nothing = None;
            self.asking.long = Some((id, 0.0));
        }
    }

    pub(super) fn ask_facts(&mut self) {
        self.ask(Question::Match, false);
        self.ask(Question::Played, false);
        self.ask(Question::Report, false);
    }

    /// Asks for the chosen bot at the cycle of the picture.
    pub(super) fn ask_at(&mut self) {
        if let (Some(bot), Some(present)) = (self.bot, &self.present) {
            // The view's own cycle is more exact than the command's, while the picture is still at the view's command.
            let cycle = match &self.view {
                Some(view) if Some(view.seq) == self.seq => view.state.cycle,
                _ => present.cycle,
            };
            self.ask(Question::At { bot, cycle, within: 0 }, false);
        }
    }

    /// Asks for a bot at a cycle, and moves the picture there.
    pub(super) fn go_to(&mut self, bot: u32, cycle: u64) {
        self.bot = Some(bot);
        self.ask(Question::At { bot, cycle, within: 0 }, true);
    }

    pub(super) fn step(&mut self, by: StepUnit, back: bool) {
        self.nothing = None;
        if let Some(view) = &self.view
            && !self.asking.is_open(|asked| asked.moves_picture() && !asked.is_long())
        {
            let &BotState { bot, cycle, within, .. } = &view.state;
            self.leave_why();
            self.ask(Question::Step { bot, cycle, within, by, back }, true);
        }
    }

    /// Searches from the moment that is shown.
    pub(super) fn find(&mut self, what: Target, back: bool) {
        let (cycle, within) = match (&self.view, &self.present) {
            (Some(view), _) => (view.state.cycle, view.state.within),
            (None, Some(present)) => (present.cycle, 0),
            (None, None) => return,
        };
        self.ask(Question::Find { cycle, within, back, what }, true);
    }

    /// Asks for the values of an expression at a line.
    pub(super) fn ask_print(&mut self, file: String, line: u32, expression: String, bot: Option<u32>) {
        self.ask(Question::Print { file, line, expression, bot }, false);
    }

    /// Asks for the heat map of all lines, or of one line.
    pub(super) fn ask_heat(&mut self, of: Option<SideLine>) {
        self.ask(Question::Heat { of }, false);
    }

    /// Cancels the long question.
    pub(super) fn cancel(&mut self) {
        if let (Some((id, _)), Some(link)) = (self.asking.long.take(), &self.link) {
            link.ask(text(id, Question::Cancel));
            self.asking.open.remove(&id);
        }
    }

    /// Asks for the bots of the picture's command after the picture was moved by anything but the panel.
    pub(super) fn follow(&mut self, session: &Session) {
        let seq = session.seq();
        if self.seq != Some(seq)
            && !self.asking.is_open(|asked| matches!(asked.question, Question::Moment { .. }))
        {
            self.seq = Some(seq);
            self.ask(Question::Moment { seq }, true);
        }
    }

    /// Takes the answers that have come.
    pub(super) fn take(&mut self, session: &Session) {
        while let Some(message) = self.link.as_mut().and_then(super::Link::next) {
            let text = match message {
                LinkMessage::Answer(text) => text,
                LinkMessage::Broken(words) => {
                    self.give_up(words);
                    return;
                }
            };
            let Ok(Reply { id: Some(id), content }) = serde_json::from_str::<Reply>(&text) else { continue };
            if let ReplyContent::Progress(progress) = content {
                match self.asking.open.get(&id) {
                    Some(Asked { question: Question::Played, .. }) => self.playing = progress,
                    Some(_) if self.asking.long.is_some_and(|(long, _)| long == id) => {
                        self.asking.long = Some((id, progress));
                    }
                    _ => {}
                }
                continue;
            }
            let Some(asked) = self.asking.open.remove(&id) else { continue };
            self.asking.long.take_if(|(long, _)| *long == id);
            match content {
                ReplyContent::Answer(answer) => self.answered(asked, answer, session),
                ReplyContent::Error(error) => self.failed(&asked, error),
                ReplyContent::Progress(_) => {}
            }
        }
    }

    fn answered(&mut self, asked: Asked, answer: Value, session: &Session) {
        let moves_picture = asked.moves_picture();
        match asked.question {
            Question::Match => self.facts = read(answer),
            Question::Played => self.played = read(answer),
            Question::Report => self.why.report = read(answer),
            Question::Moment { .. } => {
                self.present = read(answer);
                self.first_bot();
                if asked.follow && self.view.as_ref().is_none_or(|view| Some(view.seq) != self.seq) {
                    self.ask_at();
                }
            }
            Question::At { .. } => {
                let view: Option<Box<BotAnswer>> = read(answer);
                if let Some(view) = view.as_ref().filter(|_| moves_picture) {
                    self.followed = None;
                    self.go_with(view, session);
                }
                self.show_view(view);
            }
            Question::Step { .. } | Question::Find { .. } => {
                match read::<Found>(answer).and_then(|found| found.found) {
                    Some(view) => {
                        self.followed = None;
                        self.go_with(&view, session);
                        self.show_view(Some(view));
                    }
                    None if matches!(asked.question, Question::Find { .. }) => {
                        self.nothing = Some("Nothing found that way.".to_owned());
                    }
                    None => self.nothing = Some("No further step that way.".to_owned()),
                }
            }
            Question::Print { file, line, .. } => {
                if let Some(table) = read(answer) {
                    self.print.take((file, line), table);
                }
            }
            Question::Heat { of } => {
                (self.heat.heat, self.heat.of) = (read(answer), of);
                self.section = Section::Heat;
            }
            Question::Cancel => {}
        }
    }

    fn failed(&mut self, asked: &Asked, error: String) {
        match asked.question {
            Question::Match | Question::Played => self.give_up(error),
            Question::Moment { .. } | Question::At { .. } if !asked.moves_picture() => {
                self.absent = Some(error);
                self.before = None;
            }
            _ => self.nothing = Some(error),
        }
    }

    /// Moves the picture to the command of a view.
    fn go_with(&mut self, view: &BotAnswer, session: &Session) {
        self.bot = Some(view.state.bot);
        self.seq = Some(view.seq);
        if session.seq() != view.seq || session.is_running() {
            self.request.seq = Some(view.seq);
        }
        self.ask(Question::Moment { seq: view.seq }, false);
    }

    fn show_view(&mut self, view: Option<Box<BotAnswer>>) {
        let Some(view) = view else { return };
        self.absent = None;
        self.call = 0;
        let before = self.view.replace(view);
        self.before = before.filter(|before| Some(before.state.bot) == self.bot);
    }

    /// Chooses the first bot of a side with a program, if none is chosen.
    fn first_bot(&mut self) {
        let (Some(facts), Some(present), None) = (&self.facts, &self.present, self.bot) else { return };
        let has_program = |side: usize| !facts.sides[side].files.is_empty();
        let first = present.bots.iter().find(|here| has_program(here.side));
        self.bot = first.map(|here| here.bot);
    }
}

/// A question as the link takes it.
fn text(id: u64, question: Question) -> String {
    json!(NumberedQuestion { id, question }).to_string()
}

fn read<T: DeserializeOwned>(answer: Value) -> Option<T> {
    serde_json::from_value(answer).ok()
}
