//! The first screen: the matches of a server (live ones first), samples where it has none, the recordings of a folder,
//! and a field to open anything else.
//!
//! | module | what it is |
//! | --- | --- |
//! | `entry` | a server's match or a recording, as the content of a row |
//! | `filter` | filter and order |
//! | `folder_list` | a folder of this machine, read in the background |
//! | `remote_pictures` | scenes of a server's matches, asked for as their rows come into view |
//! | `recent_list`, `sample_cards` | recently opened matches; the samples that the program contains |
//! | `rows`, `thumbnails` | rows as cards; the pictures in them |

mod entry;
mod filter;
#[cfg(not(target_arch = "wasm32"))]
mod folder_list;
mod recent_list;
mod remote_pictures;
mod rows;
mod sample_cards;
mod thumbnails;

use std::sync::mpsc::Receiver;

use eframe::egui::{
    Align2, Button, FontId, Id, Label, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, TextEdit,
    Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_board::theme::{BODY, Palette, mix, semibold};
use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, Summary};
use grandstand_story::format;

use self::entry::{Entry, EntryState};
use self::filter::ListFilter;
#[cfg(not(target_arch = "wasm32"))]
use self::folder_list::FolderList;
use self::remote_pictures::RemotePictures;
use self::rows::{heading, row};
use self::sample_cards::SampleCards;
use self::thumbnails::Thumbnails;
use crate::actions::Action;
use crate::address::bookmarks::Bookmarks;
use crate::address::tournament::Place;
use crate::address::{Base, DEFAULT_SERVER, Target, TargetError};
use crate::errors::Trouble;
use crate::icons::{self, Icon};
use crate::panels::wall::TILES_MAX;
use crate::settings::Recents;
use crate::source::tournament::Change;
use crate::source::{self, Listing, Refused, Wake, watch_list};
use crate::widgets::main_button;

pub(crate) use self::rows::title;

/// Lists of this length and longer have a filter.
const FILTERED: usize = 5;

/// A command line that plays a match on a server that has none yet.
const FIRST_MATCH: &str = "grandstand play abalone team simple_bot --gui localhost:3126";

/// Path of the tournament's state. The server answers at once, since the revision asked for never exists.
const CHANGES: &str = "api/tournament/changes?after=18446744073709551615";

/// The state of the first screen.
#[derive(Debug, Default)]
pub(crate) struct MatchList {
    server: Option<(Base, Listing)>,
    last: Option<Base>,
    /// The server's last answer and its last error.
    matches: Option<Vec<Summary>>,
    trouble: Option<Trouble>,
    /// Name of the server's tournament, if the server has one.
    tournament: Option<String>,
    asked: Option<Receiver<Result<String, Refused>>>,
    /// Text of the field for an address or a file.
    address: String,
    mistake: Option<TargetError>,
    /// Targets selected for a wall; `Some` while the viewer selects.
    chosen: Option<Vec<Target>>,
    /// Spoiler mode: results and lengths are hidden.
    hides: bool,
    /// The server's matches, and the indices of those that pass the filter, in order.
    entries: Vec<Entry>,
    shown: Vec<usize>,
    filter: ListFilter,
    /// Whether the filter has to be applied again.
    stale: bool,
    samples: SampleCards,
    pictures: RemotePictures,
    thumbnails: Thumbnails,
    /// Only a folder is shown, no server.
    is_folder: bool,
    #[cfg(not(target_arch = "wasm32"))]
    folder: Option<FolderList>,
    /// Indices of the folder's recordings that pass the filter, in order.
    #[cfg(not(target_arch = "wasm32"))]
    shown_files: Vec<usize>,
}

impl MatchList {
    /// Id of the field for an address or a file, for the keyboard focus.
    pub(crate) fn address_id() -> Id {
        Id::unique("address")
    }

    /// Shows a server's matches from now on.
    pub(crate) fn connect(&mut self, base: Base, wake: Wake) {
        self.address = base.to_string();
        (self.matches, self.trouble, self.tournament) = (None, None, None);
        (self.entries, self.is_folder, self.stale) = (Vec::new(), false, true);
        self.pictures = RemotePictures::default();
        self.asked = Some(source::get(&base, CHANGES));
        self.server = Some((base.clone(), watch_list(base, wake)));
    }

