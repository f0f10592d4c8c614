//! A server's matches, polled: live ones first, and the row that opens its tournament.

use eframe::egui::{Id, Label, Rect, RichText, Ui, vec2};
use grandstand_board::theme::{BODY, semibold};
use grandstand_protocol::MatchSummary;
use grandstand_protocol::message::MatchState;
use grandstand_protocol::tournament::Change;

use super::entry::{Entry, EntryList, EntryState};
use super::remote_pictures::RemotePictures;
use super::rows::{self, RowPainter, heading};
use super::tournament_row;
use crate::address::tournament::TournamentView;
use crate::address::{Base, Target};
use crate::errors::SourceError;
use crate::layout::ScreenLayout;
use crate::panels::trouble_card;
use crate::source::tournament::Progress;
use crate::source::{Listing, Wake, watch_list, watch_progress};

/// Port for game servers of a server that does not say its own.
const USUAL_PORT: u16 = 3126;

/// The matches of a server.
#[derive(Debug, Default)]
pub(crate) struct ServerList {
    /// The server that is looked for unasked.
    local: Base,
    server: Option<(Base, Listing)>,
    last: Option<Base>,
    /// The server's last answer and its last error.
    matches: Option<Vec<MatchSummary>>,
    trouble: Option<SourceError>,
    /// State of the server's tournament, once the server has told of one.
    tournament: Option<Change>,
    progress: Option<Progress>,
    pub(super) list: EntryList,
    pictures: RemotePictures,
}

impl ServerList {
    /// The list of no server yet.
    pub(super) fn new(local: Base) -> ServerList {
        ServerList { local, ..ServerList::default() }
    }

    /// The server that is looked for unasked.
    pub(crate) fn local(&self) -> &Base {
        &self.local
    }

    /// Starts to poll a server.
    pub(super) fn connect(&mut self, base: Base, wake: Wake) {
        self.rest();
        *self = ServerList {
            progress: Some(watch_progress(base.clone(), wake.clone())),
            server: Some((base.clone(), watch_list(base, wake))),
            last: self.last.take(),
            ..ServerList::new(std::mem::take(&mut self.local))
        };
    }

