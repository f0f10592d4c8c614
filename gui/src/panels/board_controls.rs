//! Board controls: small buttons in a corner of the board that enlarge it, show all of it, and turn it around.

use eframe::egui::{Align, Id, Layout, Rect, Sense, Ui, UiBuilder, Vec2, pos2, vec2};
use grandstand_board::BoardView;
use grandstand_board::theme::Palette;

use crate::actions::Action;
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::widgets::IconButton;

/// The size of a button under a pointer.
const BUTTON: f32 = 26.0;
/// Largest room for the card at the end below a board, in points.
const CARD: f32 = 220.0;
/// A board that has less room than this in one direction has no buttons: it is a picture in a small frame.
const LEAST: f32 = 220.0;

/// What of the board the buttons are for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoardState {
    /// Whether all of it is seen.
    pub is_whole: bool,
    /// Whether it can be turned around.
    pub can_flip: bool,
    /// Whether the board is flipped now.
    pub flipped: bool,
    /// Whether the view stays with a fight; `None` in a game without any.
    pub on_fight: Option<bool>,
}

/// Where the board is, and its buttons.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Places {
    pub board: Rect,
    /// The corner of the buttons, and whether they stand one above the other; `None` where there is no room.
    pub buttons: Option<(Rect, bool)>,
}

/// The size of a button.
pub(crate) fn button(layout: ScreenLayout) -> f32 {
    layout.control(BUTTON)
}

/// The room that buttons of this size take beside a board.
pub(crate) fn strip(button: f32) -> f32 {
    button + 8.0
}

/// Divides an area between a board and its buttons, which hide nothing of it. That depends on the sizes alone: nothing moves during a match.
/// `gives_way`: buttons that would make the board smaller are left out, and stand on an enlarged one; whether it is whole.
pub(crate) fn divide(
    area: Rect,
    shape: f32,
    count: usize,
    (button, gives_way): (f32, Option<bool>),
) -> Places {
    if area.width().min(area.height()) < LEAST {
        return Places { board: area, buttons: None };
    }
    let height = area.height().min(area.width() / shape);
    let free = area.size() - vec2(height * shape, height);
    let strip = strip(button);
    let long = button * count as f32 + 4.0 * count.saturating_sub(1) as f32;
    let corner = |size: Vec2| Rect::from_min_max(area.max - size - vec2(2.0, 2.0), area.max - vec2(2.0, 2.0));
    let (column, row) = (corner(vec2(button, long)), corner(vec2(long, button)));
    if let Some(is_whole) = gives_way.filter(|_| free.max_elem() < strip) {
        return Places { board: area, buttons: Some((row, false)).filter(|_| !is_whole) };
    }
    // The board is in the middle of the area: half of what is free lies at each side.
    if free.x / 2.0 >= strip {
        Places { board: area, buttons: Some((column, true)) }
    } else if free.y / 2.0 >= strip {
        Places { board: area, buttons: Some((row, false)) }
    } else if free.x > free.y {
        Places { board: area.with_max_x(area.right() - strip), buttons: Some((column, true)) }
    } else {
        Places { board: area.with_max_y(area.bottom() - strip), buttons: Some((row, false)) }
    }
}

/// The upper part of a high area: what a board of this shape leaves free lies below it, for the card at the end of the
/// match, up to [`CARD`]. The board keeps its size, and its buttons stand between it and the card.
pub(crate) fn upper(area: Rect, shape: f32, button: f32) -> Rect {
    let free = area.height() - area.height().min(area.width() / shape);
    area.with_max_y(area.bottom() - (free - strip(button) - 4.0).clamp(0.0, CARD))
}

/// The buttons' place while a card covers `card`: a column stands above it, and a row, for which there is no other room, gives way.
pub(crate) fn clear_of(places: Places, card: Rect) -> Places {
    let buttons = places.buttons.and_then(|(corner, is_column)| match corner.intersects(card) {
        true if is_column => {
            Some((corner.translate(vec2(0.0, card.top() - 4.0 - corner.bottom())), is_column))
        }
        true => None,
        false => Some((corner, is_column)),
    });
    Places { buttons, ..places }
}

/// The part of its place that a board of this shape covers.
pub(crate) fn drawn(place: Rect, shape: f32) -> Rect {
    let high = place.height().min(place.width() / shape);
    Rect::from_center_size(place.center(), vec2(high * shape, high))
}

/// How many buttons a board has.
pub(crate) fn count(view: &dyn BoardView) -> usize {
    3 + usize::from(view.can_flip()) + usize::from(view.has_fights())
}

