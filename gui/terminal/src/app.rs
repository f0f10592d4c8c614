//! The whole interface: the shown content, the effect of keys, and the time of the next frame.
//!
//! It has no terminal and no clock. Both are arguments, as for all of its parts.

use grandstand_source::address::{Base, Target};
use grandstand_source::{Listing, Wake, open, watch_list};

use crate::canvas::{Canvas, fit_colors, ink};
use crate::games::{Size, board};
use crate::input::Action;
use crate::layout::{Area, arrange};
use crate::look::{GROUND, Look, TEXT};
use crate::panels::list::MatchList;
use crate::panels::{help, moments, score, timeline, trouble};
use crate::session::{Session, Stage};
use ratatui_core::buffer::Buffer;

/// The matches of a server. They are requested as long as they are shown.
#[derive(Debug)]
struct Server {
    base: Base,
    list: MatchList,
    listing: Option<Listing>,
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
    server: Option<Server>,
    session: Option<Session>,
    helps: bool,
    /// The reason why the last key had no effect.
    notice: Option<&'static str>,
    now: f64,
}

impl App {
    /// The spectator of a match, of a recording or of the matches of a server. `seq` is the command to start at.
    pub(crate) fn new(target: Target, seq: Option<u64>, look: Look, wake: Wake) -> App {
        let mut app = App { look, wake, server: None, session: None, helps: false, notice: None, now: 0.0 };
        match target {
            Target::Server(base) => app.list(base),
            target => app.watch(target, seq),
        }
        app
    }

    /// The spectator of a match that is already open.
    #[cfg(test)]
    pub(crate) fn showing(session: Session, look: Look, wake: Wake) -> App {
        App { look, wake, server: None, session: Some(session), helps: false, notice: None, now: 0.0 }
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
        if let Some(server) = &mut self.server {
            // The list is not shown now.
            server.listing = None;
        }
    }

    /// Shows the matches of a server.
    fn list(&mut self, base: Base) {
        self.session = None;
        let known = self.server.take().filter(|server| server.base == base);
        let list = known.map(|server| server.list).unwrap_or_default();
        let listing = Some(watch_list(base.clone(), self.wake.clone()));
        self.server = Some(Server { base, list, listing });
    }

    /// Takes the updates that arrived and advances the clock to `now`, in seconds. Returns the number of seconds until the next frame;
    /// `None` waits until something arrives or a key is pressed.
    pub(crate) fn update(&mut self, now: f64) -> Option<f64> {
        self.now = now;
        if let Some(server) = &mut self.server
            && let Some(listing) = &server.listing
        {
            listing.updates.try_iter().for_each(|matches| server.list.take(matches));
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
            Target::Match { base, .. } => Some(base.clone()),
            _ => None,
        });
        let base = self.server.as_ref().map(|server| server.base.clone()).or(of_match);
        match base.filter(|_| self.session.is_some()) {
            Some(base) => self.list(base),
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
        let Some(server) = &mut self.server else { return };
        match action {
            // The arrow keys choose a match here.
            Action::Faster => server.list.choose(false),
            Action::Slower => server.list.choose(true),
            Action::Reconnect => {
                if let Some(listing) = &server.listing {
                    listing.refresh();
                }
            }
            Action::Choose | Action::PlayPause | Action::NextCommand => {
                if let Some(summary) = server.list.chosen() {
                    let (base, id) = (server.base.clone(), summary.id.clone());
                    self.watch(Target::of_match(base, id), None);
                }
            }
            _ => {}
        }
    }

    /// Paints everything into a buffer, in colours that the terminal supports.
    pub(crate) fn paint(&self, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(buffer, self.look);
        canvas.clear(ink(TEXT).bg(GROUND));
        match (&self.session, &self.server) {
            (Some(session), _) => paint_session(&mut canvas, session, self.notice, self.now),
            (None, Some(server)) => server.list.paint(&mut canvas, &server.base),
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