    /// Stops polling and drops the matches.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn disconnect(&mut self) {
        self.rest();
        *self = ServerList { last: self.last.take(), ..ServerList::new(std::mem::take(&mut self.local)) };
    }

    /// Stops polling.
    pub(super) fn rest(&mut self) {
        self.progress = None;
        if let Some((base, _)) = self.server.take() {
            self.last = Some(base);
        }
    }

    /// Asks the server for the list at once.
    pub(crate) fn refresh(&self) {
        if let Some((_, listing)) = &self.server {
            listing.refresh();
        }
        if let Some(progress) = &self.progress {
            progress.refresh();
        }
    }

    /// The server whose matches are shown.
    pub(crate) fn base(&self) -> Option<&Base> {
        self.server.as_ref().map(|(base, _)| base)
    }

    /// The server whose matches were shown last.
    pub(crate) fn last(&self) -> Option<&Base> {
        self.last.as_ref()
    }

    /// The server, once it has answered.
    pub(crate) fn answering(&self) -> Option<&Base> {
        self.base().filter(|_| self.matches.is_some())
    }

    /// The server, unless its last answer was an error.
    pub(super) fn without_trouble(&self) -> Option<&Base> {
        self.base().filter(|_| self.trouble.is_none())
    }

    /// The server, if it has a tournament.
    pub(crate) fn with_tournament(&self) -> Option<&Base> {
        self.base().filter(|_| self.tournament.is_some())
    }

    /// Takes the server's answers; returns whether the entries changed.
    pub(super) fn take(&mut self) -> bool {
        let told = self.progress.iter().flat_map(|progress| progress.updates.try_iter()).last();
        if let Some(told) = told.filter(|told| !told.name.is_empty()) {
            self.tournament = Some(told);
        }
        let Some((base, listing)) = &self.server else { return false };
        let mut changed = false;
        for answer in listing.updates.try_iter() {
            match answer {
                Ok(matches) => {
                    let matches = in_order(matches);
                    let entry = |summary: &MatchSummary| {
                        let mut entry = Entry::of_match(base, summary);
                        if let Some((scene, secs)) = self.pictures.of(&summary.id) {
                            entry.show_picture(scene, secs);
                        }
                        entry
                    };
                    self.list.entries = matches.iter().map(entry).collect();
                    (self.matches, self.trouble, changed) = (Some(matches), None, true);
                }
                Err(trouble) => {
                    // A server that was only looked for is gone with its matches.
                    if base == &self.local {
                        self.matches = None;
                        self.list.entries.clear();
                        changed = true;
                    }
                    self.trouble = Some(trouble);
                }
            }
        }
        changed
    }

    /// Shows one muted line if this machine has no server, which is not an error.
    pub(super) fn show_absence(&self, ui: &mut Ui) {
        if let (Some((base, _)), None, true) = (&self.server, &self.matches, self.is_local()) {
            let words = match &self.trouble {
                Some(_) => format!("No server at {}. Start one with: grandstand serve", base.authority()),
                None => format!("Looking for a server at {}…", base.authority()),
            };
            ui.add(Label::new(RichText::new(words).small().weak()));
        }
    }

    /// Whether the server that the viewer chose has not answered yet.
    pub(super) fn is_asking(&self) -> bool {
        self.server.is_some() && self.matches.is_none() && self.trouble.is_none() && !self.is_local()
    }

    /// Whether the server is the one that is looked for unasked.
    fn is_local(&self) -> bool {
        self.base() == Some(&self.local)
    }

    /// Shows the matches; returns the target that was pressed.
    pub(super) fn show(&mut self, ui: &mut Ui, painter: &mut RowPainter<'_>) -> Option<Target> {
        let base = self.base().cloned()?;
        if let Some(trouble) = &self.trouble
            && (self.matches.is_some() || !self.is_local())
        {
            if trouble_card::show(ui, trouble, Some("Try again")) {
                self.refresh();
            }
            ui.add_space(10.0);
        }
        if self.matches.is_none() {
            if self.is_asking() {
                ui.add_space(24.0);
                ui.vertical_centered(|ui| {
                    ui.spinner();
                    ui.weak(format!("Asking {base} for its matches…"));
                });
                ui.add_space(12.0);
            }
            return None;
        }
        let mut wanted = None;
        if let Some(told) = &self.tournament
            && tournament_row::show(ui, told, painter.hides)
        {
            wanted = Some(Target::Tournament { base: base.clone(), place: TournamentView::default() });
        }
        if self.list.entries.is_empty() {
            if self.tournament.is_none() {
                let port = self.server.as_ref().and_then(|(_, listing)| listing.feed_port());
                show_empty(ui, &base, port.unwrap_or(USUAL_PORT));
            }
            return wanted;
        }
        wanted = self.show_matches(ui, "Live now", true, painter).or(wanted);
        wanted = self.show_matches(ui, "Played", false, painter).or(wanted);
        if self.list.shown.is_empty() {
            ui.weak("No match fits the filter.");
        }
        self.update_pictures(ui, &base);
        wanted
    }

    /// Shows the live matches, or the others; returns the target that was pressed.
    fn show_matches(
        &mut self,
        ui: &mut Ui,
        title: &str,
        live: bool,
        painter: &mut RowPainter<'_>,
    ) -> Option<Target> {
        let is_meant = |entry: &&Entry| (entry.state == EntryState::Live) == live;
        let entries: Vec<&Entry> = self.list.shown().filter(is_meant).collect();
        if entries.is_empty() {
            return None;
        }
        let mut wanted = None;
        heading(ui, title, entries.len(), self.list.entries.iter().filter(is_meant).count());
        let height = rows::row_height(ScreenLayout::of(ui.ctx()));
        let id = |place: usize| Id::unique(("match", entries[place].target.to_string()));
        let sought = painter.find(entries.iter().copied());
        rows::rows(ui, (entries.len(), sought), height, id, |ui, place| {
            let entry = entries[place];
            // In spoiler mode no picture is shown, and none is asked for.
            if let (Target::Match { id, .. }, Some(game)) = (&entry.target, entry.game)
                && !painter.hides
                && ui.is_rect_visible(Rect::from_min_size(ui.cursor().min, vec2(1.0, height)))
            {
                self.pictures.want(id, game, entry.seq);
            }
            wanted = painter.show(ui, entry).or(wanted.take());
        });
        ui.add_space(12.0);
        wanted
    }

    /// Asks for the pictures of rows in view, and takes the one that has arrived.
    fn update_pictures(&mut self, ui: &Ui, base: &Base) {
        let now = ui.input(|input| input.time);
        if let Some(id) = self.pictures.update(ui.ctx(), base, now)
            && let Some((scene, secs)) = self.pictures.of(&id)
        {
            let is_it =
                |entry: &&mut Entry| matches!(&entry.target, Target::Match { id: other, .. } if *other == id);
            if let Some(entry) = self.list.entries.iter_mut().find(is_it) {
                entry.show_picture(scene, secs);
            }
        }
    }
}

/// Sorts live matches first. The sort is stable: each part keeps the server's order, the newest first.
fn in_order(mut matches: Vec<MatchSummary>) -> Vec<MatchSummary> {
    matches.sort_by_key(|summary| summary.state != MatchState::Live);
    matches
}

/// The page of a server without matches, with a command line that plays one there.
fn show_empty(ui: &mut Ui, base: &Base, port: u16) {
    let first_match = format!("grandstand play abalone team simple_bot --gui {}:{port}", base.host());
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        ui.label(RichText::new("No matches yet").family(semibold()).size(BODY + 2.0));
        ui.weak(format!("{base} is running and waits for one."));
        ui.weak("A match appears here as soon as a game connects to it. To see one, run on its machine:");
        ui.add_space(4.0);
        ui.add(Label::new(RichText::new(first_match).monospace()).selectable(true));
    });
    ui.add_space(24.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::Game;

    #[test]
    fn live_matches_come_first_in_the_servers_order() {
        let summary = |id: &str, state| MatchSummary {
            id: id.parse().expect("an id"),
            game: Game::Abalone,
            title: "".into(),
            teams: vec![],
            rules: None,
            by: None,
            event: None,
            round: None,
            seats: vec![],
            setup: vec![],
            state,
            started: "".into(),
            seq: 0,
            now: None,
            spectators: 0,
            result: None,
        };
        let list = vec![
            summary("a", MatchState::Finished),
            summary("b", MatchState::Live),
            summary("c", MatchState::Interrupted),
            summary("d", MatchState::Live),
        ];
        let ids: Vec<String> = in_order(list).iter().map(|summary| summary.id.to_string()).collect();
        assert_eq!(ids, ["b", "d", "a", "c"]);
    }
}
