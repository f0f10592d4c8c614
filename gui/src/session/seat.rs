//! The viewer's seat in the match, for matches in which people play.

use grandstand_protocol::Seat;
use grandstand_story::games::sides;
use grandstand_story::story;

use super::Session;
use crate::address::Target;
use crate::session::hand::Place;
use crate::source::Wake;

impl Session {
    /// The side for which the viewer may move on the board now: one that is the viewer's, when it is its turn and the
    /// picture is the present.
    pub(crate) fn may_move(&self) -> Option<usize> {
        let here = self.is_following() && self.hand.pending.is_none() && !self.hand.is_waiting();
        if !here || self.is_my_turn() != Some(true) {
            return None;
        }
        match self.hand.question() {
            None => self.hand.side,
            Some(question) if question.places == 0 => None,
            // Whatever is placed is of the two sides by turns.
            Some(_) => {
                let named = self.hand.named.split_whitespace().count();
                story(self.scene()).mover().map(|mover| (mover + named) % 2)
            }
        }
    }

    /// Whether it is the viewer's turn in the picture; `None` when the game does not say whose it is.
    pub(crate) fn is_my_turn(&self) -> Option<bool> {
        if self.hand.is_asked().is_some() {
            return self.hand.is_asked();
        }
        story(self.scene()).mover().map(|mover| self.hand.side == Some(mover))
    }

    /// How many moves the picture shows.
    pub(crate) fn ply(&self) -> u32 {
        story(self.scene()).ply()
    }

    /// Where the match is, if people may play there.
    fn place(&self) -> Option<Place> {
        match &self.target {
            Target::Match { base, id, .. } => Some(Place { base: base.clone(), id: id.to_string() }),
            _ => None,
        }
    }

    /// Asks for the seat of a team.
    pub(crate) fn sit(&mut self, team: &str, wake: Wake) {
        if let Some(place) = self.place() {
            self.hand.take_seat(&place, team, wake);
        }
    }

    /// Gives the viewer's seat up.
    pub(crate) fn leave_seat(&mut self, wake: Wake) {
        if let Some(place) = self.place() {
            self.hand.leave(&place, wake);
        }
    }

    /// Moves by pointing at the board: a move, or one of the places that a question asks for.
    pub(crate) fn point(&mut self, text: &str, wake: Wake) {
        let answer =
            if self.hand.question().is_some() { self.hand.name(text) } else { Some(text.to_owned()) };
        if let Some(text) = answer {
            self.play_move(&text, wake);
        }
    }

    /// Makes a move, or gives up by `resign`.
    pub(crate) fn play_move(&mut self, text: &str, wake: Wake) {
        if let Some(place) = self.place() {
            let ply = self.ply();
            self.hand.play(&place, ply, text, wake);
        }
    }

    pub(super) fn set_seats(&mut self, seats: Vec<Seat>) {
        // Nobody plays on a wall.
        if self.is_preview {
            return;
        }
        let place = self.place();
        self.hand.set_seats(place.as_ref(), seats);
    }

    /// Takes what became of what the viewer asked for.
    pub(super) fn update_hand(&mut self) {
        let (place, ply) = (self.place(), self.ply());
        if self.hand.update(place.as_ref(), ply, self.now) {
            self.go_live();
        }
        let sides = sides(self.scene(), &self.about.teams);
        let seat = self.hand.seat().map(|seat| &*seat.team);
        self.hand.side = seat.and_then(|team| sides.iter().position(|side| side.key == team));
    }
}
