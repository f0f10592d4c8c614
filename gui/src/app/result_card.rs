//! The result card, and the ways on from it.

use eframe::egui::Context;

use grandstand_protocol::ChosenSettings;

use super::App;
use crate::address::Target;
use crate::panels::new_game::{NewGame, NewGameRequest};
use crate::panels::result_card::ResultCardAction;

impl App {
    /// Whether the card is on the screen.
    pub(super) fn shows_result_card(&self) -> bool {
        let alone = !self.embedded && self.compare.is_none() && self.projector.is_none();
        let session = self.session.as_ref().filter(|_| alone);
        session.is_some_and(|session| self.result_card.is_shown(session, self.settings.spoiler_free))
    }

    /// Executes a request of the card.
    pub(super) fn handle_result_card(&mut self, ctx: &Context, request: ResultCardAction) {
        match (request, &mut self.session) {
            (ResultCardAction::Close, _) => self.result_card.close(),
            (ResultCardAction::Unfold(unfolded), _) => self.result_card.unfold(unfolded),
            (ResultCardAction::Open(target), _) => self.open(ctx, target),
            (ResultCardAction::Rematch(target), _) => {
                self.play(ctx, target, None);
                self.say(ctx, "Asking for the rematch…");
            }
            (ResultCardAction::NewGame(target), Some(session)) => {
                self.new_game = Some(NewGame::new(target, session.seat_client.setup.clone()));
            }
            (ResultCardAction::Action(action), _) => self.perform(ctx, action),
            (ResultCardAction::WatchAgain, Some(session)) => session.play_again(),
            (ResultCardAction::Seq(seq), Some(session)) => drop(session.show_moment(Some(seq))),
            (
                ResultCardAction::WatchAgain | ResultCardAction::Seq(_) | ResultCardAction::NewGame(_),
                None,
            ) => {}
        }
    }

    /// Takes the first free seat of a match; with settings, asks there for a match with these in its place.
    fn play(&mut self, ctx: &Context, target: Target, settings: Option<ChosenSettings>) {
        if self.session.as_ref().is_none_or(|session| session.target != target) {
            self.open(ctx, target);
        }
        let name = self.settings.player_name.trim().to_owned();
        if let Some(session) = &mut self.session {
            (session.seat_client.sits_as, session.seat_client.wants) = (Some(name), settings);
        }
    }

    /// Opens the dialog for a match in place of the one that is shown.
    pub(super) fn ask_for_new_game(&mut self) {
        if let Some(session) = &self.session {
            self.new_game = Some(NewGame::new(session.target.clone(), session.seat_client.setup.clone()));
        }
    }

    /// Shows the dialog for a new game, and does what was asked for.
    pub(super) fn show_new_game(&mut self, ctx: &Context) {
        let Some(dialog) = &mut self.new_game else { return };
        match dialog.show(ctx, &mut self.settings.player_name) {
            Some(NewGameRequest::Start(target, chosen)) => {
                self.new_game = None;
                self.play(ctx, target, Some(chosen));
            }
            Some(NewGameRequest::Cancel) => self.new_game = None,
            None => {}
        }
    }

    /// Follows the viewer's seat to the match that takes the place of the one that is shown.
    pub(super) fn follow_new_game(&mut self, ctx: &Context) {
        let Some(session) = &self.session else { return };
        if !session.seat_client.replaced || !session.is_over() {
            return;
        }
        if let Some(next) = self.result_card.next_match(ctx, session) {
            self.play(ctx, next, None);
        }
    }
}
