//! Screen of a tournament: tables, brackets, rounds, ratings, games, players, and what is played now.
//!
//! All figures come from the server. What may be shown of them says [`Known`]; each part of the screen gets that and nothing else, and
//! gives an [`Ask`] when something was pressed.
//!
//! | module | what it is |
//! | --- | --- |
//! | `known` | what the viewer may know, in spoiler mode too |
//! | `answers` | what is asked for besides the report |
//! | `head` | title, parts, stages |
//! | `table` | the table that most parts consist of |
//! | `standings`, `crosstable`, `bracket`, `rounds`, `ratings`, `games`, `player` | the parts |

mod answers;
mod bracket;
mod crosstable;
mod games;
mod head;
mod known;
mod player;
mod ratings;
mod rounds;
mod standings;
mod table;

use eframe::egui::{Frame, Margin, ScrollArea, Ui, UiBuilder};
use grandstand_board::Options;
use grandstand_board::theme::Palette;

use self::answers::Asked;
use self::known::Known;
use crate::address::bookmarks::Bookmarks;
use crate::address::tournament::{Place, Tab};
use crate::address::{Base, Target};
use crate::errors::Trouble;
use crate::panels::match_list::trouble_card;
use crate::panels::wall::{Text, Wall, WallRequest};
use crate::session::NextFrame;
use crate::settings::WatchedGames;
use crate::source::Wake;
use crate::source::tournament::{
    GameLine, PlayerReport, RatingHistory, Report, Reports, recording, watch_tournament,
};

/// Boards with what was played last.
const BOARDS: usize = 6;

/// What the viewer asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ask {
    /// Another part of the tournament.
    Go(Place),
    /// To watch a game.
    Watch(u64),
    /// To see a board of the wall alone.
    Open(Target),
    /// The results of these games, as if they had been watched.
    Reveal(Vec<u64>),
    /// All results, as long as the tournament is open.
    RevealAll,
}

/// A tournament that is open.
#[derive(Debug)]
pub(crate) struct Tournament {
    base: Base,
    place: Place,
    /// What was shown before, for the way back.
    before: Vec<Place>,
    reports: Reports,
    report: Option<Box<Report>>,
    trouble: Option<Trouble>,
    revealed: bool,
    games: Asked<Vec<GameLine>>,
    player: Asked<PlayerReport>,
    ratings: Asked<Vec<RatingHistory>>,
    wall: Option<Wall>,
}

/// What of the program's settings the screen needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Viewer<'a> {
    /// The games of this tournament that were watched.
    pub watched: &'a WatchedGames,
    /// Spoiler mode is on.
    pub hides: bool,
    /// What is seen on boards.
    pub options: Options,
    /// How large boards' texts are.
    pub text: Text,
}