    /// Shows the recordings of a folder and no server.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn open_folder(&mut self, path: &std::path::Path, wake: Wake) {
        self.rest();
        (self.matches, self.trouble, self.tournament) = (None, None, None);
        (self.entries, self.is_folder, self.stale) = (Vec::new(), true, true);
        self.address = path.display().to_string();
        self.read_folder(path, wake);
    }

    /// The folder, if no server is shown beside it.
    pub(crate) fn shown_folder(&self) -> Option<Target> {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(folder) = self.folder.as_ref().filter(|_| self.is_folder) {
            return Some(Target::Folder(folder.path().to_owned()));
        }
        None
    }

    /// The server whose matches are shown.
    pub(crate) fn server(&self) -> Option<&Base> {
        self.server.as_ref().map(|(base, _)| base)
    }

    /// The server, once it has answered.
    pub(crate) fn answering(&self) -> Option<&Base> {
        self.server().filter(|_| self.matches.is_some())
    }

    /// The matches of the server's last answer, with their titles.
    pub(crate) fn known_matches(&self) -> impl Iterator<Item = (Target, String)> {
        let base = self.server().or(self.last.as_ref());
        let matches = self.matches.iter().flatten();
        base.into_iter().flat_map(move |base| {
            matches.clone().map(|summary| {
                let (base, id) = (base.clone(), summary.id.clone());
                let target = Target::Match { base, id, seq: None, marks: Bookmarks::default() };
                (target, title(summary))
            })
        })
    }

    /// The server, if it has a tournament.
    pub(crate) fn tournament(&self) -> Option<Base> {
        self.server().filter(|_| self.tournament.is_some()).cloned()
    }

    /// Stops polling the server while another screen is shown.
    pub(crate) fn rest(&mut self) {
        if let Some((base, _)) = self.server.take() {
            self.last = Some(base);
        }
        self.samples = SampleCards::default();
    }

    /// The server whose matches were shown last.
    pub(crate) fn last_server(&self) -> Option<Base> {
        self.last.clone()
    }

    /// Asks the server for the list at once.
    pub(crate) fn refresh(&self) {
        if let Some((_, listing)) = &self.server {
            listing.refresh();
        }
    }

    fn take(&mut self, ui: &Ui, wake: &Wake) {
        #[cfg(target_arch = "wasm32")]
        let _ = (ui, wake);
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
        if let Some(answer) = self.asked.as_ref().and_then(|asked| asked.try_recv().ok()) {
            self.asked = None;
            // Any other answer, or an error, means that there is no tournament.
            let change = answer.ok().and_then(|text| serde_json::from_str::<Change>(&text).ok());
            self.tournament = change.map(|change| change.name).filter(|name| !name.is_empty());
        }
        let Some((base, listing)) = &self.server else { return };
        for answer in listing.updates.try_iter() {
            match answer {
                Ok(matches) => {
                    let matches = in_order(matches);
                    self.entries = matches.iter().map(|summary| Entry::of_match(base, summary)).collect();
                    for (entry, summary) in self.entries.iter_mut().zip(&matches) {
                        if let Some((scene, secs)) = self.pictures.of(&summary.id) {
                            entry.show_picture(scene, secs);
                        }
                    }
                    (self.matches, self.trouble, self.stale) = (Some(matches), None, true);
                }
                Err(trouble) => self.trouble = Some(trouble),
            }
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
        let mut wanted = None;
        let width = ui.available_width().min(920.0);
        let left = (ui.available_width() - width) / 2.0 + 16.0;
        let column = Rect::from_min_max(
            ui.max_rect().min + vec2(left, 14.0),
            pos2(ui.max_rect().left() + left + width - 32.0, ui.max_rect().bottom()),
        );
        ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
            wanted = self.open_field(ui);
            self.server_line(ui);
            ui.add_space(6.0);
            wanted = self.choice(ui).or(wanted.take());
            self.show_filter(ui, hides);
            ui.add_space(6.0);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                wanted = self.list(ui, recents, hides).or(wanted.take());
                let idle = self.entries.is_empty() && !self.is_folder;
                if idle {
                    let small = recents.iter().next().is_some();
                    let sample = self.samples.show(ui, small, wake);
                    wanted = sample.and_then(|sample| self.pressed(sample)).or(wanted.take());
                    wanted = recent_list::show(ui, recents, self.server()).or(wanted.take());
                }
                #[cfg(not(target_arch = "wasm32"))]
                {
                    wanted = self.recordings(ui, hides, wake).or(wanted.take());
                }
                ui.add_space(16.0);
                ui.vertical_centered(|ui| {
                    ui.weak("Drop a .replay file anywhere on this window to open it.");
                });
                ui.add_space(16.0);
            });
        });
        wanted
    }

    /// One muted line if this machine has no server, which is not an error.
    fn server_line(&self, ui: &mut Ui) {
        if let (Some((base, _)), None, true) = (&self.server, &self.matches, self.is_own_server()) {
            let words = match &self.trouble {
                Some(_) => format!("No server at {}. Start one with: grandstand serve", base.authority()),
                None => format!("Looking for a server at {}…", base.authority()),
            };
            ui.add(Label::new(RichText::new(words).small().weak()));
        }
    }

    /// Whether the server is the default one, which nobody asked for.
    fn is_own_server(&self) -> bool {
        self.server().is_some_and(|base| base.to_string() == DEFAULT_SERVER)
    }

    /// Shows the filter where it is of use, and applies it again after a change.
    fn show_filter(&mut self, ui: &mut Ui, hides: bool) {
        #[cfg(not(target_arch = "wasm32"))]
        let files = self.folder.as_ref().map_or(&[][..], |folder| &folder.entries);
        #[cfg(target_arch = "wasm32")]
        let files: &[Entry] = &[];
        if self.entries.len() + files.len() >= FILTERED || !self.filter.lets_all(hides) {
            let mut games: Vec<Game> =
                self.entries.iter().chain(files).filter_map(|entry| entry.game).collect();
            games.sort_by_key(|game| game.title());
            games.dedup();
            self.stale |= self.filter.show(ui, &games, hides);
        }
        self.stale |= self.hides != hides;
        self.hides = hides;
        if std::mem::take(&mut self.stale) {
            self.shown = self.filter.apply(&self.entries, hides);
            #[cfg(not(target_arch = "wasm32"))]
            if let Some(folder) = &self.folder {
                self.shown_files = self.filter.apply(&folder.entries, hides);
            }
        }
    }

    /// The buttons that open a wall: of all live matches, or of selected ones.
    fn choice(&mut self, ui: &mut Ui) -> Option<Target> {
        let mut wanted = None;
        ui.horizontal_wrapped(|ui| {
            let Some(chosen) = &mut self.chosen else {
                if let Some((base, _)) = &self.server
                    && self.trouble.is_none()
                    && ui.button("Wall of live matches").on_hover_text(Action::ShowWall.tooltip()).clicked()
                {
                    wanted = Some(Target::Wall(vec![Target::Server(base.clone())]));
                }
                let tip = "Matches and recordings to see side by side";
                if ui.button("Select…").on_hover_text(tip).clicked() {
                    self.chosen = Some(Vec::new());
                }
                return;
            };
            let boards = format::count(chosen.len() as u64, "board", "boards");
            if ui.add_enabled(!chosen.is_empty(), Button::new(format!("Wall of {boards}"))).clicked() {
                wanted = Some(Target::Wall(std::mem::take(chosen)));
            }
            if let [a, b] = chosen.as_slice()
                && ui.button("Compare these two").on_hover_text(Action::Compare.tooltip()).clicked()
            {
                wanted = Some(Target::from([a.clone(), b.clone()]));
            }
            #[cfg(not(target_arch = "wasm32"))]
            if let Some(folder) = &self.folder
                && !self.shown_files.is_empty()
                && ui.button("All recordings of the folder").clicked()
            {
                let files = self.shown_files.iter().filter_map(|number| folder.entries.get(*number));
                let files = files.map(|entry| entry.target.clone());
                chosen.extend(files.filter(|file| !chosen.contains(file)).collect::<Vec<_>>());
                chosen.truncate(TILES_MAX);
            }
            if ui.button("Cancel").clicked() || wanted.is_some() {
                self.chosen = None;
            } else if chosen.is_empty() {
                ui.weak(format!("Up to {TILES_MAX} of the list."));
            }
        });
        wanted
    }

    /// Starts a selection, with `first` in it.
    pub(crate) fn choose(&mut self, first: Option<Target>) {
        self.chosen = Some(first.into_iter().filter(|target| !matches!(target, Target::Server(_))).collect());
    }

    /// Handles a press on an entry: adds it to the selection or removes it, and returns it if there is no selection.
    fn pressed(&mut self, target: Target) -> Option<Target> {
        let Some(chosen) = &mut self.chosen else { return Some(target) };
        match chosen.iter().position(|other| *other == target) {
            Some(index) => drop(chosen.remove(index)),
            None if chosen.len() < TILES_MAX => chosen.push(target),
            None => {}
        }
        None
    }

    /// The field for an address or a file.
    fn open_field(&mut self, ui: &mut Ui) -> Option<Target> {
        let palette = Palette::of(ui.ctx());
        let mut go = false;
        ui.horizontal(|ui| {
            let field = TextEdit::singleline(&mut self.address)
                .id(Self::address_id())
                .hint_text("Address of a server or a match, a .replay file, or a folder")
                .desired_width(ui.available_width() - 96.0)
                .margin(vec2(10.0, 7.0));
            let field = ui.add(field);
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Address or file"));
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(eframe::egui::Key::Enter));
            let open = main_button("Open", palette).min_size(vec2(80.0, 32.0));
            go = ui.add(open).on_hover_text(Action::Open.tooltip()).clicked() || entered;
            if field.changed() {
                self.mistake = None;
            }
        });
        let mut wanted = None;
        if go {
            match self.address.parse() {
                Ok(target) => wanted = Some(target),
                Err(mistake) => self.mistake = Some(mistake),
            }
        }
        if let Some(mistake) = &self.mistake {
            ui.colored_label(palette.error, mistake.to_string());
        }
        wanted
    }

    /// The server's matches. Recently opened ones stand between the live and the finished ones.
    fn list(&mut self, ui: &mut Ui, recents: &mut Recents, hides: bool) -> Option<Target> {
        let base = self.server().cloned()?;
        if let Some(trouble) = &self.trouble
            && (self.matches.is_some() || !self.is_own_server())
        {
            let retry = trouble_card(ui, trouble, Some("Try again"));
            if retry {
                self.refresh();
            }
            ui.add_space(10.0);
        }
        if self.matches.is_none() {
            if self.trouble.is_none() && !self.is_own_server() {
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
        if let Some(name) = &self.tournament
            && rows::tournament(ui, name)
        {
            // A tournament has no board, so it can't be selected.
            return Some(Target::Tournament { base, place: Place::default() });
        }
        if self.entries.is_empty() {
            if self.tournament.is_none() {
                empty(ui, &base);
            }
            return None;
        }
        let is_live = |number: &usize| self.entries[*number].state == EntryState::Live;
        let (live, played): (Vec<usize>, Vec<usize>) = self.shown.iter().partition(|number| is_live(number));
        for (title, numbers) in [("Live now", live), ("Played", played)] {
            if !numbers.is_empty() {
                heading(ui, title, numbers.len());
                rows::rows(ui, numbers.len(), rows::ROW, |ui, place| {
                    let entry = &self.entries[numbers[place]];
                    let chosen = self.chosen.as_ref().map(|chosen| chosen.contains(&entry.target));
                    // In spoiler mode no picture is shown, and none is asked for.
                    if let (Target::Match { id, .. }, Some(game)) = (&entry.target, entry.game)
                        && !hides
                        && ui.is_rect_visible(Rect::from_min_size(ui.cursor().min, vec2(1.0, rows::ROW)))
                    {
                        self.pictures.want(id, game, entry.seq);
                    }
                    if row(ui, entry, &mut self.thumbnails, chosen, hides) {
                        wanted = Some(entry.target.clone());
                    }
                });
                ui.add_space(12.0);
            }
            if title == "Live now" {
                wanted = recent_list::show(ui, recents, Some(&base)).or(wanted);
            }
        }
        if self.shown.is_empty() {
            ui.weak("No match fits the filter.");
        }
        let now = ui.input(|input| input.time);
        if let Some(id) = self.pictures.update(ui.ctx(), &base, now)
            && let Some((scene, secs)) = self.pictures.of(&id)
        {
            let is_it =
                |entry: &&mut Entry| matches!(&entry.target, Target::Match { id: other, .. } if *other == id);
            if let Some(entry) = self.entries.iter_mut().find(is_it) {
                entry.show_picture(scene, secs);
            }
        }
        wanted.and_then(|target| self.pressed(target))
    }

    /// The recordings in a folder of this machine.
    #[cfg(not(target_arch = "wasm32"))]
    fn recordings(&mut self, ui: &mut Ui, hides: bool, wake: &Wake) -> Option<Target> {
        let folder = self.folder.as_ref()?;
        let mut go = None;
        let mut wanted = None;
        if let Some(trouble) = &folder.trouble {
            if trouble_card(ui, trouble, Some("Back")) {
                go = Some(std::path::PathBuf::from("."));
            }
        } else {
            heading(ui, "Recordings on this machine", folder.entries.len());
            ui.horizontal_wrapped(|ui| {
                let mut words = folder.folder.path.display().to_string();
                if folder.is_reading() && !folder.entries.is_empty() {
                    words += &format!("  ·  {} of {} read", folder.read, folder.entries.len());
                }
                if folder.folder.left_out > 0 {
                    words += &format!("  ·  {} older ones are left out", folder.folder.left_out);
                }
                ui.add(Label::new(RichText::new(words).small().weak()));
                if self.is_folder && ui.small_button("Start screen").clicked() {
                    wanted = DEFAULT_SERVER.parse().ok();
                }
            });
            rows::rows(ui, self.shown_files.len(), rows::ROW, |ui, place| {
                let Some(entry) = self.shown_files.get(place).and_then(|number| folder.entries.get(*number))
                else {
                    return;
                };
                let chosen = self.chosen.as_ref().map(|chosen| chosen.contains(&entry.target));
                if row(ui, entry, &mut self.thumbnails, chosen, hides) {
                    wanted = Some(entry.target.clone());
                }
            });
            if self.shown_files.is_empty() && !folder.entries.is_empty() {
                ui.weak("No recording fits the filter.");
            }
            let folders = &folder.folder.folders;
            let up = folder.folder.path.parent();
            let above = usize::from(up.is_some());
            rows::rows(ui, folders.len() + above, rows::SMALL_ROW, |ui, place| {
                match (place.checked_sub(above), up) {
                    (Some(place), _) => {
                        let name = entry::file_name(&folders[place]);
                        if rows::entry(ui, Icon::Folder, &name, "", None) {
                            go = Some(folders[place].clone());
                        }
                    }
                    (None, Some(up)) => {
                        let words = format!("Up to {}", up.display());
                        if rows::entry(ui, Icon::Folder, "..", &words, None) {
                            go = Some(up.to_path_buf());
                        }
                    }
                    (None, None) => {}
                }
            });
        }
        if let Some(path) = go {
            self.read_folder(&path, wake.clone());
        }
        match wanted {
            Some(server @ Target::Server(_)) => Some(server),
            wanted => wanted.and_then(|target| self.pressed(target)),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn read_folder(&mut self, path: &std::path::Path, wake: Wake) {
        self.folder = Some(FolderList::open(path, wake));
        self.shown_files.clear();
    }
}

/// Sorts live matches first. The sort is stable: each part keeps the server's order, the newest first.
fn in_order(mut matches: Vec<Summary>) -> Vec<Summary> {
    matches.sort_by_key(|summary| summary.state != MatchState::Live);
    matches
}

fn empty(ui: &mut Ui, base: &Base) {
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        ui.label(RichText::new("No matches yet").family(semibold()).size(BODY + 2.0));
        ui.weak(format!("{base} is running and waits for one."));
        ui.weak("A match appears here as soon as a game connects to it. To see one, run on its machine:");
        ui.add_space(4.0);
        ui.add(Label::new(RichText::new(FIRST_MATCH).monospace()).selectable(true));
    });
    ui.add_space(24.0);
}

/// An error as a card; returns `true` if its button was pressed.
pub(crate) fn trouble_card(ui: &mut Ui, trouble: &Trouble, button: Option<&str>) -> bool {
    let palette = Palette::of(ui.ctx());
    let frame = eframe::egui::Frame::new()
        .fill(mix(palette.panel, palette.error, 0.10))
        .corner_radius(8.0)
        .inner_margin(14.0)
        .stroke(Stroke::new(1.0, mix(palette.panel, palette.error, 0.35)));
    let mut pressed = false;
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(26.0, 24.0), Sense::hover());
            icons::paint(ui.painter(), Icon::Error, icons::square(rect.center(), 20.0), palette.error);
            ui.vertical(|ui| {
                ui.label(
                    RichText::new(&trouble.title).family(semibold()).size(BODY + 1.0).color(palette.error),
                );
                ui.label(&trouble.detail);
                ui.label(RichText::new(&trouble.advice).color(palette.weak));
                if let Some(button) = button {
                    ui.add_space(4.0);
                    pressed = ui.button(button).clicked();
                }
            });
        });
    });
    pressed
}

/// Overlay shown while a file is dragged over the window.
pub(crate) fn drop_sign(ui: &Ui) {
    let palette = Palette::of(ui.ctx());
    let area = ui.ctx().content_rect();
    let painter = ui
        .ctx()
        .layer_painter(eframe::egui::LayerId::new(eframe::egui::Order::Foreground, Id::unique("drop")));
    painter.rect_filled(area, 0.0, palette.ground.gamma_multiply(0.85));
    let frame = area.shrink(24.0);
    painter.rect_stroke(frame, 14.0, Stroke::new(2.5, palette.accent), StrokeKind::Inside);
    let font = FontId::new(22.0, semibold());
    painter.text(area.center(), Align2::CENTER_CENTER, "Drop to open the replay", font, palette.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn live_matches_come_first_in_the_servers_order() {
        let summary = |id: &str, state| Summary {
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
