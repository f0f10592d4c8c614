//! Screen of a tournament: tables, brackets, rounds, ratings, games, players, and a wall of current games.
//!
//! All figures come from the server. [`VisibleTournament`] decides what may be shown; each view gets that and nothing else, and
//! returns a [`TournamentRequest`] when something was pressed.
//!
//! | module | what it is |
//! | --- | --- |
//! | `known` | the part of the tournament that the viewer may know |
//! | `answers` | requests besides the report |
//! | `head` | title, tabs, stages |
//! | `table` | the table that most views consist of |
//! | `standings`, `crosstable`, `bracket`, `rounds`, `ratings`, `games`, `now`, `player` | the views |

mod answers;
mod bracket;
mod crosstable;
mod games;
mod head;
mod known;
mod now;
mod player;
mod ratings;
mod rounds;
mod standings;
mod table;

use eframe::egui::{Frame, Margin, ScrollArea, Ui};
use grandstand_board::BoardOptions;
use grandstand_board::theme::Palette;
use grandstand_protocol::tournament::{GameLine, PlayerReport, RatingHistory, Report};

use self::answers::Asked;
use self::known::VisibleTournament;
use crate::address::bookmarks::Bookmarks;
use crate::address::tournament::{Tab, TournamentView};
use crate::address::{Base, Target};
use crate::errors::SourceError;
use crate::panels::trouble_card;
use crate::panels::wall::{Text, Wall};
use crate::session::NextFrame;
use crate::settings::WatchedGames;
use crate::source::tournament::{Reports, recording};
use crate::source::{Wake, watch_tournament};
use crate::widgets::list_keys;

/// Number of boards with the latest games.
const BOARDS: usize = 6;

/// A request of the viewer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TournamentRequest {
    /// Show another view.
    Go(TournamentView),
    /// Watch a game.
    Watch(u64),
    /// Show a board of the wall alone.
    Open(Target),
    /// Reveal the results of these games, as if they had been watched.
    Reveal(Vec<u64>),
    /// Reveal all results, as long as the tournament is open.
    RevealAll,
}

/// An open tournament.
#[derive(Debug)]
pub(crate) struct Tournament {
    base: Base,
    place: TournamentView,
    /// Previous views, for the way back.
    before: Vec<TournamentView>,
    reports: Reports,
    report: Option<Box<Report>>,
    trouble: Option<SourceError>,
    revealed: bool,
    games: Asked<Vec<GameLine>>,
    player: Asked<PlayerReport>,
    ratings: Asked<Vec<RatingHistory>>,
    /// The games that are live.
    live: Option<Wall>,
    /// Recordings of the latest games, while none is live.
    latest: Option<Wall>,
}

/// Settings of the app that the screen needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Viewer<'a> {
    /// The watched games of this tournament.
    pub watched: &'a WatchedGames,
    /// Whether spoiler mode is on.
    pub hides: bool,
    /// Options of boards.
    pub options: BoardOptions,
    /// Text size of boards.
    pub text: Text,
}

impl Tournament {
    /// The tournament of a server.
    pub(crate) fn new(base: Base, place: TournamentView, wake: Wake) -> Tournament {
        let reports = watch_tournament(base.clone(), wake);
        Tournament {
            base,
            place,
            before: Vec::new(),
            reports,
            report: None,
            trouble: None,
            revealed: false,
            games: Asked::default(),
            player: Asked::default(),
            ratings: Asked::default(),
            live: None,
            latest: None,
        }
    }

    /// Target that opens the same view again.
    pub(crate) fn target(&self) -> Target {
        Target::Tournament { base: self.base.clone(), place: self.place }
    }

    /// The server.
    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    /// The shown view.
    pub(crate) fn place(&self) -> TournamentView {
        self.place
    }

    /// The tournament's name; empty until it is known.
    pub(crate) fn name(&self) -> &str {
        self.report.as_ref().map_or("", |report| &report.name)
    }

