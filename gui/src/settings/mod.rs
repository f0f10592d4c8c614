//! Settings that the spectator keeps from one start to the next, and where they are kept.
//!
//! Natively it is a file of the user's, in a page the browser's store for the page's address; eframe reads and writes
//! both (see [`eframe::Storage`]), and keeps the window's place and the sizes of panels beside it. Where there is no
//! store, as in tests, everything is as at the first start and nothing is written.
//!
//! A field that is new needs a default and no more: what was written before it existed is read all the same. A value
//! that can't be read is as at the first start, and the others stay.

mod kept_bookmarks;
mod recent;
mod watched;

use eframe::Storage;
use eframe::egui::ThemePreference;
use grandstand_board::Options;
use grandstand_replays::Speed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::panels::side_panel::SidePanelState;
use crate::session::ChosenLanes;
use crate::session::{IDLE_AMOUNT, IDLE_AMOUNTS, Session};
use crate::sound;

pub(crate) use kept_bookmarks::KeptBookmarks;
pub(crate) use recent::{Recent, Recents, remembered};
pub(crate) use watched::{Watched, WatchedGames};

/// The name of the settings in the store.
pub(crate) const KEY: &str = "settings";
/// Raised when a field gets another meaning.
const VERSION: u32 = 1;
/// How far the viewer can enlarge and shrink everything.
pub(crate) const ZOOMS: std::ops::RangeInclusive<f32> = 0.6..=3.0;

/// Everything that is remembered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    version: u32,
    pub theme: ThemePreference,
    /// The viewer's own enlargement, on top of what suits the window.
    pub zoom: f32,
    /// What is seen on boards.
    pub board: Options,
    /// The panel beside the board.
    pub panel: SidePanelState,
    /// How fast a recording is played.
    pub speed: Speed,
    /// Whether stretches where nothing happens are jumped over.
    pub skip_idle: bool,
    /// How much of such a stretch is played, in milliseconds.
    pub idle_millis: u32,
    /// Whether the picture stops at every moment that is shown.
    pub stops_at_markers: bool,
    /// The lanes under the timeline.
    pub lanes: ChosenLanes,
    /// Whether results, lengths and what comes are hidden.
    pub spoiler_free: bool,
    /// The folder into which pictures are exported; empty for the usual one.
    pub export_folder: String,
    /// Whether what happens is heard, and how loud.
    pub sound: sound::SoundSettings,
    /// Recordings and servers that were open, the last one first.
    pub recent: Recents,
    /// What the viewer is called as a player; may be empty.
    pub player_name: String,
    /// What the viewer marked in them.
    pub bookmarks: KeptBookmarks,
    /// Games of tournaments that were watched.
    pub watched: Watched,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            version: VERSION,
            theme: ThemePreference::System,
            zoom: 1.0,
            board: Options::default(),
            panel: SidePanelState::default(),
            speed: Speed::X1,
            skip_idle: false,
            idle_millis: (IDLE_AMOUNT.0 / 1000) as u32,
            stops_at_markers: false,
            lanes: ChosenLanes::default(),
            spoiler_free: false,
            export_folder: String::new(),
            sound: sound::SoundSettings::default(),
            recent: Recents::default(),
            player_name: String::new(),
            bookmarks: KeptBookmarks::default(),
            watched: Watched::default(),
        }
    }
}

impl Settings {
    /// As at the first start, but for what is no setting: the list of what was open, each of whose lines can be taken away by itself, the
    /// bookmarks, and what was watched.
    pub(crate) fn reset(&mut self) {
        let (recent, bookmarks) = (std::mem::take(&mut self.recent), std::mem::take(&mut self.bookmarks));
        let watched = std::mem::take(&mut self.watched);
        *self = Settings { recent, bookmarks, watched, ..Settings::default() };
    }

    /// Sets a match up as the viewer had the last one.
    pub(crate) fn prepare(&self, session: &mut Session) {
        session.set_speed(self.speed);
        let amounts = IDLE_AMOUNTS.iter().find(|amount| amount.0 == u64::from(self.idle_millis) * 1000);
        session.set_idle_max(Some(*amounts.unwrap_or(&IDLE_AMOUNT)));
        session.skip_idle(self.skip_idle);
        session.stops_at_markers = self.stops_at_markers;
        session.lanes = self.lanes;
    }