/// Shows the buttons; the one that was pressed.
pub(crate) fn show(ui: &mut Ui, places: Places, board: BoardState) -> Option<Action> {
    let (corner, is_column) = places.buttons?;
    let side = button(ScreenLayout::of(ui.ctx()));
    let palette = Palette::of(ui.ctx());
    let mut asked = None;
    let layout =
        if is_column { Layout::top_down(Align::Center) } else { Layout::left_to_right(Align::Center) };
    // A press between two of them is none on a board below, such as a map that fills its place.
    ui.interact(corner, Id::unique("ground of the board controls"), Sense::CLICK | Sense::DRAG);
    // What is shown above them comes and goes, and they keep the focus.
    let place = UiBuilder::new().scope_id(Id::unique("board controls")).max_rect(corner).layout(layout);
    let mut inside = ui.new_child(place);
    inside.spacing_mut().item_spacing = vec2(4.0, 4.0);
    let mut buttons = vec![
        (Icon::Plus, Action::BoardIn, true, false),
        (Icon::Minus, Action::BoardOut, !board.is_whole, false),
        (Icon::Whole, Action::BoardWhole, !board.is_whole, false),
    ];
    if let Some(on) = board.on_fight {
        buttons.push((Icon::Fight, Action::BoardFight, true, on));
    }
    if board.can_flip {
        buttons.push((Icon::Flip, Action::FlipBoard, true, board.flipped));
    }
    for (icon, action, enabled, on) in buttons {
        let at = Rect::from_min_size(pos2(inside.cursor().left(), inside.cursor().top()), Vec2::splat(side));
        inside.painter().rect_filled(at, 6.0, palette.panel.gamma_multiply(0.85));
        let button = IconButton::new(icon, action).sized(BUTTON).enabled(enabled).selected(on);
        if inside.add(button).clicked() {
            asked = Some(action);
        }
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_high_area_the_room_for_a_card_lies_below_a_board_of_the_same_size() {
        for shape in [0.9, 1.0, 2.0] {
            for (width, height) in [(370.0, 600.0), (370.0, 440.0), (370.0, 300.0), (600.0, 900.0)] {
                let area = Rect::from_min_size(pos2(10.0, 20.0), vec2(width, height));
                let high = |area: Rect| area.height().min(area.width() / shape);
                let upper = upper(area, shape, BUTTON);
                assert_eq!(high(upper), high(area), "{shape} {width} {height}");
                let below = area.bottom() - (upper.center().y + high(upper) / 2.0);
                let free = area.height() - high(area);
                assert!(below >= (free - strip(BUTTON)).min(CARD).max(free / 2.0) - 0.1, "{below} of {free}");
                // The buttons cover nothing of the card's place.
                let (corner, _) = divide(upper, shape, 4, (BUTTON, None)).buttons.expect("room");
                assert!(corner.bottom() <= upper.bottom(), "{shape} {width} {height}");
            }
        }
    }

    #[test]
    fn the_buttons_hide_nothing_of_the_board_whatever_its_shape() {
        for shape in [0.5, 1.0, 1.2, 2.0] {
            for (width, height) in
                [(900.0, 600.0), (600.0, 600.0), (620.0, 600.0), (370.0, 700.0), (1200.0, 600.0)]
            {
                let area = Rect::from_min_size(pos2(10.0, 20.0), vec2(width, height));
                let Places { board, buttons } = divide(area, shape, 4, (BUTTON, None));
                let (corner, _) = buttons.expect("room");
                let high = board.height().min(board.width() / shape);
                let drawn = Rect::from_center_size(board.center(), vec2(high * shape, high));
                assert!(
                    area.contains_rect(corner) && !drawn.intersects(corner),
                    "{shape} {width} {height}: {drawn} {corner}"
                );
                assert!(high >= 0.9 * height.min(width / shape), "{shape} {width} {height}");
            }
        }
        // A board that they would make smaller has all of the room, and them only while it is enlarged.
        let low = Rect::from_min_size(pos2(0.0, 0.0), vec2(370.0, 280.0));
        let places = |is_whole: bool| divide(low, 370.0 / 280.0, 3, (44.0, Some(is_whole)));
        assert_eq!((places(true).board, places(true).buttons), (low, None));
        assert!(places(false).board == low && places(false).buttons.is_some());
        let small = Rect::from_min_size(pos2(0.0, 0.0), vec2(200.0, 300.0));
        assert_eq!(divide(small, 1.0, 4, (BUTTON, None)), Places { board: small, buttons: None });
    }

    #[test]
    fn a_column_of_buttons_stands_above_a_card_and_a_row_gives_way_to_it() {
        let area = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 600.0));
        let card = area.with_min_y(560.0);
        let corner = Rect::from_min_max(pos2(350.0, 450.0), pos2(398.0, 598.0));
        for (corner, is_column, expected) in [
            (corner, true, Some(corner.translate(vec2(0.0, -42.0)))),
            (corner, false, None),
            (corner.translate(vec2(0.0, -60.0)), false, Some(corner.translate(vec2(0.0, -60.0)))),
        ] {
            let places = clear_of(Places { board: area, buttons: Some((corner, is_column)) }, card);
            assert_eq!(places.buttons.map(|(corner, _)| corner), expected);
        }
    }
}
