//! The first screen: the matches of a server (live ones first), samples where it has none, the recordings of a folder,
//! and a field to open anything else.
//!
//! | module | what it is |
//! | --- | --- |
//! | `server_list` | a server's matches, polled |
//! | `folder_list` | a folder of this machine, read in the background |
//! | `recent_list`, `sample_cards` | recently opened matches; the samples that the program contains |
//! | `open_field` | the field for an address or a file |
//! | `entry` | a server's match or a recording, as the content of a row |
//! | `filter` | filter and order |
//! | `selection` | rows selected for a wall or a comparison |
//! | `rows`, `player_names`, `thumbnails` | rows as cards; the names and pictures in them |
//! | `tournament_row` | the server's tournament, and how it stands |
//! | `remote_pictures` | scenes of a server's matches, asked for as their rows come into view |

mod entry;
mod filter;
#[cfg(not(target_arch = "wasm32"))]
mod folder_list;
mod open_field;
mod player_names;
mod recent_list;
mod remote_pictures;
mod rows;
mod sample_cards;
mod selection;
mod server_list;
mod thumbnails;
mod tournament_row;

use eframe::egui::{Event, Id, Rect, RichText, ScrollArea, Ui, UiBuilder, pos2, vec2};
use grandstand_protocol::Game;

use self::entry::{Entry, EntryState};
use self::filter::{FieldExit, ListFilter};
#[cfg(not(target_arch = "wasm32"))]
use self::folder_list::FolderList;
use self::open_field::OpenField;
use self::rows::RowPainter;
use self::sample_cards::SampleCards;
use self::selection::Selection;
use self::server_list::ServerList;
use self::thumbnails::Thumbnails;
use crate::actions::Action;
use crate::address::{Base, Target};
use crate::layout::ScreenLayout;
use crate::panels::wall::TILES_MAX;
use crate::settings::Recents;
use crate::source::Wake;
use crate::widgets::list_keys::{self, Arrangement};

pub(crate) use self::rows::title;
pub(crate) use self::tournament_row::{lines, progress, standing};

/// Lists of this length and longer have a filter.
const FILTERED: usize = 5;

/// What a newcomer reads first.
const WHAT_IT_IS: &str =
    "Matches of bots, live and recorded: watch a sample, or open a recording, a folder or a server.";

/// The state of the first screen.
#[derive(Debug, Default)]
pub(crate) struct MatchList {
    pub(crate) server: ServerList,
    #[cfg(not(target_arch = "wasm32"))]
    folder: Option<FolderList>,
    /// Only a folder is shown, no server.
    is_folder: bool,
    open_field: OpenField,
    selection: Selection,
    filter: ListFilter,
    /// Games of the entries, sorted by title.
    games: Vec<Game>,
    /// Whether the entries have changed since the filter was applied.
    stale: bool,
    /// Spoiler mode: results and lengths are hidden.
    hides: bool,
    samples: SampleCards,
    thumbnails: Thumbnails,
    /// The match whose row gets the focus, as soon as it is there.
    sought: Option<Target>,
}

impl MatchList {
    /// The first screen before anything is shown. `local` is the server that is looked for unasked.
    pub(crate) fn new(local: Base) -> MatchList {
        MatchList { server: ServerList::new(local), ..MatchList::default() }
    }

    /// Id of the field for an address or a file, for the keyboard focus.
    pub(crate) fn address_id() -> Id {
        OpenField::id()
    }

    /// Shows a server's matches from now on.
    pub(crate) fn connect(&mut self, base: Base, wake: Wake) {
        self.open_field.address = base.to_string();
        (self.is_folder, self.stale) = (false, true);
        self.server.connect(base, wake);
    }