    /// The last error.
    pub(crate) fn trouble(&self) -> Option<&SourceError> {
        self.trouble.as_ref()
    }

    /// Whether the report has arrived.
    pub(crate) fn is_open(&self) -> bool {
        self.report.is_some()
    }

    /// Key of this tournament, which is the same on every server that shows it.
    pub(crate) fn key(&self) -> Option<String> {
        self.report.as_ref().map(|report| format!("{} {}", report.created, report.seed_sha256))
    }

    /// Target of a game's recording.
    pub(crate) fn recording(&self, game: u64) -> Target {
        Target::Recording { url: self.base.http(&recording(game)), seq: None, marks: Bookmarks::default() }
    }

    /// Number of the game whose recording a target is.
    pub(crate) fn game_of(&self, target: &Target) -> Option<u64> {
        let Target::Recording { url, .. } = target else { return None };
        let name = url.strip_prefix(&self.base.http("tournament/recordings/"))?;
        name.strip_suffix(".replay")?.parse().ok()
    }

    /// Whether a game of this number was played.
    pub(crate) fn was_played(&self, game: u64, watched: &WatchedGames) -> bool {
        let report = self.report.as_ref();
        report.is_some_and(|report| VisibleTournament::new(report, watched, false).was_played(game))
    }

    /// Shows another view.
    pub(crate) fn go(&mut self, place: TournamentView) {
        if place != self.place {
            self.before.push(self.place);
            self.place = place;
        }
    }

    /// Goes back to the previous view; returns false if there is none.
    pub(crate) fn go_back(&mut self) -> bool {
        self.before.pop().map(|place| self.place = place).is_some()
    }

    /// Reveals all results until the tournament is closed or [`hide`](Self::hide) is called.
    pub(crate) fn reveal_all(&mut self) {
        (self.revealed, self.latest) = (true, None);
    }

    /// Hides results again.
    pub(crate) fn hide(&mut self) {
        (self.revealed, self.latest) = (false, None);
    }

    /// Asks the server at once.
    pub(crate) fn refresh(&self) {
        self.reports.refresh();
    }

    /// Takes what has arrived, and returns when the next frame is needed. `now` is egui's time in seconds.
    pub(crate) fn update(&mut self, now: f64, seen: bool, viewer: Viewer<'_>, wake: &Wake) -> NextFrame {
        let mut fresh = false;
        for update in self.reports.updates.try_iter() {
            match update {
                Ok(report) => {
                    (self.report, self.trouble) = (Some(report), None);
                    fresh = true;
                }
                // The last report is kept; the error is shown with it or alone.
                Err(trouble) => self.trouble = Some(trouble),
            }
        }
        if self.place.tab != Tab::Now {
            (self.live, self.latest) = (None, None);
            return NextFrame::Idle;
        }
        let Some(report) = self.report.take() else { return NextFrame::Idle };
        let known = VisibleTournament::new(&report, viewer.watched, viewer.hides && !self.revealed);
        let next = self.update_boards(now, (seen, fresh), &known, wake);
        self.report = Some(report);
        next
    }

    /// Updates the boards of the current games.
    fn update_boards(
        &mut self,
        now: f64,
        (seen, fresh): (bool, bool),
        known: &VisibleTournament<'_>,
        wake: &Wake,
    ) -> NextFrame {
        let mut next = NextFrame::Idle;
        if known.hides() {
            // Live matches would reveal who is still in.
            self.live = None;
        } else {
            let (base, name) = (&self.base, known.name());
            let live = self.live.get_or_insert_with(|| Wall::of_event(base.clone(), name, wake));
            next = live.update(now, seen, wake);
            live.call(fresh, |game| now::called(known, game));
            if live.len() > 0 || !live.is_listed() {
                self.latest = None;
                return next;
            }
        }
        if self.latest.is_none() || fresh {
            let newest: Vec<Target> =
                known.newest(BOARDS).into_iter().map(|game| self.recording(game)).collect();
            match &mut self.latest {
                Some(latest) => latest.bring(newest, wake),
                None => self.latest = Some(Wall::fixed(&newest, wake)),
            }
        }
        let Some(latest) = &mut self.latest else { return next };
        latest.set_spoiler_free(known.hides());
        next = next.sooner(latest.update(now, seen, wake));
        latest.call(fresh, |game| now::called(known, game));
        next
    }

