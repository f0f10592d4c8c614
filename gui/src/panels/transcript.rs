//! Transcript: the match in words for screen readers, as AccessKit nodes without size: a log of the last lines, and the
//! state.
//!
//! The page has the same texts in its own log (`gui/web/page.js`).

use std::collections::VecDeque;

use eframe::egui::accesskit::{Live, Role};
use eframe::egui::{Id, Rect, Ui, UiBuilder, Vec2};
use grandstand_story::narration::Narration;

/// Number of lines kept. Older ones come back with a seek.
const LINES: usize = 60;

/// The lines of the log.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    lines: VecDeque<Told>,
    /// Number of lines so far; identifies the next one.
    count: u64,
}

#[derive(Debug)]
struct Told {
    number: u64,
    text: String,
    /// Whether the line is announced. After a jump, the lines before the new moment are not.
    aloud: bool,
}

impl Transcript {
    /// Adds new lines.
    pub(crate) fn take(&mut self, narration: Narration) {
        if narration.fresh {
            self.lines.clear();
        }
        for line in narration.lines {
            self.lines.push_back(Told { number: self.count, text: line.text, aloud: !narration.fresh });
            self.count += 1;
        }
        self.lines.drain(..self.lines.len().saturating_sub(LINES));
    }

    /// Puts the state (`summary`) and the lines into the accessibility tree, at the upper left of the free area.
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
            // Ids are reused long after their lines have gone.
            let place = line.number % (2 * LINES as u64);
            node(&mut inside, log.with(place), Role::ListItem, &line.text, live);
        }
    }
}
