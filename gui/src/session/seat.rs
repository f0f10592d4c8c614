//! The viewer's seat in a match that people play.

use grandstand_protocol::{Label, Seat, SeatRequest};
use grandstand_story::games::sides;
use grandstand_story::sides::{Side, YOU};
use grandstand_story::story;

use super::Session;
use crate::address::Target;
use crate::session::seat_client::MatchAddress;
use crate::source::{Connection, Wake};

impl Session {
    /// Side for which the viewer may move on the board now: the viewer's own, on its turn, while the picture is the
    /// present.
    pub(crate) fn may_move(&self) -> Option<usize> {
        let here =
            self.is_following() && self.seat_client.pending.is_none() && !self.seat_client.is_waiting();
        if !here || self.is_my_turn() != Some(true) {
            return None;
        }
        match self.seat_client.question() {
            None => self.seat_client.side,
            Some(question) if question.places == 0 => None,
            // A question asks for stones of both sides, in turn.
            Some(_) => {
                let named = self.seat_client.named.split_whitespace().count();
                story(self.scene()).mover().map(|mover| (mover + named) % 2)
            }
        }
    }

    /// Whether the field for a move takes one: from a seat, in the present, unless it is the other's turn.
    pub(crate) fn can_enter_move(&self) -> bool {
        let client = &self.seat_client;
        let is_idle = client.pending.is_none() && !client.is_waiting() && !client.resigning;
        let is_here = self.is_playing() && self.is_following() && self.is_connected();
        is_here && is_idle && self.is_my_turn() != Some(false)
    }

    /// Whether the server is connected.
    pub(crate) fn is_connected(&self) -> bool {
        matches!(self.connection, Some((Connection::Connected, _)))
    }

    /// Whether it is the viewer's turn in the picture; `None` if the game doesn't tell.
    pub(crate) fn is_my_turn(&self) -> Option<bool> {
        if self.seat_client.is_asked().is_some() {
            return self.seat_client.is_asked();
        }
        story(self.scene()).mover().map(|mover| self.seat_client.side == Some(mover))
    }

    /// Number of moves that the picture shows.
    pub(crate) fn ply(&self) -> u32 {
        story(self.scene()).ply()
    }

    /// Address of the match, if people may play in it.
    fn place(&self) -> Option<MatchAddress> {
        match &self.view.target {
            Target::Match { base, id, .. } => Some(MatchAddress { base: base.clone(), id: id.to_string() }),
            _ => None,
        }
    }

    /// Asks for the seat of a team.
    pub(crate) fn request_seat(&mut self, team: &str, name: &str, wake: Wake) {
        if let Some(place) = self.place() {
            self.seat_client.take_seat(&place, team, name, wake);
        }
    }

    /// Asks for a free seat, if the viewer wants one as soon as possible.
    pub(crate) fn take_wanted_seat(&mut self, wake: Wake) {
        if self.seat_client.held.is_some()
            && !self.seat_client.is_waiting()
            && self.is_live()
            && let Some(settings) = self.seat_client.wants.take()
        {
            // What the match has already is played as it is.
            let differs = |(name, value): (&Label, &Label)| {
                let present = self.seat_client.setup.iter().find(|setting| setting.name == *name);
                present.is_none_or(|setting| setting.value != *value)
            };
            if settings.iter().any(differs) {
                self.request(SeatRequest::New { settings }, wake);
                return;
            }
        }
        let client = &self.seat_client;
        let free = client.seats.iter().find(|seat| !seat.taken).map(|seat| seat.team.to_string());
        let idle = client.held.is_none() && !client.is_waiting() && self.is_live();
        let now = self.view.now();
        if let Some(team) = free.filter(|_| idle)
            && let Some(name) = self.seat_client.sits_now(now)
        {
            self.request_seat(&team, &name, wake);
        }
    }

    /// Takes back what a viewer who moves has begun on the board, and the question whether to resign; whether there was any of it.
    pub(crate) fn take_back(&mut self) -> bool {
        std::mem::take(&mut self.seat_client.resigning) || self.view.board.take_back()
    }

    /// Whether the viewer plays in this match now.
    pub(crate) fn is_playing(&self) -> bool {
        self.is_live() && self.seat_client.seat().is_some()
    }

    /// Whether playback can be paused and resumed. A player does not leave the present by it.
    pub(crate) fn can_pause(&self) -> bool {
        !(self.is_playing() && self.is_following())
    }

    /// Whether no evaluation is known yet of a match that people play: the referee tells them at its end. Their place is
    /// kept until then.
    pub(crate) fn awaits_evaluations(&self) -> bool {
        let mut told = self.events.findings().lanes.evaluation.all().iter().flatten();
        self.seat_client.is_played && told.next().is_none()
    }

    /// Handles a move made on the board, or a place named for a question.
    pub(crate) fn submit_board_move(&mut self, request: SeatRequest, wake: Wake) {
        let request = match request {
            SeatRequest::Move { ply, text } if self.seat_client.question().is_some() => {
                let Some(all) = self.seat_client.name(&text) else { return };
                SeatRequest::Move { ply, text: all.into() }
            }
            request => request,
        };
        self.request(request, wake);
    }

    /// Sends a move, or leaves the seat.
    pub(crate) fn request(&mut self, request: SeatRequest, wake: Wake) {
        if let Some(place) = self.place() {
            self.seat_client.request(&place, request, wake);
        }
    }

    pub(super) fn set_seats(&mut self, seats: Vec<Seat>) {
        let place = self.place();
        self.seat_client.set_seats(place.as_ref(), seats);
    }

    /// Takes the server's answer to a request.
    pub(super) fn update_seat(&mut self) {
        let (place, ply) = (self.place(), self.ply());
        if self.seat_client.update(place.as_ref(), ply, self.view.now()) {
            self.go_live();
        }
        let sides = sides(self.scene(), &self.view.about.teams);
        let seat = self.seat_client.seat().map(|seat| &*seat.team);
        self.seat_client.side = seat.and_then(|team| sides.iter().position(|side| side.key == team));
        self.seat_client.played = self.seat_client.side.or(self.seat_client.played);
    }

    /// The sides of a match, in which the viewer who plays it, or has played it, is *You*.
    pub(crate) fn sides(&self) -> Vec<Side> {
        let mut sides = sides(self.scene(), &self.view.about.teams);
        let own = self.seat_client.played.and_then(|side| sides.get_mut(side));
        if let Some(own) = own {
            YOU.clone_into(&mut own.name);
        }
        sides
    }
}
