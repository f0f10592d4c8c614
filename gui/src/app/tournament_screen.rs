//! Screen of a tournament, and the ways to its games and back.

use eframe::egui::{CentralPanel, Context, Frame, Ui};
use grandstand_board::theme::Palette;
use grandstand_replays::Growth;

use super::{App, wake};
use crate::address::Base;
use crate::address::tournament::TournamentView;
use crate::session::{NextFrame, Session, Stage};
use crate::source::{self, Wake};
use crate::tournament::{Tournament, TournamentRequest, Viewer};

impl App {
    /// Shows a view of a server's tournament. `open` is used again if it is of the same server.
    pub(super) fn show_tournament(
        &mut self,
        open: Option<Box<Tournament>>,
        base: Base,
        place: TournamentView,
        wake: Wake,
    ) {
        self.match_list.rest();
        (self.session, self.wall, self.compare) = (None, None, None);
        let mut tournament = match open.filter(|open| *open.base() == base) {
            Some(open) => open,
            None => Box::new(Tournament::new(base, place, wake)),
        };
        tournament.go(place);
        self.tournament = Some(tournament);
    }

    /// Whether the tournament is on the screen.
    pub(super) fn shows_tournament(&self) -> bool {
        self.tournament.is_some() && self.session.is_none() && self.wall.is_none()
    }

    /// Goes back to the tournament's previous view; returns false if there is none.
    pub(super) fn tournament_goes_back(&mut self) -> bool {
        self.tournament.as_mut().is_some_and(|tournament| tournament.go_back())
    }

    /// Shows the tournament that is open behind a match, or the server's.
    pub(super) fn ask_for_tournament(&mut self, ctx: &Context) {
        if self.tournament.is_some() {
            (self.session, self.wall, self.compare) = (None, None, None);
        } else if let Some(base) = self.match_list.server.with_tournament().cloned() {
            self.show_tournament(None, base, TournamentView::default(), wake(ctx));
        }
    }

    /// Takes what has arrived of the tournament, and notes a game that was watched to its end.
    pub(super) fn update_tournament(&mut self, ctx: &Context, now: f64) -> NextFrame {
        let seen = self.session.is_none() && self.wall.is_none();
        let (options, text) = (self.board_options(), self.text(ctx));
        let Some(tournament) = &mut self.tournament else { return NextFrame::Idle };
        let Some(key) = tournament.key() else {
            let watched = self.settings.watched.of("");
            let viewer = Viewer { watched: &watched, hides: self.settings.spoiler_free, options, text };
            return tournament.update(now, seen, viewer, &wake(ctx));
        };
        let session = self.session.as_ref().filter(|session| is_watched(session));
        if let Some(game) = session.and_then(|session| tournament.game_of(&session.target)) {
            self.settings.watched.note(&key, game);
        }
        let watched = self.settings.watched.of(&key);
        let viewer = Viewer { watched: &watched, hides: self.settings.spoiler_free, options, text };
        tournament.update(now, seen, viewer, &wake(ctx))
    }

    pub(super) fn show_tournament_screen(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let (options, text) = (self.board_options(), self.text(&ctx));
        let Some(tournament) = &mut self.tournament else { return };
        let key = tournament.key().unwrap_or_default();
        let watched = self.settings.watched.of(&key);
        let viewer = Viewer { watched: &watched, hides: self.settings.spoiler_free, options, text };
        let mut asked = None;
        let frame = Frame::new().fill(Palette::of(&ctx).panel);
        CentralPanel::default().frame(frame).show(ui, |ui| asked = tournament.show(ui, viewer));
        match asked {
            None => {}
            Some(TournamentRequest::Go(place)) => tournament.go(place),
            Some(TournamentRequest::RevealAll) => tournament.reveal_all(),
            Some(TournamentRequest::Reveal(games)) => {
                games.into_iter().for_each(|game| self.settings.watched.note(&key, game))
            }
            Some(TournamentRequest::Watch(game)) if !tournament.was_played(game, &watched) => {
                self.say(&ctx, format!("Game {game} was not played: it was not needed, or is still to come"));
            }
            Some(TournamentRequest::Watch(game)) => {
                let target = tournament.recording(game);
                if let Some(feed) = source::open(&target, wake(&ctx)) {
                    self.watch(target, feed);
                }
            }
            Some(TournamentRequest::Open(target)) => {
                if let Some(feed) = source::open(&target, wake(&ctx)) {
                    self.show_session(Session::new(target, feed));
                }
            }
        }
    }
}

/// Whether a recording has been watched to its end.
fn is_watched(session: &Session) -> bool {
    let log = session.whole_log();
    let whole = log.growth() == Growth::Complete && matches!(session.stage, Stage::Open);
    whole && log.last_seq() > 0 && session.seq() >= log.last_seq()
}