    /// Shows the screen; returns the viewer's request.
    pub(crate) fn show(&mut self, ui: &mut Ui, viewer: Viewer<'_>) -> Option<TournamentRequest> {
        let frame = Frame::new().fill(Palette::of(ui.ctx()).panel).inner_margin(Margin::symmetric(14, 10));
        frame.show(ui, |ui| self.show_inside(ui, viewer)).inner
    }

    fn show_inside(&mut self, ui: &mut Ui, viewer: Viewer<'_>) -> Option<TournamentRequest> {
        let Some(report) = self.report.take() else {
            if let Some(trouble) = &self.trouble {
                ui.add_space(20.0);
                if trouble_card::show(ui, trouble, Some("Try again")) {
                    self.refresh();
                }
            } else {
                ui.add_space(60.0);
                ui.vertical_centered(|ui| {
                    ui.spinner();
                    ui.weak(format!("Asking {} for its tournament…", self.base));
                });
            }
            return None;
        };
        let known = VisibleTournament::new(&report, viewer.watched, viewer.hides && !self.revealed);
        let mut asked = head::show(ui, &known, self.place, viewer.hides && self.revealed);
        if let Some(trouble) = &self.trouble {
            ui.colored_label(Palette::of(ui.ctx()).warning, trouble.to_string());
        }
        asked = self.show_part(ui, &known, report.revision, viewer).or(asked);
        self.report = Some(report);
        asked
    }

    fn show_part(
        &mut self,
        ui: &mut Ui,
        known: &VisibleTournament<'_>,
        revision: u64,
        viewer: Viewer<'_>,
    ) -> Option<TournamentRequest> {
        let place = self.place;
        let stage = place.stage.map_or_else(|| known.latest(), |stage| stage as usize - 1);
        if place.tab == Tab::Now {
            return now::show(ui, known, (&mut self.live, &mut self.latest), viewer);
        }
        let mut asked = None;
        // Each view has its own scroll position.
        let area = ScrollArea::both().auto_shrink(false).id_salt(place.tab.name());
        let ctx = ui.ctx().clone();
        let mut contents = |ui: &mut Ui| {
            asked = match (place.tab, known.tables(stage)) {
                (Tab::Rounds, _) => rounds::show(ui, known, stage, place),
                (Tab::Bracket, _) => bracket::show(ui, known, stage),
                (Tab::Games, _) => {
                    let path = games::path(known, place);
                    let answer = self.games.want(&ctx, &self.base, path, revision);
                    games::show(ui, known, place, answer.map(|games| games.map(Vec::as_slice)))
                }
                (Tab::Player, _) => {
                    let number = place.player.unwrap_or(1);
                    let path = format!("api/tournament/players/{number}");
                    let answer = match known.hides() {
                        true => Ok(None),
                        false => self.player.want(&ctx, &self.base, path, revision),
                    };
                    player::show(ui, known, number, answer)
                }
                (_, None) => head::hidden(ui, known),
                (Tab::Crosstable, Some(tables)) => crosstable::show(ui, known, stage, tables),
                (Tab::Ratings, Some(tables)) => {
                    let path = format!("api/tournament/ratings?stage={}", stage + 1);
                    let answer = self.ratings.want(&ctx, &self.base, path, revision);
                    ratings::show(ui, known, place, tables, answer.map(|all| all.and_then(|all| all.first())))
                }
                (Tab::Standings | Tab::Now, Some(tables)) => {
                    standings::show(ui, known, place, (stage, tables))
                }
            };
        };
        area.show(ui, |ui| list_keys::show(ui, list_keys::Arrangement::Column, &mut contents));
        asked
    }
}
