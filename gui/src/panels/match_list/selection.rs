//! Selection of rows for a wall or a comparison.

use eframe::egui::{Button, Ui};
use grandstand_story::format;

use crate::actions::Action;
use crate::address::Target;
use crate::icons::Icon;
use crate::panels::wall::TILES_MAX;
use crate::widgets::{IconButton, add_enabled};

/// The selected targets; `Some` while the viewer selects.
#[derive(Debug, Default)]
pub(super) struct Selection(Option<Vec<Target>>);

impl Selection {
    /// Starts a selection, with `first` in it.
    pub(super) fn begin(&mut self, first: Option<Target>) {
        self.0 = Some(first.into_iter().filter(Target::has_board).collect());
    }

    /// The selected targets.
    pub(super) fn targets(&self) -> &[Target] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether the viewer selects.
    pub(super) fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a target is selected; `None` without a selection, and for a target without a board.
    pub(super) fn contains(&self, target: &Target) -> Option<bool> {
        self.0.as_ref().filter(|_| target.has_board()).map(|selected| selected.contains(target))
    }

    /// Handles a press on a row: adds its target to the selection or removes it, or returns it to be opened.
    pub(super) fn press(&mut self, target: Target) -> Option<Target> {
        let Some(selected) = self.0.as_mut().filter(|_| target.has_board()) else { return Some(target) };
        match selected.iter().position(|other| *other == target) {
            Some(index) => drop(selected.remove(index)),
            None if selected.len() < TILES_MAX => selected.push(target),
            None => {}
        }
        None
    }

    /// Shows the button that begins a selection, or ends it, for a bar without room for words.
    pub(super) fn show_switch(&mut self, ui: &mut Ui) {
        let name = if self.is_open() { "End the selection" } else { "Select…" };
        if ui.add(IconButton::plain(Icon::Select, name).selected(self.is_open())).clicked() {
            match self.is_open() {
                true => self.0 = None,
                false => self.begin(None),
            }
        }
    }

    /// Shows the buttons; returns the target to open. `files` are the shown recordings of the folder.
    pub(super) fn show(&mut self, ui: &mut Ui, files: impl Iterator<Item = Target>) -> Option<Target> {
        let mut wanted = None;
        let Some(selected) = &mut self.0 else {
            let tip = "Matches and recordings to see side by side";
            if ui.button("Select…").on_hover_text(tip).clicked() {
                self.begin(None);
            }
            return None;
        };
        let boards = format::count(selected.len() as u64, "board", "boards");
        if add_enabled(ui, !selected.is_empty(), Button::new(format!("Wall of {boards}"))).clicked() {
            wanted = Some(Target::Wall(std::mem::take(selected)));
        }
        if let [a, b] = selected.as_slice()
            && ui.button("Compare these two").on_hover_text(Action::Compare.tooltip()).clicked()
        {
            wanted = Some(Target::from([a.clone(), b.clone()]));
        }
        let mut files = files.peekable();
        if files.peek().is_some() && ui.button("All recordings of the folder").clicked() {
            for file in files {
                if selected.len() < TILES_MAX && !selected.contains(&file) {
                    selected.push(file);
                }
            }
        }
        if ui.button("Cancel").clicked() || wanted.is_some() {
            self.0 = None;
        } else if selected.is_empty() {
            ui.weak(format!("Up to {TILES_MAX} of the list."));
        } else if selected.len() == 1 {
            ui.weak("Select another to compare.");
        }
        wanted
    }
}
