//! Reader of a log's events, command by command.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use grandstand_protocol::{Command, Scene};
use grandstand_replays::Log;

use crate::findings::Findings;
use crate::games::story;
use crate::groups::Groups;
use crate::markers::{NewMarker, Origin, kind, word};

/// Number of commands between two checks of the time.
const STRETCH: u64 = 256;

/// Reader of a log at a position.
#[derive(Debug)]
pub(crate) struct LogReader {
    pub(crate) groups: Groups,
    /// Last command that was added to the groups.
    pub(crate) seen: u64,
    /// Last command whose group is recorded.
    pub(crate) noted: u64,
    /// Last command to read.
    end: u64,
}

impl LogReader {
    pub(crate) fn new(scene: Scene, seen: u64, end: u64) -> LogReader {
        LogReader { groups: Groups::new(scene), seen, noted: seen, end }
    }

    /// Reads to the end of the log; `true` if the time is over before. Missing commands are added to `unread`; without
    /// it, they are skipped.
    pub(crate) fn read(
        &mut self,
        log: &Log,
        findings: &mut Findings,
        mut unread: Option<&mut Vec<RangeInclusive<u64>>>,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        let last = log.last_seq().min(self.end);
        while self.seen < last {
            let stretch = (self.seen + STRETCH).min(last);
            while self.seen < stretch {
                self.next(log, findings, unread.as_deref_mut());
            }
            if self.seen < last && !may_go_on() {
                return true;
            }
        }
        false
    }

    fn next(&mut self, log: &Log, findings: &mut Findings, unread: Option<&mut Vec<RangeInclusive<u64>>>) {
        let seq = self.seen + 1;
        let Some(command) = log.command(seq) else {
            // Commands are missing. The scene after them is known.
            let known = log.known_after(self.seen).unwrap_or(seq);
            self.close(findings);
            if let Some(unread) = unread {
                match unread.last_mut() {
                    // There may be single scenes within a gap.
                    Some(gap) if *gap.end() == self.seen => *gap = *gap.start()..=known,
                    _ => unread.push(seq..=known),
                }
            }
            self.groups = Groups::new(log.scene_at(known));
            (self.seen, self.noted) = (known, known);
            findings.turn = None;
            return;
        };
        let t = log.time_of(seq);
        if self.groups.is_before(t, &command) {
            self.close(findings);
        }
        findings.lanes.activity.put(t, 1);
        match &command {
            Command::Marker(marker) => {
                let side = marker.team.as_ref().and_then(|team| findings.markers.team(team));
                let kind = marker.kind.as_ref().map_or(Cow::Borrowed(kind::MARKER), |kind| word(kind).into());
                let what = Cow::Owned(story(self.groups.scene()).label(&marker.label));
                if kind != kind::BOOKMARK || !findings.take_bookmark(seq, t, &what) {
                    let said = NewMarker { kind, side, origin: Origin::Server, major: true, what };
                    findings.markers.put(seq, t, said);
                }
            }
            Command::Unknown(_) => {
                let (kind, what) = (kind::UNKNOWN.into(), "A line that was not understood".into());
                let said = NewMarker { kind, side: None, origin: Origin::Line, major: false, what };
                findings.markers.put(seq, t, said);
            }
            _ => {}
        }
        self.groups.add(seq, t, command);
        self.seen = seq;
    }

    pub(crate) fn close(&mut self, findings: &mut Findings) {
        self.groups.close(|scene, group| {
            story(scene).record(group, findings);
            findings.score(group.t());
        });
        self.noted = self.seen;
    }
}
