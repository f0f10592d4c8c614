//! Settings taken from the parts of the screen, kept in the store, and as at the first start again.

use eframe::Storage;
use eframe::egui::util::IdTypeMap;
use eframe::egui::{Context, Theme, ThemePreference};

use super::App;
use crate::session::Stage;
use crate::settings;

impl App {
    pub(super) fn next_theme(&mut self, ctx: &Context) {
        self.settings.theme = match (self.settings.theme, ctx.theme()) {
            // From what is shown to the other one first, so that the key always shows an effect.
            (ThemePreference::System, Theme::Dark) => ThemePreference::Light,
            (ThemePreference::System, Theme::Light) => ThemePreference::Dark,
            (ThemePreference::Light, _) => ThemePreference::Dark,
            (ThemePreference::Dark, _) => ThemePreference::System,
        };
        ctx.set_theme(self.settings.theme);
        // What was laid out before the key was taken has the old colours still.
        ctx.request_repaint();
    }

    pub(super) fn reset_settings(&mut self, ctx: &Context) {
        self.settings.reset();
        self.side_panel.arrangement = self.settings.panel;
        if let Some(session) = &mut self.session {
            self.settings.prepare(session);
        }
        ctx.set_theme(self.settings.theme);
        // The sizes of panels, and how far lists are scrolled.
        ctx.memory_mut(|memory| memory.data = IdTypeMap::default());
        self.say(ctx, "Settings are as at the first start");
    }

    /// Takes note of how the parts of the screen are set, and of what is open.
    fn note_settings(&mut self) {
        self.settings.panel = self.side_panel.arrangement;
        if let Some(session) = &self.session {
            self.settings.note(session);
            if session.bookmarks().version() != self.noted_bookmarks {
                self.noted_bookmarks = session.bookmarks().version();
                self.settings.bookmarks.keep(&session.target, session.bookmarks());
            }
            if !self.noted && matches!(session.stage, Stage::Open) {
                self.noted = true;
                if let Some(target) = settings::remembered(&session.target) {
                    self.settings.recent.note(&target, &session.about.title);
                }
            }
        } else if let Some(server) = self.match_list.answering() {
            self.settings.recent.note(&server.to_string(), "");
        } else if let Some(folder) =
            self.match_list.shown_folder().and_then(|folder| settings::remembered(&folder))
        {
            self.settings.recent.note(&folder, "");
        }
    }

    /// Stores what has changed, at once: a browser doesn't say when its page goes, a system not when it stops.
    pub(super) fn keep_settings(&mut self, frame: &mut eframe::Frame) {
        self.note_settings();
        if self.settings != self.saved
            && let Some(storage) = frame.storage_mut()
        {
            self.save_settings(storage);
            storage.flush();
        }
    }

    pub(super) fn save_settings(&mut self, storage: &mut dyn Storage) {
        self.note_settings();
        // A frame in another page changes nothing for the page itself.
        if !self.bare {
            self.settings.save(storage);
        }
        self.saved = self.settings.clone();
    }
}
