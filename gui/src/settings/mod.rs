//! Settings that are remembered between starts, and their storage.
//!
//! Natively they are in a file of the user's, in a page in the browser's storage for its address. eframe reads and
//! writes both (see [`eframe::Storage`]), and stores the window's position and panel sizes too.
//! Without a storage, as in tests, the defaults hold and nothing is written.
//!
//! A new field needs only a default: older settings are still read. A value that can't be read gets its default; the
//! others are kept.

mod kept_bookmarks;
mod recent;
mod watched;

use eframe::Storage;
use eframe::egui::ThemePreference;
use grandstand_board::BoardOptions;
use grandstand_replays::Speed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::panels::compare::UsualLocks;
use crate::panels::side_panel::SidePanelState;
use crate::session::ChosenLanes;
use crate::session::{IDLE_AMOUNT, IDLE_AMOUNTS, Session};
use crate::sound;

pub(crate) use kept_bookmarks::KeptBookmarks;
pub(crate) use recent::{Recent, Recents, remembered};
pub(crate) use watched::{Watched, WatchedGames};

/// Key of the settings in the storage.
pub(crate) const KEY: &str = "settings";
/// Must be raised when a field changes its meaning.
const VERSION: u32 = 1;
/// Range of the viewer's zoom.
pub(crate) const ZOOMS: std::ops::RangeInclusive<f32> = 0.6..=3.0;

/// All settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    version: u32,
    pub theme: ThemePreference,
    /// The viewer's own zoom, multiplied with the one that suits the window.
    pub zoom: f32,
    /// Options of boards.
    pub board: BoardOptions,
    /// State of the side panel.
    pub panel: SidePanelState,
    /// Speed of playback.
    pub speed: Speed,
    /// Whether idle time is skipped.
    pub skip_idle: bool,
    /// Amount of idle time that is played when it is skipped, in milliseconds.
    pub idle_millis: u32,
    /// Whether playback stops at every visible moment.
    pub stops_at_markers: bool,
    /// Lanes under the timeline.
    pub lanes: ChosenLanes,
    /// Spoiler mode.
    pub spoiler_free: bool,
    /// What aligns two matches that are compared.
    pub locks: UsualLocks,
    /// Folder for exported pictures; empty for the default one.
    pub export_folder: String,
    /// Sound and its volume.
    pub sound: sound::SoundSettings,
    /// Recently opened recordings and servers, the latest first.
    pub recent: Recents,
    /// The viewer's name as a player; may be empty.
    pub player_name: String,
    /// The viewer's bookmarks.
    pub bookmarks: KeptBookmarks,
    /// Watched games of tournaments.
    pub watched: Watched,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            version: VERSION,
            theme: ThemePreference::System,
            zoom: 1.0,
            board: BoardOptions::default(),
            panel: SidePanelState::default(),
            speed: Speed::X1,
            skip_idle: false,
            idle_millis: (IDLE_AMOUNT.0 / 1000) as u32,
            stops_at_markers: false,
            lanes: ChosenLanes::default(),
            spoiler_free: false,
            locks: UsualLocks::default(),
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
    /// Resets to the defaults, except for data: the recent list, the bookmarks, and the watched games.
    pub(crate) fn reset(&mut self) {
        let (recent, bookmarks) = (std::mem::take(&mut self.recent), std::mem::take(&mut self.bookmarks));
        let watched = std::mem::take(&mut self.watched);
        *self = Settings { recent, bookmarks, watched, ..Settings::default() };
    }

    /// Applies the settings to a newly opened match.
    pub(crate) fn prepare(&self, session: &mut Session) {
        session.set_speed(self.speed);
        let amounts = IDLE_AMOUNTS.iter().find(|amount| amount.0 == u64::from(self.idle_millis) * 1000);
        session.set_idle_max(Some(*amounts.unwrap_or(&IDLE_AMOUNT)));
        session.skip_idle(self.skip_idle);
        session.stops_at_markers = self.stops_at_markers;
        session.lanes = self.lanes;
    }

    /// Takes the settings of the open match.
    pub(crate) fn note(&mut self, session: &Session) {
        self.speed = session.playback.speed();
        self.skip_idle = session.skips_idle();
        self.idle_millis = (session.idle_amount().0 / 1000) as u32;
        self.stops_at_markers = session.stops_at_markers;
        self.lanes = session.lanes;
    }

    /// Loads the settings; returns also messages about values that could not be read.
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

    /// Stores the settings.
    pub(crate) fn save(&self, storage: &mut dyn Storage) {
        // Serialization can't fail: the values are numbers, texts and lists of them.
        if let Ok(text) = serde_json::to_string(self) {
            storage.set_string(KEY, text);
        }
    }
}

/// Reports an unreadable value on stderr or the browser's console.
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
