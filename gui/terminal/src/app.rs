//! The whole interface: the shown content, the effect of keys, and the time of the next frame.
//!
//! It has no terminal and no clock. Both are arguments, as for all of its parts.

use grandstand_source::address::Target;
use grandstand_source::{FolderFeed, Listing, Wake, open, watch_folder, watch_list};

use crate::canvas::{Canvas, fit_colors, ink};
use crate::games::{Size, board};
use crate::input::Action;
use crate::layout::{Area, arrange};
use crate::look::{GROUND, Look, TEXT};
use crate::panels::list::MatchList;
use crate::panels::{help, moments, score, timeline, trouble};
use crate::session::{Session, Stage};
use ratatui_core::buffer::Buffer;

/// The list of a server's matches, or of a folder's recordings. It is kept up to date as long as it is shown.
#[derive(Debug)]
struct Home {
    /// The server or the folder.
    target: Target,
    list: MatchList,
    updates: Option<Updates>,
}

/// Where the rows of the list come from.
#[derive(Debug)]
enum Updates {
    Server(Listing),
    Folder(FolderFeed),
}

/// A request to the main loop besides painting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoopRequest {
    /// No request.
    None,
    Quit,
    Suspend,
    Redraw,
}

/// The spectator.
pub(crate) struct App {
    look: Look,
    wake: Wake,
    home: Option<Home>,
    session: Option<Session>,
    helps: bool,
    /// The reason why the last key had no effect.
    notice: Option<&'static str>,
    now: f64,
}

impl App {
    /// The spectator of a match, of a recording, of the matches of a server or of the recordings of a folder. `seq` is the command
    /// to start at.
    pub(crate) fn new(target: Target, seq: Option<u64>, look: Look, wake: Wake) -> App {
        let mut app = App { look, wake, home: None, session: None, helps: false, notice: None, now: 0.0 };
        match target {
            Target::Server(_) | Target::Folder(_) => app.list(target),
            target => app.watch(target, seq),
        }
        app
    }

    /// The spectator of a match that is already open.
    #[cfg(test)]
    pub(crate) fn showing(session: Session, look: Look, wake: Wake) -> App {
        App { look, wake, home: None, session: Some(session), helps: false, notice: None, now: 0.0 }
    }

    /// The shown match.
    #[cfg(test)]
    pub(crate) fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    fn watch(&mut self, target: Target, seq: Option<u64>) {
        let feed = open(&target, self.wake.clone());
        self.session = Some(Session::new(target, feed, seq));
        self.notice = None;
        if let Some(home) = &mut self.home {
            // The list is not shown now.
            home.updates = None;
        }
    }

    /// Shows the matches of a server, or the recordings of a folder.
    fn list(&mut self, target: Target) {
        self.session = None;
        let known = self.home.take().filter(|home| home.target == target);
        let list = known.map(|home| home.list).unwrap_or_default();
        let updates = self.updates_of(&target);
        self.home = Some(Home { target, list, updates });
    }

    fn updates_of(&self, target: &Target) -> Option<Updates> {
        match target {
            Target::Server(base) => Some(Updates::Server(watch_list(base.clone(), self.wake.clone()))),
            Target::Folder(path) => Some(Updates::Folder(watch_folder(path.clone(), self.wake.clone()))),
            _ => None,
        }
    }

    /// Takes the updates that arrived and advances the clock to `now`, in seconds. Returns the number of seconds until the next frame;
    /// `None` waits until something arrives or a key is pressed.
    pub(crate) fn update(&mut self, now: f64) -> Option<f64> {
        self.now = now;
        if let Some(Home { target, list, updates }) = &mut self.home {
            match (&*target, &*updates) {
                (Target::Server(base), Some(Updates::Server(listing))) => {
                    listing.updates.try_iter().for_each(|matches| list.take_matches(base, matches));
                }
                (_, Some(Updates::Folder(feed))) => {
                    feed.updates.try_iter().for_each(|update| list.take_folder(update));
                }
                _ => {}
            }
        }
        self.session.as_mut().and_then(|session| session.update(now))
    }

    /// Performs the action of a key.
    pub(crate) fn act(&mut self, action: Action) -> LoopRequest {
        self.notice = None;
        match action {
            Action::Quit => return LoopRequest::Quit,
            Action::Suspend => return LoopRequest::Suspend,
            Action::Redraw => return LoopRequest::Redraw,
            Action::Help => self.helps = !self.helps,
            Action::Leave if self.helps => self.helps = false,
            Action::Leave | Action::List => return self.leave(action),
            _ if self.session.is_some() => self.act_on_match(action),
            _ => self.act_on_list(action),
        }
        LoopRequest::None
    }

