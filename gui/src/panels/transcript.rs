//! The match in words for screen readers, where there is an accessibility tree: a log of the last lines and the state.
//!
//! It is what the page keeps in its log (`gui/web/page.js`), as nodes of AccessKit. They take no room on the screen.

use std::collections::VecDeque;

use eframe::egui::accesskit::{Live, Role};
use eframe::egui::{Id, Rect, Ui, UiBuilder, Vec2};
use grandstand_story::narration::Telling;

/// How many lines are kept: those before are in the match, and a seek brings them back.
const LINES: usize = 60;

/// The lines that have been told.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    lines: VecDeque<Told>,
    /// How many lines there have been: what the next one is called.
    count: u64,
}

#[derive(Debug)]
struct Told {
    number: u64,
    text: String,
    /// Lines are read out as they come. After a jump those before the new moment are there to be looked at only.
    aloud: bool,
}

impl Transcript {
    /// Takes in what there is to tell.
    pub(crate) fn take(&mut self, telling: Telling) {
        if telling.fresh {
            self.lines.clear();
        }
        for line in telling.lines {
            self.lines.push_back(Told { number: self.count, text: line.text, aloud: !telling.fresh });
            self.count += 1;
        }
        self.lines.drain(..self.lines.len().saturating_sub(LINES));
    }

    /// Puts the state, `summary`, and the lines into the accessibility tree, at the upper left of what is free.
    pub(crate) fn show(&self, ui: &mut Ui, summary: &str) {
        let place = Rect::from_min_size(ui.max_rect().min, Vec2::ZERO);
        let node = |ui: &mut Ui, id: Id, role: Role, label: &str, live: Live| {
            let builder =
                UiBuilder::new().max_rect(place).accessibility_role(role).accessibility_label(label);
            let child = ui.new_child(builder.scope_id(id));
            ui.ctx().accesskit_node_builder(id, |node| node.set_live(live));
            child
        };
        let state = Id::unique("state in words");
        node(ui, state, Role::Status, summary, Live::Polite);
        if self.lines.is_empty() {
            return;
        }
        let log = Id::unique("match in words");
        let mut inside = node(ui, log, Role::Log, "Moves and events", Live::Polite);
        for line in &self.lines {
            let live = if line.aloud { Live::Polite } else { Live::Off };
            // A place is taken again long after its line has gone.
            let place = line.number % (2 * LINES as u64);
            node(&mut inside, log.with(place), Role::ListItem, &line.text, live);
        }
    }
}