    /// Takes note of how the viewer has set a match up.
    pub(crate) fn note(&mut self, session: &Session) {
        self.speed = session.playback.speed();
        self.skip_idle = session.skips_idle();
        self.idle_millis = (session.idle_amount().0 / 1000) as u32;
        self.stops_at_markers = session.stops_at_markers;
        self.lanes = session.lanes;
    }

    /// What is kept in the store, and what of it could not be read.
    pub(crate) fn load(storage: Option<&dyn Storage>) -> (Settings, Vec<String>) {
        match storage.and_then(|storage| storage.get_string(KEY)) {
            Some(text) => Settings::read(&text),
            None => (Settings::default(), Vec::new()),
        }
    }

    fn read(text: &str) -> (Settings, Vec<String>) {
        let fields = match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return (Settings::default(), vec!["expected an object".to_owned()]),
            Err(error) => return (Settings::default(), vec![error.to_string()]),
        };
        let mut mistakes = Vec::new();
        let mut sound = Map::new();
        for (name, value) in fields {
            match serde_json::from_value::<Settings>(Value::Object(Map::from_iter([(
                name.clone(),
                value.clone(),
            )]))) {
                Ok(_) => drop(sound.insert(name, value)),
                Err(error) => mistakes.push(format!("`{name}`: {error}")),
            }
        }
        let mut settings: Settings = serde_json::from_value(Value::Object(sound)).unwrap_or_default();
        settings.version = VERSION;
        if !ZOOMS.contains(&settings.zoom) {
            mistakes.push(format!(
                "`zoom`: {} is not from {} to {}",
                settings.zoom,
                ZOOMS.start(),
                ZOOMS.end()
            ));
            settings.zoom = 1.0;
        }
        settings.recent.tidy();
        settings.bookmarks.tidy();
        (settings, mistakes)
    }

    /// Puts everything into the store.
    pub(crate) fn save(&self, storage: &mut dyn Storage) {
        // Numbers, words and lists of them: they always have a JSON.
        if let Ok(text) = serde_json::to_string(self) {
            storage.set_string(KEY, text);
        }
    }
}

/// Says what of the settings could not be read, where somebody looks who wonders.
pub(crate) fn complain(mistake: &str) {
    let text = format!("grandstand: a setting could not be read and is as at the first start: {mistake}");
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("{text}");
    #[cfg(target_arch = "wasm32")]
    web_sys::console::warn_1(&text.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn custom() -> Settings {
        let mut settings =
            Settings { theme: ThemePreference::Light, zoom: 1.21, speed: Speed::X8, ..Settings::default() };
        settings.board.numbers = true;
        settings.recent.note("file:///tmp/a.replay", "Final");
        settings
    }

    #[test]
    fn what_was_saved_is_loaded() {
        let text = serde_json::to_string(&custom()).expect("JSON");
        assert_eq!(Settings::read(&text), (custom(), vec![]));
    }

    #[test]
    fn a_value_that_is_wrong_costs_itself_alone() {
        let mut value = serde_json::to_value(custom()).expect("JSON");
        value["theme"] = "Mauve".into();
        value["zoom"] = 40.into();
        value["from a later version"] = true.into();
        let (settings, mistakes) = Settings::read(&value.to_string());
        assert_eq!(settings, Settings { theme: ThemePreference::System, zoom: 1.0, ..custom() });
        assert_eq!(mistakes.len(), 2, "{mistakes:?}");
        assert!(mistakes[0].contains("theme") && mistakes[0].contains("Mauve"), "{mistakes:?}");
    }

    proptest::proptest! {
        #[test]
        fn nothing_that_is_stored_stops_the_start(text in ".{0,60}", name in "[a-z_]{1,9}", value in "[\\[{\"0-9a-z:,}\\]-]{0,12}") {
            for text in [text, format!("{{\"{name}\":{value}}}"), format!("{{\"zoom\":1e99,\"recent\":{value}}}")] {
                let (settings, _) = Settings::read(&text);
                assert!(ZOOMS.contains(&settings.zoom));
            }
        }
    }
}
