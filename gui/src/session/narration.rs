//! Input of the narrator.

use grandstand_story::narration::Shown;

use super::Session;

impl Session {
    /// The match as the narrator needs it, identified by `key`.
    pub(crate) fn shown<'a>(&'a self, key: &'a str) -> Shown<'a> {
        let log = self.log();
        let since = self.secs() - log.time_of(self.seq()).as_secs_f64();
        Shown {
            key,
            log,
            teams: &self.view.about.teams,
            seq: self.seq(),
            scene: self.scene(),
            jumps: self.jumps,
            history_before: self.history_before(),
            quiet: if self.is_running() { since } else { f64::INFINITY },
            is_at_end: self.is_at_end(),
            result: self.result(),
        }
    }
}
