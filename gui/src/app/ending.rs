//! The card at the end of a match, and where it leads.

use eframe::egui::Context;

use super::App;
use crate::finale::Wish;

impl App {
    /// Whether the card is on the screen.
    pub(super) fn shows_finale(&self) -> bool {
        let alone = !self.bare && self.compare.is_none() && self.projector.is_none();
        let session = self.session.as_ref().filter(|_| alone);
        session.is_some_and(|session| self.finale.is_shown(session, self.settings.spoiler_free))
    }

    /// Does what the viewer asked for on the card.
    pub(super) fn end_with(&mut self, ctx: &Context, wish: Wish) {
        match (wish, &mut self.session) {
            (Wish::Close, _) => self.finale.close(),
            (Wish::Open(target), _) => self.open(ctx, target),
            (Wish::Action(action), _) => self.act(ctx, action),
            (Wish::PlayAgain, Some(session)) => session.play_again(),
            (Wish::Seq(seq), Some(session)) => drop(session.show_moment(Some(seq))),
            (Wish::PlayAgain | Wish::Seq(_), None) => {}
        }
    }
}