impl Tournament {
    /// The tournament of a server.
    pub(crate) fn new(base: Base, place: Place, wake: Wake) -> Tournament {
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
            wall: None,
        }
    }

    /// What opens the same again.
    pub(crate) fn target(&self) -> Target {
        Target::Tournament { base: self.base.clone(), place: self.place }
    }

    /// The server.
    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    /// What is shown.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// What it is called; empty until that is known.
    pub(crate) fn name(&self) -> &str {
        self.report.as_ref().map_or("", |report| &report.name)
    }

    /// What is wrong.
    pub(crate) fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    /// Whether it has come.
    pub(crate) fn is_open(&self) -> bool {
        self.report.is_some()
    }

    /// What tells this tournament from every other, whatever server shows it.
    pub(crate) fn key(&self) -> Option<String> {
        self.report.as_ref().map(|report| format!("{} {}", report.created, report.seed_sha256))
    }

    /// The target that opens the recording of a game.
    pub(crate) fn recording(&self, game: u64) -> Target {
        Target::Recording { url: self.base.http(&recording(game)), seq: None, marks: Bookmarks::default() }
    }

    /// The game whose recording that is.
    pub(crate) fn game_of(&self, target: &Target) -> Option<u64> {
        let Target::Recording { url, .. } = target else { return None };
        let name = url.strip_prefix(&self.base.http("tournament/recordings/"))?;
        name.strip_suffix(".replay")?.parse().ok()
    }

    /// Whether a game of this number was played.
    pub(crate) fn was_played(&self, game: u64, watched: &WatchedGames) -> bool {
        let report = self.report.as_ref();
        report.is_some_and(|report| Known::new(report, watched, false).was_played(game))
    }

    /// Shows another part.
    pub(crate) fn go(&mut self, place: Place) {
        if place != self.place {
            self.before.push(self.place);
            self.place = place;
        }
    }

    /// Shows what was shown before; false where there is nothing.
    pub(crate) fn go_back(&mut self) -> bool {
        self.before.pop().map(|place| self.place = place).is_some()
    }

    /// Shows all results as long as it is open.
    pub(crate) fn reveal_all(&mut self) {
        self.revealed = true;
    }

    /// Hides results again.
    pub(crate) fn hide(&mut self) {
        self.revealed = false;
    }

    /// Asks the server at once.
    pub(crate) fn refresh(&self) {
        self.reports.refresh();
    }

    /// Takes what has arrived, and says when the next frame is needed. `now` is the interface's time in seconds.
    pub(crate) fn update(&mut self, now: f64, seen: bool, viewer: Viewer<'_>, wake: &Wake) -> NextFrame {
        let mut fresh = false;
        for update in self.reports.updates.try_iter() {
            match update {
                Ok(report) => {
                    (self.report, self.trouble) = (Some(report), None);
                    fresh = true;
                }
                // What is known stays; a tournament that never came says why.
                Err(trouble) => self.trouble = Some(trouble),
            }
        }
        if self.place.tab != Tab::Now {
            self.wall = None;
            return NextFrame::Idle;
        }
        let hides = viewer.hides && !self.revealed;
        let Some(report) = &self.report else { return NextFrame::Idle };
        // Live matches tell who is still in.
        if self.wall.as_ref().is_some_and(|wall| wall.has_server() == hides) {
            self.wall = None;
        }
        if self.wall.is_none() || fresh {
            let newest = Known::new(report, viewer.watched, hides).newest(BOARDS);
            let newest: Vec<Target> = newest.into_iter().map(|game| self.recording(game)).collect();
            match &mut self.wall {
                Some(wall) => wall.bring(newest, wake),
                None => {
                    let live = (!hides).then(|| Target::Server(self.base.clone()));
                    let targets: Vec<Target> = newest.into_iter().chain(live).collect();
                    self.wall = Some(Wall::new(&targets, wake));
                }
            }
        }
        let Some(wall) = &mut self.wall else { return NextFrame::Idle };
        wall.set_spoiler_free(hides);
        wall.update(now, seen, wake)
    }

    /// Shows the screen; what the viewer asked for.
    pub(crate) fn show(&mut self, ui: &mut Ui, viewer: Viewer<'_>) -> Option<Ask> {
        let frame = Frame::new().fill(Palette::of(ui.ctx()).panel).inner_margin(Margin::symmetric(14, 10));
        frame.show(ui, |ui| self.show_inside(ui, viewer)).inner
    }

    fn show_inside(&mut self, ui: &mut Ui, viewer: Viewer<'_>) -> Option<Ask> {
        let Some(report) = self.report.take() else {
            if let Some(trouble) = &self.trouble {
                ui.add_space(20.0);
                if trouble_card(ui, trouble, Some("Try again")) {
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
        let known = Known::new(&report, viewer.watched, viewer.hides && !self.revealed);
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
        known: &Known<'_>,
        revision: u64,
        viewer: Viewer<'_>,
    ) -> Option<Ask> {
        let place = self.place;
        let stage = place.stage.map_or_else(|| known.latest(), |stage| stage as usize - 1);
        if place.tab == Tab::Now {
            let wall = self.wall.as_mut()?;
            if known.hides() && wall.len() == 0 {
                ui.weak("Nothing that was played can be shown, or all of it was watched.");
                return None;
            }
            // A wall takes all that its part of the screen has.
            let rest = UiBuilder::new().max_rect(ui.available_rect_before_wrap());
            let request = ui.scope_builder(rest, |ui| wall.show(ui, viewer.options, viewer.text)).inner?;
            let WallRequest::Enlarge(index) = request;
            let session = self.wall.as_ref()?.session(index)?;
            return Some(Ask::Open(session.target.clone()));
        }
        let mut asked = None;
        // Each part is scrolled by itself.
        ScrollArea::both().auto_shrink(false).id_salt(place.tab.name()).show(ui, |ui| {
            let ctx = ui.ctx().clone();
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
        });
        asked
    }
}
