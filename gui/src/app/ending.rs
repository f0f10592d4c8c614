//! The result card, and the ways on from it.

use eframe::egui::Context;

use super::App;
use crate::panels::result_card::ResultCardAction;

impl App {
    /// Whether the card is on the screen.
    pub(super) fn shows_result_card(&self) -> bool {
        let alone = !self.bare && self.compare.is_none() && self.projector.is_none();
        let session = self.session.as_ref().filter(|_| alone);
        session.is_some_and(|session| self.result_card.is_shown(session, self.settings.spoiler_free))
    }

    /// Executes a request of the card.
    pub(super) fn end_with(&mut self, ctx: &Context, wish: ResultCardAction) {
        match (wish, &mut self.session) {
            (ResultCardAction::Close, _) => self.result_card.close(),
            (ResultCardAction::Open(target), _) => self.open(ctx, target),
            (ResultCardAction::Rematch(target), _) => {
                self.open(ctx, target);
                let name = self.settings.player_name.trim().to_owned();
                if let Some(session) = &mut self.session {
                    session.seat_client.sits_as = Some(name);
                }
            }
            (ResultCardAction::Action(action), _) => self.act(ctx, action),
            (ResultCardAction::PlayAgain, Some(session)) => session.play_again(),
            (ResultCardAction::Seq(seq), Some(session)) => drop(session.show_moment(Some(seq))),
            (ResultCardAction::PlayAgain | ResultCardAction::Seq(_), None) => {}
        }
    }
}