    /// Goes back to the list. From the list, or where there is none, Escape ends the program.
    fn leave(&mut self, action: Action) -> LoopRequest {
        let of_match = self.session.as_ref().and_then(|session| match &session.target {
            Target::Match { base, .. } => Some(Target::Server(base.clone())),
            _ => None,
        });
        let home = self.home.as_ref().map(|home| home.target.clone()).or(of_match);
        match home.filter(|_| self.session.is_some()) {
            Some(home) => self.list(home),
            None if action == Action::Leave => return LoopRequest::Quit,
            None => self.notice = Some("This recording comes from no server: there is no list of matches"),
        }
        LoopRequest::None
    }

    fn act_on_match(&mut self, action: Action) {
        let Some(session) = &mut self.session else { return };
        match action {
            Action::PlayPause => session.play_or_pause(),
            Action::NextCommand => session.step(true),
            Action::PreviousCommand => session.step(false),
            Action::NextTurn => session.step_turn(true),
            Action::PreviousTurn => session.step_turn(false),
            Action::NextEvent | Action::PreviousEvent => {
                let forward = action == Action::NextEvent;
                if !session.go_to_event(forward) {
                    let names = grandstand_story::story(session.scene()).events();
                    self.notice = Some(if forward { names.none_after } else { names.none_before });
                }
            }
            Action::Start => session.go_to_start(),
            Action::End => session.go_to_end(),
            Action::Forward => session.go_by_part(0.05),
            Action::Back => session.go_by_part(-0.05),
            Action::Tenths(tenths) => session.go_to_part(f64::from(tenths) / 10.0),
            Action::Faster => session.change_speed(true),
            Action::Slower => session.change_speed(false),
            Action::NormalSpeed => session.normal_speed(),
            Action::ToggleIdle => session.toggle_idle(),
            Action::Reconnect => {
                session.reconnect_now();
                if matches!(session.stage, Stage::Failed(_)) {
                    let target = session.target.clone();
                    self.watch(target, None);
                }
            }
            _ => {}
        }
    }

    fn act_on_list(&mut self, action: Action) {
        let Some(home) = &mut self.home else { return };
        match action {
            // The arrow keys choose a match here.
            Action::Faster => home.list.choose(false),
            Action::Slower => home.list.choose(true),
            Action::Reconnect => match &home.updates {
                Some(Updates::Server(listing)) => listing.refresh(),
                _ => {
                    let target = home.target.clone();
                    self.list(target);
                }
            },
            Action::Choose | Action::PlayPause | Action::NextCommand => {
                match home.list.chosen().map(|row| row.target.clone()) {
                    Some(folder @ Target::Folder(_)) => self.list(folder),
                    Some(target) => self.watch(target, None),
                    None => {}
                }
            }
            _ => {}
        }
    }

    /// Paints everything into a buffer, in colours that the terminal supports.
    pub(crate) fn paint(&self, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(buffer, self.look);
        canvas.clear(ink(TEXT).bg(GROUND));
        match (&self.session, &self.home) {
            (Some(session), _) => paint_session(&mut canvas, session, self.notice, self.now),
            (None, Some(home)) => home.list.paint(&mut canvas, &home.target),
            (None, None) => {}
        }
        if self.helps {
            help::paint(&mut canvas);
        }
        fit_colors(buffer, self.look);
    }
}

/// Paints a match, or the reason why there is none.
pub(crate) fn paint_session(canvas: &mut Canvas<'_>, session: &Session, notice: Option<&str>, now: f64) {
    match &session.stage {
        Stage::Opening => return trouble::paint_opening(canvas, &session.target.to_string()),
        Stage::Failed(why) => return trouble::paint(canvas, why),
        Stage::Open => {}
    }
    let board = board(session.scene());
    let layout = arrange(Size { width: canvas.width(), height: canvas.height() }, board, canvas.look);
    let part = |canvas: &mut Canvas<'_>, area: Area, paint: &dyn Fn(&mut Canvas<'_>)| {
        paint(&mut canvas.part(area.x, area.y, area.width, area.height));
    };
    part(canvas, layout.header, &|canvas| score::paint(canvas, session));
    part(canvas, layout.board, &|canvas| board.paint(canvas));
    if let Some(area) = layout.moments {
        part(canvas, area, &|canvas| moments::paint(canvas, session));
    }
    part(canvas, layout.footer, &|canvas| timeline::paint(canvas, session, notice, now));
}
