//! What the command palette offers: actions, the rows of the list, and the turns and moments of the open match.

use std::collections::HashSet;

use eframe::egui::Context;
use grandstand_story::markers::Filter;
use grandstand_story::{format, moments, story};

use super::App;
use crate::actions::{Action, keys_text};
use crate::address::{Target, links};
use crate::panels::command_palette::{
    self, CommandPalette, Offered, PaletteChoice, PaletteEntry, PaletteOutcome,
};
use crate::session::{Session, Stage};
use crate::settings;
use crate::source::samples::samples;

impl App {
    pub(super) fn toggle_command_palette(&mut self) {
        self.help = false;
        self.command_palette =
            if self.command_palette.is_some() { None } else { Some(CommandPalette::default()) };
    }

    /// Shows the command palette, if it is open, and executes the choice.
    pub(super) fn show_command_palette(&mut self, ctx: &Context) {
        let Some(mut command_palette) = self.command_palette.take() else { return };
        let hint = match self.open_session() {
            Some(session) if session.chapters.known().is_some() => "A command, a match, a moment or a turn",
            Some(_) => "A command, a match or a moment",
            None => "A command, a match or a file",
        };
        match command_palette.show(ctx, hint, &|typed| self.offered(typed)) {
            PaletteOutcome::Open => self.command_palette = Some(command_palette),
            PaletteOutcome::Closed => {}
            PaletteOutcome::Chosen(choice) => self.choose(ctx, choice),
        }
    }

    fn choose(&mut self, ctx: &Context, choice: PaletteChoice) {
        match (choice, &mut self.session) {
            (PaletteChoice::Action(action), _) => self.perform(ctx, action),
            (PaletteChoice::Open(target), _) => self.open(ctx, target),
            (PaletteChoice::Seq(seq), Some(session)) => session.seek_seq(seq.min(session.reach())),
            (PaletteChoice::Secs(secs), Some(session)) => session.seek_secs(secs.min(session.end_secs())),
            (PaletteChoice::Moment(seq), Some(session)) => {
                session.show_moment(Some(seq.min(session.reach())));
            }
            (PaletteChoice::Seq(_) | PaletteChoice::Secs(_) | PaletteChoice::Moment(_), None) => {}
        }
    }

    pub(super) fn open_session(&self) -> Option<&Session> {
        self.session.as_ref().filter(|session| matches!(session.stage, Stage::Open))
    }

    fn offered(&self, typed: &str) -> Offered {
        let mut offered = Offered { meant: Vec::new(), lines: self.lines() };
        if let Some(session) = self.open_session() {
            // By a bare number a viewer means the turn that the screen counts.
            offered.meant = turn(session, typed).into_iter().chain(command_palette::moment(typed)).collect();
            // Before anything is typed, the commands have the room.
            if !typed.is_empty() {
                offered.lines.extend(moments(session));
            }
        }
        offered
    }

    /// The actions that can be done by groups, and the matches that can be opened: after what can be done with an open match, before
    /// all else in the list. Last come the actions of the match that have no effect now, with the reason.
    fn lines(&self) -> Vec<PaletteEntry> {
        let is_listed =
            |action: Action| !matches!(action, Action::Find | Action::Escape) && self.is_possible(action);
        let mut lines = PaletteEntry::actions(is_listed);
        // The game's word for a turn, and its keys, as on the screen.
        if let Some(session) = self.open_session() {
            for line in &mut lines {
                if let PaletteChoice::Action(action) = line.choice {
                    line.name = action.name_with(session.chapters.unit_name());
                    line.keys = keys_text(action.keys(session.goes_by_moves()));
                }
            }
        }
        let vain = PaletteEntry::vain(|action| self.why_not(action));
        // A page in a frame shows one match only.
        if self.embedded {
            lines.extend(vain);
            return lines;
        }
        let rows: Vec<_> = self.match_list.rows().collect();
        let recents = self.settings.recent.iter().filter_map(|recent| {
            let target = recent.target()?;
            // A page can't read other servers' lists.
            if cfg!(target_arch = "wasm32") && matches!(target, Target::Server(_)) {
                return None;
            }
            let name = if recent.title.is_empty() { target.to_string() } else { recent.title.clone() };
            let note = if recent.title.is_empty() { "Recent".to_owned() } else { target.to_string() };
            Some(PaletteEntry::open(target, name, note))
        });
        // They stand in a list that has nothing else.
        let is_empty = rows.is_empty();
        let samples = samples().filter(|_| is_empty).map(|sample| {
            PaletteEntry::open(Target::Sample(sample), sample.game.title().to_owned(), "Sample".to_owned())
        });
        let others: Vec<PaletteEntry> = recents.chain(samples).collect();
        let rows = rows.into_iter();
        let rows = rows.map(|(target, name, note)| PaletteEntry::open(target.clone(), name.to_owned(), note));
        let mut known: HashSet<String> =
            self.session.iter().map(|session| identity(&session.target)).collect();
        let is_new = |line: &PaletteEntry| match &line.choice {
            PaletteChoice::Open(target) => known.insert(identity(target)),
            _ => true,
        };
        let matches: Vec<PaletteEntry> = rows.chain(others).filter(is_new).collect();
        let at = if self.session.is_some() { lines.len() } else { 0 };
        lines.splice(at..at, matches);
        lines.extend(vain);
        lines
    }
}

/// What is the same of a target, however it was named and at whatever moment.
fn identity(target: &Target) -> String {
    settings::remembered(target).or_else(|| links::whole(target)).unwrap_or_else(|| target.to_string())
}

/// A turn that is typed as a number, with the game's word for it or without: `turn 12`. In spoiler mode only those that
/// were seen are known.
fn turn(session: &Session, typed: &str) -> Option<PaletteEntry> {
    let number = match typed.split_once(char::is_whitespace) {
        Some((word, number)) => {
            let unit = session.chapters.unit_name()?.to_lowercase();
            let is_unit = unit.starts_with(&word.to_lowercase());
            Some(number.trim()).filter(|_| is_unit)?
        }
        None => typed,
    };
    let number: u64 = number.parse().ok()?;
    let seq = session.chapters.seq_of(number).filter(|seq| *seq <= session.log().last_seq())?;
    let name = format!("Go to {}", format::uncapitalised(&session.turn_name(number)?));
    let secs = session.chapters.time_of(number)?;
    Some(PaletteEntry::new(PaletteChoice::Seq(seq), name, format::clock(secs)))
}

/// The moments that the viewer may know, one for each event, in their order.
fn moments(session: &Session) -> Vec<PaletteEntry> {
    let findings = session.events.findings();
    let known = session.visible_by(&Filter::default(), session.log().last_seq());
    let lists = session.marker_lists();
    let together = story(session.scene()).group_window();
    let sides = session.sides();
    let cast = findings.markers.cast(&sides);
    let rows = moments::rows(findings, &lists, &known, together);
    let found = rows.iter().filter_map(|row| {
        let marker = lists[usize::from(row.list)].get(row.at as usize)?;
        let seq = session.whole(marker);
        let choice = PaletteChoice::Moment(seq);
        Some(PaletteEntry::new(choice, marker.words(&cast), session.moment_words(seq)))
    });
    found.collect()
}
