//! A board on the screen, and what stands on it.

use std::cell::OnceCell;

use eframe::egui::{Pos2, Rect};
use grandstand_board::{BoardInput, BoardOptions, BoardPainter, CellShape};
use grandstand_protocol::Place;

/// A board on the screen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a> {
    /// Its part of the screen.
    pub area: Rect,
    /// The rectangle in which it is painted; larger than the area when it is enlarged.
    pub rect: Rect,
    pub board: &'a dyn BoardPainter,
    pub picture: &'a BoardInput<'a>,
    pub options: BoardOptions,
    pub contents: &'a Contents,
}

/// What stands on a board in one frame, found when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    things: OnceCell<Vec<Rect>>,
    heights: OnceCell<Vec<Rect>>,
    texts: OnceCell<Option<Vec<Rect>>>,
}

impl Shown<'_> {
    pub(super) fn place_at(&self, at: Pos2) -> Option<Place> {
        self.board.place_at(self.rect, self.picture, self.options, at)
    }

    pub(crate) fn area_of(&self, place: Place) -> Option<Rect> {
        self.board.area_of(self.rect, self.picture, self.options, place)
    }

    pub(super) fn unit_area(&self, id: u32) -> Option<Rect> {
        self.board.unit_area(self.rect, self.picture, self.options, id)
    }

    /// Where units fight.
    pub(crate) fn fight(&self) -> Option<Rect> {
        self.board.fight(self.rect, self.picture, self.options)
    }

    pub(super) fn unit_at(&self, at: Pos2) -> Option<u32> {
        self.board.unit_at(self.rect, self.picture, self.options, at)
    }

    pub(super) fn shape_of(&self, place: Place) -> CellShape {
        self.board.shape_of(self.rect, self.picture, self.options, place)
    }

    /// Pieces, walls and other things.
    pub(crate) fn things(&self) -> &[Rect] {
        let things = || self.board.occupied(self.rect, self.picture, self.options);
        self.contents.things.get_or_init(things)
    }

    /// High ground.
    pub(crate) fn heights(&self) -> &[Rect] {
        let heights = || self.board.heights(self.rect, self.picture, self.options);
        self.contents.heights.get_or_init(heights)
    }

    /// Names, labels and signs; `None` if they stand along the edges.
    pub(crate) fn texts(&self) -> Option<&[Rect]> {
        let texts = || self.board.texts(self.rect, self.picture, self.options);
        self.contents.texts.get_or_init(texts).as_deref()
    }
}
