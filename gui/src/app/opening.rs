//! Opening of targets, and the way back to the list.

use eframe::egui::Context;

use super::{App, wake};
use crate::address::Target;
use crate::address::links;
use crate::panels::result_card::ResultCard;
use crate::session::Session;
use crate::source;

impl App {
    /// Opens a target in place of all that is open.
    pub fn open(&mut self, ctx: &Context, target: Target) {
        let wake = wake(ctx);
        let tournament = self.tournament.take();
        (self.wall, self.session, self.compare) = (None, None, None);
        match target {
            Target::Server(base) => self.match_list.connect(base, wake),
            #[cfg(not(target_arch = "wasm32"))]
            Target::Folder(path) => self.match_list.open_folder(&path, wake),
            #[cfg(not(target_arch = "wasm32"))]
            Target::File(path) if path.is_dir() => self.match_list.open_folder(&path, wake),
            Target::Wall(targets) => self.show_wall(&targets, &wake),
            Target::Tournament { base, place } => self.show_tournament(tournament, base, place, wake),
            Target::Compare(comparison) => self.show_comparison(ctx, *comparison),
            target => {
                // A game of the tournament leads back to it.
                self.tournament = tournament.filter(|tournament| tournament.game_of(&target).is_some());
                if let Some(feed) = source::open(&target, wake) {
                    self.watch(target, feed);
                }
            }
        }
    }

    /// Shows the picture after a command of the open match as soon as it has been loaded, and stays there.
    pub fn want(&mut self, seq: u64) {
        if let Some(session) = &mut self.session {
            session.want(seq);
        }
    }

    pub(crate) fn watch(&mut self, target: Target, feed: source::Feed) {
        self.show_session(Session::new(target, feed));
    }

    pub(crate) fn show_session(&mut self, mut session: Session) {
        self.settings.prepare(&mut session);
        session.set_spoiler_free(self.settings.spoiler_free);
        if session.bookmarks().is_empty()
            && let Some(kept) = self.settings.bookmarks.of(&session.target)
        {
            session.set_bookmarks(kept);
        }
        self.noted_bookmarks = session.bookmarks().version();
        self.compare = None;
        self.in_recents = false;
        self.match_list.rest();
        self.side_panel.renew();
        self.show_whole_board();
        self.timeline.renew();
        self.flipped = false;
        self.board_inspector.renew();
        self.sound.renew();
        self.result_card = ResultCard::default();
        self.session = Some(session);
    }

    /// Whether the list of matches is shown.
    pub(super) fn shows_list(&self) -> bool {
        self.session.is_none() && self.wall.is_none() && self.tournament.is_none()
    }

    /// Goes back to the list of matches, to the row of the match that was shown; from a wall to the list from which it was opened.
    pub(crate) fn show_match_list(&mut self, ctx: &Context) {
        self.compare = None;
        self.match_list.seek(self.session.as_ref().map(|session| session.target.clone()));
        if let Some(list) = self.wall.take().and_then(|wall| wall.list) {
            self.session = None;
            if self.match_list.shown().as_ref() != Some(&list) {
                self.open(ctx, list);
            }
            return;
        }
        let tournament = self.tournament.take().map(|tournament| tournament.base().clone());
        let base = match self.session.take().map(|session| session.target.clone()) {
            Some(Target::Match { base, .. }) => Some(base),
            _ => None,
        };
        if self.match_list.server.base().is_some()
            || base.is_none() && self.match_list.shown_folder().is_some()
        {
            return;
        }
        let server = &self.match_list.server;
        let base = base.or(tournament).or_else(|| server.last().cloned());
        let base = base.unwrap_or_else(|| server.local().clone());
        self.match_list.connect(base, wake(ctx));
    }

    /// Copies a link to the shown moment to the clipboard.
    pub(super) fn copy_link(&mut self, ctx: &Context) {
        let tournament = self.tournament.as_ref().filter(|_| self.wall.is_none());
        let link = match (&self.session, &self.wall, self.match_list.server.base()) {
            (None, ..) if let Some(tournament) = tournament => links::link(&tournament.target(), 0, ""),
            (Some(session), ..) if let Some(compare) = &self.compare => compare.link(session),
            (Some(session), ..) => links::link(&session.target, session.seq(), &session.bookmarks().member()),
            (None, Some(wall), _) => links::link(&wall.target(), 0, ""),
            (None, None, Some(base)) => links::link(&Target::Server(base.clone()), 0, ""),
            (None, None, None) => match self.match_list.shown_folder() {
                Some(folder) => links::link(&folder, 0, ""),
                None => Err("No link: nothing is open"),
            },
        };
        let words = match link {
            Ok(link) if links::can_copy() => {
                let words = format!("{}: {}", link.what, link.text);
                ctx.copy_text(link.text);
                words
            }
            Ok(_) => "The browser allows no copying here: take the link from the address bar".to_owned(),
            Err(why) => why.to_owned(),
        };
        self.say(ctx, words);
    }

    /// Opens a file that was dropped on the window.
    pub(super) fn take_dropped(&mut self, ctx: &Context) {
        let dropped = ctx.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        let Some(file) = dropped.into_iter().next() else { return };
        #[cfg(not(target_arch = "wasm32"))]
        self.open(ctx, Target::File(file.path().to_owned()));
        #[cfg(target_arch = "wasm32")]
        if let Some(file) = file.web_file() {
            self.open_page_file(ctx, file.clone(), None);
        }
    }

    /// Opens a file that the page handed over.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn open_page_file(&mut self, ctx: &Context, file: web_sys::File, seq: Option<u64>) {
        self.wall = None;
        let target = Target::File(file.name().into());
        self.watch(target, source::open_page_file(file, wake(ctx)));
        if let Some(seq) = seq {
            self.want(seq);
        }
    }
}
