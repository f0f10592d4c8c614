//! Screen of the wall, and the way to one board and back.

use eframe::egui::{CentralPanel, Context, Frame, Ui};
use grandstand_board::theme::Palette;

use super::{App, wake};
use crate::actions::Action;
use crate::address::{Base, Target};
use crate::panels::wall::{Wall, WallRequest};
use crate::session::Session;
use crate::source::{self, Wake};

impl App {
    /// Shows a wall of these targets; a server stands for its live matches.
    pub(super) fn show_wall(&mut self, targets: &[Target], wake: &Wake) {
        let opened_from = self.session.is_none().then(|| self.match_list.shown()).flatten();
        self.match_list.rest();
        (self.session, self.compare) = (None, None);
        let mut wall = Wall::new(targets, wake);
        wall.list = opened_from.or(wall.list);
        self.wall = Some(wall);
    }

    /// Shows the wall that is open behind a match; or one of what is selected in the list, of its folder, or of the server's live matches.
    pub(super) fn ask_for_wall(&mut self, ctx: &Context) {
        let listed: Vec<Target> = self.for_wall().cloned().collect();
        if self.wall.is_some() {
            self.session = None;
        } else if !listed.is_empty() {
            self.show_wall(&listed, &wake(ctx));
        } else if let Some(base) = self.wall_server() {
            self.show_wall(&[Target::Server(base)], &wake(ctx));
        }
    }

    /// What the list has for a wall, while it is shown.
    fn for_wall(&self) -> impl Iterator<Item = &Target> {
        self.match_list.for_wall().filter(|_| self.shows_list())
    }

    /// Whether there is something to show on a wall.
    pub(super) fn has_wall(&self) -> bool {
        self.wall.is_some() || self.wall_server().is_some() || self.for_wall().next().is_some()
    }

    /// The server of the open match or of the list.
    pub(super) fn wall_server(&self) -> Option<Base> {
        let own = match self.session.as_ref().map(|session| &session.target) {
            Some(Target::Match { base, .. }) => Some(base.clone()),
            _ => None,
        };
        let list = &self.match_list.server;
        own.or_else(|| list.base().or(list.last()).cloned())
    }

    pub(super) fn show_wall_screen(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let palette = Palette::of(&ctx);
        let text = self.text(&ctx);
        let options = self.board_options();
        let Some(wall) = &mut self.wall else { return };
        let mut ask = None;
        CentralPanel::default().frame(Frame::new().fill(palette.ground)).show(ui, |ui| {
            ask = wall.show(ui, options, text);
        });
        match ask {
            Some(WallRequest::Enlarge(index)) => self.enlarge(&ctx, index),
            Some(WallRequest::List) => self.show_match_list(&ctx),
            Some(WallRequest::TellRemoved) => self.tell_removed(&ctx),
            None => {}
        }
    }

    /// Says that a board was taken off the wall, and offers it back.
    pub(super) fn tell_removed(&mut self, ctx: &Context) {
        self.say_and_offer(ctx, "Removed from the wall", ("Undo", Action::RestoreBoard));
    }

    /// Shows one board of the wall alone; the wall stays open behind it.
    fn enlarge(&mut self, ctx: &Context, index: usize) {
        let Some(session) = self.wall.as_ref().and_then(|wall| wall.session(index)) else { return };
        let target = session.target.clone();
        let closer = session.closer().or_else(|| {
            let feed = source::open(&target, wake(ctx))?;
            Some(Session::new(target, feed))
        });
        if let Some(closer) = closer {
            self.show_session(closer);
        }
    }
}