    /// Shows the recordings of a folder and no server.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn open_folder(&mut self, path: &std::path::Path, wake: Wake) {
        self.server.disconnect();
        self.samples = SampleCards::default();
        (self.is_folder, self.stale) = (true, true);
        self.open_field.address = path.display().to_string();
        self.folder = Some(FolderList::open(path, wake));
    }

    /// The folder, if no server is shown beside it.
    pub(crate) fn shown_folder(&self) -> Option<Target> {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(folder) = self.folder.as_ref().filter(|_| self.is_folder) {
            return Some(Target::Folder(folder.path().to_owned()));
        }
        None
    }

    /// What is shown: a server, or else a folder. While another screen is shown it is a folder or nothing.
    pub(crate) fn shown(&self) -> Option<Target> {
        let server = self.server.base().map(|base| Target::Server(base.clone()));
        server.or_else(|| self.shown_folder())
    }

    /// Stops polling the server while another screen is shown.
    pub(crate) fn rest(&mut self) {
        self.server.rest();
        self.samples = SampleCards::default();
    }

    /// Starts a selection, with `first` in it.
    pub(crate) fn select(&mut self, first: Option<Target>) {
        self.selection.begin(first);
    }

    /// Leads to the row of a match.
    pub(crate) fn seek(&mut self, target: Option<Target>) {
        self.sought = target;
    }

    /// Shows the filter, also on a phone; returns the id of its field.
    pub(crate) fn unfold_filter(&mut self) -> Id {
        self.filter.unfold();
        ListFilter::id()
    }

    fn take(&mut self, ui: &Ui, wake: &Wake) {
        #[cfg(target_arch = "wasm32")]
        let _ = wake;
        #[cfg(not(target_arch = "wasm32"))]
        {
            let folder =
                self.folder.get_or_insert_with(|| FolderList::open(std::path::Path::new("."), wake.clone()));
            let (changed, more) = folder.take();
            self.stale |= changed;
            if more {
                ui.ctx().request_repaint();
            }
        }
        self.stale |= self.server.take();
        if self.stale {
            // The top bar, which depends on the entries, was drawn before.
            ui.ctx().request_repaint();
        }
    }

    /// Shows the screen; returns the target that the viewer opened.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        recents: &mut Recents,
        hides: bool,
        wake: &Wake,
    ) -> Option<Target> {
        self.take(ui, wake);
        // Whoever has gone on in the list is led nowhere.
        let is_key = |event: &Event| matches!(event, Event::Key { pressed: true, .. });
        let goes_on = ui.input(|input| input.pointer.any_pressed() || input.events.iter().any(is_key));
        if goes_on || ui.memory(|memory| memory.focused().is_some()) {
            self.sought = None;
        }
        let (mut wanted, mut pressed) = (None, None);
        let width = ui.available_width().min(920.0);
        let left = (ui.available_width() - width) / 2.0 + 16.0;
        let column = Rect::from_min_max(
            ui.max_rect().min + vec2(left, 14.0),
            pos2(ui.max_rect().left() + left + width - 32.0, ui.max_rect().bottom()),
        );
        ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
            wanted = self.open_field.show(ui);
            let has_rows = self.has_rows() || recents.iter().next().is_some();
            let is_new = self.server.list.entries.is_empty() && recents.iter().next().is_none();
            if is_new && !self.is_folder {
                ui.label(RichText::new(WHAT_IT_IS).weak());
            }
            ui.add_space(6.0);
            self.show_controls(ui, hides, has_rows, &mut wanted);
            // The bar lies beside the column: the rows are as wide as what stands above them, with the bar and without.
            let area = ui.available_rect_before_wrap();
            let with_bar = area.with_max_x(area.right() + ui.spacing().scroll.allocated_width());
            ui.scope_builder(UiBuilder::new().max_rect(with_bar), |ui| {
                ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    ui.set_max_width(area.width());
                    pressed =
                        list_keys::show(ui, Arrangement::Column, |ui| self.show_rows(ui, recents, wake));
                    ui.add_space(16.0);
                    ui.vertical_centered(|ui| self.server.show_absence(ui));
                    // A phone has nothing to drag files from.
                    if !ScreenLayout::of(ui.ctx()).phone {
                        ui.vertical_centered(|ui| {
                            ui.weak("Drop a .replay file anywhere on this window to open it.");
                        });
                    }
                    ui.add_space(16.0);
                });
            });
        });
        pressed.and_then(|target| self.selection.press(target)).or(wanted)
    }

    /// Shows all rows and cards; returns the target that was pressed.
    fn show_rows(&mut self, ui: &mut Ui, recents: &mut Recents, wake: &Wake) -> Option<Target> {
        let mut painter = RowPainter {
            thumbnails: &mut self.thumbnails,
            selection: &self.selection,
            hides: self.hides,
            sought: &mut self.sought,
        };
        let mut pressed = self.server.show(ui, &mut painter);
        // What stands here would move as soon as the server answers.
        if !self.is_folder && !self.server.is_asking() {
            if self.server.list.entries.is_empty() {
                let small = recents.iter().next().is_some();
                pressed = self.samples.show(ui, small, painter.selection, wake).or(pressed);
            }
            pressed = recent_list::show(ui, recents, self.server.base(), painter.selection).or(pressed);
        }
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(folder) = &mut self.folder {
            let start = self.is_folder.then(|| self.server.local());
            pressed = folder.show(ui, &mut painter, start, wake).or(pressed);
        }
        pressed
    }

    /// The rows of the list, as far as they can be opened, in its order and then what the filter hides: the target, the name, and what tells them from others. Nothing of
    /// their outcome is told.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&Target, &str, String)> {
        #[cfg(not(target_arch = "wasm32"))]
        let folder = self.folder.iter().flat_map(|folder| folder.list.all());
        #[cfg(target_arch = "wasm32")]
        let folder = std::iter::empty::<&Entry>();
        let entries = self.server.list.all().chain(folder);
        let can_be_opened = |entry: &&Entry| !matches!(entry.state, EntryState::Unreadable(_));
        entries.filter(can_be_opened).map(|entry| (&entry.target, entry.name.as_str(), entry.note()))
    }

    /// What a wall would show: what is selected, or else the recordings of a folder that is shown by itself, as the filter leaves them.
    pub(crate) fn for_wall(&self) -> impl Iterator<Item = &Target> {
        let selected = self.selection.targets();
        #[cfg(not(target_arch = "wasm32"))]
        let folder = self.folder.iter().filter(|_| self.is_folder && selected.is_empty());
        #[cfg(not(target_arch = "wasm32"))]
        let shown = folder.flat_map(|folder| folder.list.shown());
        #[cfg(target_arch = "wasm32")]
        let shown = std::iter::empty::<&Entry>();
        let shown = shown.filter(|entry| !matches!(entry.state, EntryState::Unreadable(_)));
        selected.iter().chain(shown.map(|entry| &entry.target)).take(TILES_MAX)
    }

    fn folder_entries(&self) -> &[Entry] {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(folder) = &self.folder {
            return &folder.list.entries;
        }
        &[]
    }

    /// Whether the list has matches or recordings.
    fn has_rows(&self) -> bool {
        !self.server.list.entries.is_empty() || !self.folder_entries().is_empty()
    }

    /// Whether a filter is of use.
    pub(crate) fn has_filter(&self, hides: bool) -> bool {
        let count = self.server.list.entries.len() + self.folder_entries().len();
        count >= FILTERED || !self.filter.lets_all(hides)
    }

    /// Shows the buttons and the filter, in one row where nothing is selected and a pointer is used; applies the filter
    /// again after a change. Without rows there is nothing to select but samples.
    fn show_controls(&mut self, ui: &mut Ui, hides: bool, has_rows: bool, wanted: &mut Option<Target>) {
        let mut stale = std::mem::take(&mut self.stale) | (self.hides != hides);
        self.hides = hides;
        if stale {
            let entries = self.server.list.entries.iter().chain(self.folder_entries());
            self.games = entries.filter_map(|entry| entry.game).collect();
            self.games.sort_by_key(|game| game.title());
            self.games.dedup();
        }
        let layout = ScreenLayout::of(ui.ctx());
        let filters = self.has_filter(hides) && self.filter.is_unfolded(layout);
        let together = !layout.phone && !self.selection.is_open();
        // On a phone the buttons that begin are in the top bar.
        if has_rows && !layout.phone || self.selection.is_open() {
            ui.horizontal_wrapped(|ui| {
                *wanted = self.show_selection(ui).or(wanted.take());
                if together && filters {
                    stale |= self.filter.show(ui, &self.games, hides);
                }
            });
            ui.add_space(6.0);
        }
        if filters && !together {
            ui.horizontal_wrapped(|ui| stale |= self.filter.show(ui, &self.games, hides));
            ui.add_space(6.0);
        }
        if stale {
            self.filter.apply(&mut self.server.list, hides);
            #[cfg(not(target_arch = "wasm32"))]
            if let Some(folder) = &mut self.folder {
                self.filter.apply(&mut folder.list, hides);
            }
        }
        self.leave_filter(ui, wanted);
    }

    /// Leads from the filter's field to the first row, or opens it. Without one the field keeps the focus.
    fn leave_filter(&mut self, ui: &Ui, wanted: &mut Option<Target>) {
        let Some(exit) = self.filter.take_exit() else { return };
        match (exit, self.first_shown()) {
            (_, None) => ui.memory_mut(|memory| memory.request_focus(ListFilter::id())),
            (FieldExit::FirstRow, first) => {
                ui.memory_mut(|memory| memory.surrender_focus(ListFilter::id()));
                self.sought = first;
            }
            (FieldExit::FirstMatch, Some(first)) => {
                *wanted = self.selection.press(first).or(wanted.take());
            }
        }
        ui.ctx().request_repaint();
    }

    /// The match of the first row that the filter lets.
    fn first_shown(&self) -> Option<Target> {
        let server = &self.server.list;
        let live = server.shown().find(|entry| entry.state == EntryState::Live);
        #[cfg(not(target_arch = "wasm32"))]
        let recording = self.folder.as_ref().and_then(|folder| folder.list.shown().next());
        #[cfg(target_arch = "wasm32")]
        let recording = None;
        let first = live.or_else(|| server.shown().next()).or(recording);
        first.map(|entry| entry.target.clone())
    }

    /// Shows what stands in the top bar of a phone, from right to left: the selection and the filter.
    pub(crate) fn show_in_top_bar(&mut self, ui: &mut Ui, hides: bool) {
        if self.has_rows() || self.selection.is_open() {
            self.selection.show_switch(ui);
        }
        if self.has_filter(hides) {
            self.filter.show_switch(ui, hides);
        }
    }

    /// The buttons that open a wall: of all live matches, or of selected ones.
    fn show_selection(&mut self, ui: &mut Ui) -> Option<Target> {
        let mut wanted = None;
        if !self.selection.is_open()
            && let Some(base) = self.server.without_trouble()
            && self.server.list.entries.iter().any(|entry| entry.state == EntryState::Live)
            && ui.button("Wall of live matches").on_hover_text(Action::ShowWall.tooltip()).clicked()
        {
            wanted = Some(Target::Wall(vec![Target::Server(base.clone())]));
        }
        #[cfg(not(target_arch = "wasm32"))]
        let files = self.folder.iter().flat_map(|folder| folder.list.shown());
        #[cfg(target_arch = "wasm32")]
        let files = std::iter::empty::<&Entry>();
        let files = files.map(|entry| entry.target.clone());
        self.selection.show(ui, files).or(wanted)
    }
}
