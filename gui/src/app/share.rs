//! Sharing of what is shown.

use eframe::egui::{Context, Theme};
use grandstand_board::{self as board, BoardOptions};
use grandstand_export::Look;

use super::App;
use crate::panels::share_dialog::ShareRequest;

impl App {
    /// Whether a dialog with fields is open.
    pub(super) fn shows_dialog(&self) -> bool {
        self.new_game.is_some() || self.share.is_some() || self.settings_open
    }

    /// Look of the window, for pictures.
    pub(super) fn look(&self, ctx: &Context) -> Look {
        let session = self.session.as_ref();
        // In a comparison and on a wall, every board is whole.
        let options = BoardOptions { upright: self.upright, ..self.board_options() };
        let part =
            session.and_then(|session| self.view.part(board::view(session.scene()).shape_with(options)));
        let part = part.filter(|_| self.compare.is_none());
        // The whole board lies, whatever the room in the window.
        let options = BoardOptions { upright: options.upright && part.is_some(), ..options };
        let hidden = self.board_inspector.hidden.clone();
        Look { light: ctx.theme() == Theme::Light, options, hidden, part }
    }

    /// Shows the dialog for sharing, and does what was asked for.
    pub(super) fn show_share(&mut self, ctx: &Context) {
        let request = match (&mut self.share, &self.session) {
            (Some(share), Some(session)) => share.show(ctx, session),
            (Some(_), None) => Some(ShareRequest::Close),
            (None, _) => None,
        };
        if request.is_some() {
            self.share = None;
        }
        if let Some(ShareRequest::Action(action)) = request {
            self.perform(ctx, action);
        }
    }
}
