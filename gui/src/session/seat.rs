//! The viewer's seat in the match, for matches in which people play.

use grandstand_protocol::{Seat, SeatRequest};
use grandstand_story::games::sides;
use grandstand_story::story;

use super::Session;
use crate::address::Target;
use crate::session::seat_client::MatchAddress;
use crate::source::Wake;

impl Session {
    /// The side for which the viewer may move on the board now: one that is the viewer's, when it is its turn and the
    /// picture is the present.
    pub(crate) fn may_move(&self) -> Option<usize> {
        let here =
            self.is_following() && self.seat_client.pending.is_none() && !self.seat_client.is_waiting();
        if !here || self.is_my_turn() != Some(true) {
            return None;
        }
        match self.seat_client.question() {
            None => self.seat_client.side,
            Some(question) if question.places == 0 => None,
            // Whatever is placed is of the two sides by turns.
            Some(_) => {
                let named = self.seat_client.named.split_whitespace().count();
                story(self.scene()).mover().map(|mover| (mover + named) % 2)
            }
        }
    }

    /// Whether it is the viewer's turn in the picture; `None` when the game does not say whose it is.
    pub(crate) fn is_my_turn(&self) -> Option<bool> {
        if self.seat_client.is_asked().is_some() {
            return self.seat_client.is_asked();
        }
        story(self.scene()).mover().map(|mover| self.seat_client.side == Some(mover))
    }

    /// How many moves the picture shows.
    pub(crate) fn ply(&self) -> u32 {
        story(self.scene()).ply()
    }

    /// Where the match is, if people may play there.
    fn place(&self) -> Option<MatchAddress> {
        match &self.view.target {
            Target::Match { base, id, .. } => Some(MatchAddress { base: base.clone(), id: id.to_string() }),
            _ => None,
        }
    }

    /// Asks for the seat of a team.
    pub(crate) fn sit(&mut self, team: &str, name: &str, wake: Wake) {
        if let Some(place) = self.place() {
            self.seat_client.take_seat(&place, team, name, wake);
        }
    }

    /// Asks for the free seat, where the viewer wants it as soon as there is one.
    pub(crate) fn sit_down(&mut self, wake: Wake) {
        let client = &self.seat_client;
        let free = client.seats.iter().find(|seat| !seat.taken).map(|seat| seat.team.to_string());
        let idle = client.held.is_none() && !client.is_waiting() && self.is_live();
        if let Some(team) = free.filter(|_| idle)
            && let Some(name) = self.seat_client.sits_as.take()
        {
            self.sit(&team, &name, wake);
        }
    }

    /// Whether the viewer plays in this match now.
    pub(crate) fn is_playing(&self) -> bool {
        self.is_live() && self.seat_client.seat().is_some()
    }

    /// Takes a move that was made by pointing at the board, or one of the places that a question asks for.
    pub(crate) fn point(&mut self, request: SeatRequest, wake: Wake) {
        let request = match request {
            SeatRequest::Move { ply, text } if self.seat_client.question().is_some() => {
                let Some(all) = self.seat_client.name(&text) else { return };
                SeatRequest::Move { ply, text: all.into() }
            }
            request => request,
        };
        self.request(request, wake);
    }

    /// Moves from the viewer's seat, or gives it up.
    pub(crate) fn request(&mut self, request: SeatRequest, wake: Wake) {
        if let Some(place) = self.place() {
            self.seat_client.request(&place, request, wake);
        }
    }

    pub(super) fn set_seats(&mut self, seats: Vec<Seat>) {
        let place = self.place();
        self.seat_client.set_seats(place.as_ref(), seats);
    }

    /// Takes what became of what the viewer asked for.
    pub(super) fn update_seat(&mut self) {
        let (place, ply) = (self.place(), self.ply());
        if self.seat_client.update(place.as_ref(), ply, self.view.now()) {
            self.go_live();
        }
        let sides = sides(self.scene(), &self.view.about.teams);
        let seat = self.seat_client.seat().map(|seat| &*seat.team);
        self.seat_client.side = seat.and_then(|team| sides.iter().position(|side| side.key == team));
    }
}
