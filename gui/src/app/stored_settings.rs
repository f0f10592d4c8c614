//! Settings: taken from the screen, stored, and reset.

use eframe::Storage;
use eframe::egui::util::IdTypeMap;
use eframe::egui::{Context, Theme, ThemePreference};

use super::App;
use crate::address::Base;
use crate::panels::settings_dialog::{self, SettingsRequest};
use crate::session::Stage;
use crate::settings;

impl App {
    pub(super) fn next_theme(&mut self, ctx: &Context) {
        self.settings.theme = match (self.settings.theme, ctx.theme()) {
            // First to the theme that is not shown, so that the key always has a visible effect.
            (ThemePreference::System, Theme::Dark) => ThemePreference::Light,
            (ThemePreference::System, Theme::Light) => ThemePreference::Dark,
            (ThemePreference::Light, _) => ThemePreference::Dark,
            (ThemePreference::Dark, _) => ThemePreference::System,
        };
    }

    /// Applies a change of the theme at the end of a frame, so that no frame has colours of both.
    pub(super) fn apply_theme(&self, ctx: &Context) {
        if ctx.options(|options| options.theme_preference) != self.settings.theme {
            ctx.set_theme(self.settings.theme);
            ctx.request_repaint();
        }
    }

    pub(super) fn reset_settings(&mut self, ctx: &Context) {
        self.settings.reset();
        self.side_panel.arrangement = self.settings.panel;
        if let Some(session) = &mut self.session {
            self.settings.prepare(session);
        }
        // Sizes of panels, and scroll positions.
        ctx.memory_mut(|memory| memory.data = IdTypeMap::default());
        self.say(ctx, "Settings reset");
    }

    /// Shows the dialog with all settings, and applies what is chosen at once.
    pub(super) fn show_settings(&mut self, ctx: &Context) {
        if !self.settings_open {
            return;
        }
        self.note_settings();
        let before = (self.settings.sound, self.settings.spoiler_free);
        let request = settings_dialog::show(ctx, &mut self.settings);
        if let Some(session) = &mut self.session {
            self.settings.prepare(session);
        }
        if self.settings.spoiler_free != before.1
            && let Some(tournament) = &mut self.tournament
        {
            tournament.hide();
        }
        if self.settings.sound.on && self.settings.sound != before.0 {
            self.try_sound(ctx, "Sound is on");
        }
        match request {
            Some(SettingsRequest::Close) => self.settings_open = false,
            Some(SettingsRequest::Reset) => self.reset_settings(ctx),
            None => {}
        }
    }

    /// Says that this server ends with the program, so that nothing on it is added to the recent ones.
    pub fn server_is_passing(&mut self, base: Base) {
        self.passing = Some(base);
    }

    /// Adds a target that is open to the recent ones.
    fn note_recent(&mut self, target: &str, title: &str) {
        if self.passing.as_ref().is_none_or(|base| !target.starts_with(&base.to_string())) {
            self.settings.recent.note(target, title);
        }
    }

    /// Takes the state of the screen and the open target into the settings.
    fn note_settings(&mut self) {
        self.settings.panel = self.side_panel.arrangement;
        if let Some(session) = &self.session {
            self.settings.note(session);
            if session.bookmarks().version() != self.noted_bookmarks {
                self.noted_bookmarks = session.bookmarks().version();
                self.settings.bookmarks.keep(&session.target, session.bookmarks());
            }
            if !self.in_recents && matches!(session.stage, Stage::Open) {
                self.in_recents = true;
                if let Some(target) = settings::remembered(&session.target) {
                    let title = session.title();
                    self.note_recent(&target, &title);
                }
            }
        } else if let Some(server) = self.match_list.server.answering() {
            let server = server.to_string();
            self.note_recent(&server, "");
        } else if let Some(folder) =
            self.match_list.shown_folder().and_then(|folder| settings::remembered(&folder))
        {
            self.settings.recent.note(&folder, "");
        }
    }

    /// Stores changes at once: neither a browser nor the system announces the end reliably.
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
        // A frame in another page must not change the settings of the page itself.
        if !self.embedded {
            self.settings.save(storage);
        }
        self.saved = self.settings.clone();
    }
}
