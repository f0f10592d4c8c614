//! Places of the cards of places: in the margins beside the board, on the side of their place and in the order of the places;
//! else where they hide the least. A card without room in a margin is as small as it can be, and hides no piece, name, label
//! or button where that is possible. No card hides a pinned place.

use eframe::egui::{
    Area, Frame, Id, Margin as Inset, Order, Pos2, Rangef, Rect, Stroke, Ui, Vec2, pos2, vec2,
};
use grandstand_board::BoardOptions;
use grandstand_board::theme::Palette;

use super::Shown;
use super::cards::Detail;
use super::marks::Frames;

/// The least width of a margin for cards at the left or right of a board, in points.
const NARROW: f32 = 112.0;
/// The least height of a margin for cards above or below it, in points.
const LOW: f32 = 32.0;
/// The least distance of the tops of two rows of cards above or below a board, in points.
const ROWS_APART: f32 = 12.0;
/// Gap between two cards, and between a card and the board, in points.
const GAP: f32 = 6.0;
/// How far the surroundings of a place reach beyond it: so many of its sizes, and at least so many points.
const AROUND: (f32, f32) = (1.0, 10.0);
/// Distance of the spots that are tried for a card over the board, in points.
const STRIDE: f32 = 6.0;
/// Height from which a card has more than the rows of a folded one, in points.
const ROWS: f32 = 72.0;
/// Distance of the samples that tell where the board has places, and where something stands, in points.
const PLACES: f32 = 12.0;
const THINGS: f32 = 6.0;
/// What a spot costs for each square point of something that it hides, of high ground, and of a place, in points of distance.
const THING: f32 = 20.0;
const HEIGHT: f32 = 0.5;
const PLACE: f32 = 0.05;
/// How much nearer another spot must be before a card moves there, in points.
const STAYS: f32 = 60.0;
/// Largest distance of the card of a place that is pointed at from the middle of this place, beyond the surroundings of the place
/// and over the board, in points.
const NEAR: f32 = 40.0;
/// The same of the card of a pin: a smaller card rather stands nearer, for the line to it.
const PIN_NEAR: f32 = 220.0;
/// How far from the top of its card the middle of a place in a margin's direction is, in points.
const TITLE: f32 = 16.0;

/// The place and what is around it.
fn around(place: Rect) -> Rect {
    let (sizes, least) = AROUND;
    place.expand2(Vec2::max(place.size() * sizes, vec2(least, least)))
}

/// The area that two rectangles share.
fn shared(a: Rect, b: Rect) -> f32 {
    let both = a.intersect(b);
    if both.is_positive() { both.area() } else { 0.0 }
}

/// Parts of an area where something is, as samples.
#[derive(Debug, Default)]
struct Samples {
    origin: Pos2,
    step: f32,
    columns: usize,
    rows: usize,
    /// Number of samples with something above and left of each one.
    sums: Vec<u32>,
}

impl Samples {
    fn of(area: Rect, step: f32, has: impl Fn(usize, usize) -> bool) -> Samples {
        let count = |length: f32| (length.max(0.0) / step).ceil() as usize;
        let (columns, rows) = (count(area.width()), count(area.height()));
        let mut sums = vec![0; (columns + 1) * (rows + 1)];
        for row in 0..rows {
            for column in 0..columns {
                let (above, own) = (row * (columns + 1) + column, (row + 1) * (columns + 1) + column);
                sums[own + 1] = sums[own] + sums[above + 1] - sums[above] + u32::from(has(column, row));
            }
        }
        Samples { origin: area.min, step, columns, rows, sums }
    }

    /// Where these rectangles are.
    fn of_things<'a>(area: Rect, things: impl Iterator<Item = &'a Rect>) -> Samples {
        let count = |length: f32| (length.max(0.0) / THINGS).ceil() as usize;
        let (columns, rows) = (count(area.width()), count(area.height()));
        let mut has = vec![false; columns * rows];
        for thing in things.map(|thing| thing.intersect(area)).filter(Rect::is_positive) {
            let (from, to) = ((thing.min - area.min) / THINGS, (thing.max - area.min) / THINGS);
            for row in from.y.round() as usize..(to.y.round() as usize).min(rows) {
                for column in from.x.round() as usize..(to.x.round() as usize).min(columns) {
                    has[row * columns + column] = true;
                }
            }
        }
        Samples::of(area, THINGS, |column, row| has[row * columns + column])
    }

    /// Area of what a card hides.
    fn hidden(&self, card: Rect) -> f32 {
        // A touch at the edge hides nothing.
        let card = card.shrink(self.step / 3.0);
        let place = |at: f32, end: usize| (at.max(0.0) as usize).min(end);
        let (from, to) = ((card.min - self.origin) / self.step, (card.max - self.origin) / self.step);
        let (left, right) = (place(from.x, self.columns), place(to.x.ceil(), self.columns));
        let (top, bottom) = (place(from.y, self.rows), place(to.y.ceil(), self.rows));
        if left >= right || top >= bottom {
            return 0.0;
        }
        let sum = |column: usize, row: usize| self.sums[row * (self.columns + 1) + column];
        let count = sum(right, bottom) + sum(left, top) - sum(right, top) - sum(left, bottom);
        count as f32 * self.step * self.step
    }
}

/// A margin beside a board, as far as it is free.
#[derive(Debug, Clone, Copy)]
struct Margin {
    rect: Rect,
    side: Side,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

impl Margin {
    /// Whether cards stand one above the other.
    fn is_column(&self) -> bool {
        matches!(self.side, Side::Left | Side::Right)
    }

    fn has_room(&self) -> bool {
        match self.is_column() {
            true => self.rect.width() >= NARROW,
            false => self.rect.height() >= LOW,
        }
    }

    /// The largest part that nothing else takes.
    fn clear_of(self, taken: &[Rect]) -> Margin {
        let along = |rect: Rect| if self.is_column() { rect.y_range() } else { rect.x_range() };
        let whole = along(self.rect);
        let others = taken.iter().filter(|other| other.intersect(self.rect).is_positive());
        let mut blocked: Vec<Rangef> = others.map(|other| along(other.expand(GAP))).collect();
        blocked.push(Rangef::new(whole.max, whole.max));
        blocked.sort_by(|a, b| a.min.total_cmp(&b.min));
        let (mut from, mut best) = (whole.min, Rangef::new(whole.min, whole.min));
        for range in blocked {
            if range.min - from > best.span() {
                best = Rangef::new(from, range.min);
            }
            from = from.max(range.max);
        }
        let rect = match self.is_column() {
            true => Rect::from_x_y_ranges(self.rect.x_range(), best),
            false => Rect::from_x_y_ranges(best, self.rect.y_range()),
        };
        Margin { rect, ..self }
    }

    /// How far a place is from the board's edge at this margin.
    fn distance(&self, place: Rect) -> f32 {
        let at = place.center();
        match self.side {
            Side::Left => at.x - self.rect.right(),
            Side::Right => self.rect.left() - at.x,
            Side::Top => at.y - self.rect.bottom(),
            Side::Bottom => self.rect.top() - at.y,
        }
    }

    /// A card of this size, `start` along the margin and next to the board.
    fn card(&self, start: f32, size: Vec2) -> Rect {
        let min = match self.side {
            Side::Left => pos2(self.rect.right() - size.x, start),
            Side::Right => pos2(self.rect.left(), start),
            Side::Top => pos2(start, self.rect.bottom() - size.y),
            Side::Bottom => pos2(start, self.rect.top()),
        };
        Rect::from_min_size(min, size)
    }

    /// Where the card of a place would like to begin, and how long it is along the margin.
    fn wish(&self, place: Rect, size: Vec2) -> (f32, f32) {
        match self.is_column() {
            true => (place.center().y - TITLE, size.y),
            false => (place.center().x - size.x / 2.0, size.x),
        }
    }

    /// The same for a card that may stand there already, and stays.
    fn wish_of(&self, card: &Wanted<'_>, size: Vec2) -> (f32, f32) {
        let (start, length) = self.wish(card.place, size);
        let last =
            card.last.filter(|last| card.stands.is_some() && self.rect.expand(1.0).contains_rect(*last));
        (last.map_or(start, |last| if self.is_column() { last.top() } else { last.left() }), length)
    }

    /// Starts of cards with these wishes, in their order; `None` without room for all of them.
    fn line_up(&self, wishes: &[(f32, f32)]) -> Option<Vec<f32>> {
        let range = if self.is_column() { self.rect.y_range() } else { self.rect.x_range() };
        let mut starts: Vec<f32> = Vec::with_capacity(wishes.len());
        let mut from = range.min;
        for (wish, length) in wishes {
            starts.push(wish.max(from));
            from = wish.max(from) + length + GAP;
        }
        let mut to = range.max;
        for (start, (_, length)) in starts.iter_mut().zip(wishes).rev() {
            *start = start.min(to - length);
            to = *start - GAP;
        }
        starts.first().is_none_or(|first| *first >= range.min - 0.1).then_some(starts)
    }
}

/// Distance of a card on a map from its place at most, as a part of the map's height: the line to it would cross the world.
const FAR_ON_MAP: f32 = 0.5;
/// The distance at which a shorter card is looked for before a farther one there, in multiples of what is near.
const FARTHER: f32 = 1.8;

/// The room for cards, and what they should not hide.
#[derive(Debug)]
pub(super) struct Room {
    /// What it was made for.
    by: (Rect, Rect, BoardOptions, [Option<Rect>; 2]),
    pub area: Rect,
    /// The board, with what stands beside it.
    board: Rect,
    places: Samples,
    /// Whether the board has land, which a card hides last of all.
    pub is_map: bool,
    /// The board without the names along its edges.
    pub inside: Rect,
    /// Names, labels and signs.
    pub texts: Vec<Rect>,
}

/// What cards should not hide now.
#[derive(Debug)]
pub(super) struct Obstacles<'a> {
    /// Marks of pinned places, buttons, and other cards.
    pub taken: Vec<Rect>,
    /// Pieces, walls and other things on the board.
    things: &'a [Rect],
    /// High ground.
    heights: &'a [Rect],
    /// Samples of both.
    samples: Option<[Samples; 2]>,
}

impl<'a> Obstacles<'a> {
    pub(super) fn new(taken: Vec<Rect>, things: &'a [Rect], heights: &'a [Rect]) -> Obstacles<'a> {
        Obstacles { taken, things, heights, samples: None }
    }
}

impl Room {
    /// The room on a board; `kept` is used again for the same one. `beside` is what stands beside the board, such as the
    /// bar of the evaluation, and `free` what is free around its area.
    pub(super) fn of(kept: Option<Room>, shown: &Shown<'_>, [beside, free]: [Option<Rect>; 2]) -> Room {
        let by = (shown.area, shown.rect, shown.options, [beside, free]);
        if let Some(kept) = kept.filter(|kept| kept.by == by) {
            return kept;
        }
        let view = grandstand_board::view(shown.picture.scene);
        let head = shown.rect.top() + view.head(shown.rect);
        let area = shown.area.with_min_y(head.max(shown.area.top()));
        let area =
            free.into_iter().map(|free| free.with_min_y(area.top())).fold(area, Rect::union).shrink(2.0);
        let board = view.drawn(shown.rect, shown.options).intersect(shown.area);
        let at = |column: usize, row: usize| area.min + vec2(column as f32 + 0.5, row as f32 + 0.5) * PLACES;
        let ground = shown.board.ground(shown.rect, shown.picture, shown.options);
        let is_place = |at: Pos2| area.contains(at) && board.contains(at) && ground(at);
        let bounds = std::cell::Cell::new(Rect::NOTHING);
        let places = Samples::of(area, PLACES, |column, row| {
            let at = at(column, row);
            let has = is_place(at);
            if has {
                bounds.set(bounds.get().union(Rect::from_center_size(at, Vec2::splat(PLACES))));
            }
            has
        });
        let bounds = Some(bounds.get()).filter(|bounds| bounds.is_positive() && shown.options.coordinates);
        let inside = bounds.map_or(board, |bounds| bounds.expand(PLACES / 2.0).intersect(board));
        let along_edges = || edges(board, bounds);
        let texts = shown.texts().map_or_else(along_edges, <[Rect]>::to_vec);
        // Names of rows and columns may stand outside.
        let names = texts.iter().map(|text| text.intersect(area)).filter(Rect::is_positive);
        let board = names.chain(beside).fold(board, Rect::union);
        let is_map = !shown.board.land(shown.rect, shown.picture, shown.options).is_empty();
        Room { by, area, board, places, is_map, inside, texts }
    }

    /// The width of a card that would like to have `usual`: that of the margins, if it has room there.
    pub(super) fn width(&self, usual: f32) -> f32 {
        let columns = self.margins(&[]).into_iter().filter(Margin::is_column);
        columns.map(|margin| margin.rect.width()).fold(usual, f32::min)
    }

    /// Whether cards have room at the left or right of the board.
    pub(super) fn has_columns(&self) -> bool {
        self.margins(&[]).iter().any(Margin::is_column)
    }

    /// The margins, the columns first.
    fn sides(&self) -> impl Iterator<Item = Margin> {
        let Room { area, board, .. } = *self;
        let all = [
            (Side::Left, area.with_max_x(board.left() - GAP)),
            (Side::Right, area.with_min_x(board.right() + GAP)),
            (Side::Top, area.with_max_y(board.top() - GAP)),
            (Side::Bottom, area.with_min_y(board.bottom() + GAP)),
        ];
        all.into_iter().map(|(side, rect)| Margin { rect, side }).filter(Margin::has_room)
    }

    /// The largest part of each margin that nothing takes.
    fn margins(&self, taken: &[Rect]) -> Vec<Margin> {
        self.sides().map(|margin| margin.clear_of(taken)).filter(Margin::has_room).collect()
    }

    /// The margins for the card of a place, the best one first: columns come before rows, and nearer ones before others. A
    /// card stays at its side until its place is clearly nearer to another.
    fn margins_for(&self, margins: &[Margin], place: Rect, last: Option<Rect>) -> Vec<usize> {
        let far = |index: &usize| {
            let margin = margins[*index];
            let stays = last.is_some_and(|last| margin.rect.expand(1.0).contains_rect(last));
            margin.distance(place) - if stays { self.board.width() * 0.12 } else { 0.0 }
                + if margin.is_column() { 0.0 } else { 1e6 }
        };
        let mut order: Vec<usize> = (0..margins.len()).collect();
        order.sort_by(|a, b| far(a).total_cmp(&far(b)));
        order
    }

    /// Where the cards of pins stand, and how much each one shows; the oldest pin comes first.
    pub(super) fn put(&self, wanted: &[Wanted<'_>], obstacles: &mut Obstacles<'_>) -> Vec<(Detail, Rect)> {
        let outside = obstacles.things.iter().filter(|thing| !self.board.contains_rect(**thing));
        let blocked: Vec<Rect> = obstacles.taken.iter().chain(outside).copied().collect();
        let strip = self.strip().filter(|_| wanted.iter().all(|card| card.is_folded));
        let beside = match strip {
            Some(strip) => self.in_strip(strip, wanted, &blocked),
            None => self.in_margins(wanted, &blocked),
        };
        obstacles.taken.extend(beside.iter().flatten().map(|(_, card)| *card));
        let mut put = beside;
        // A new card takes the place of none that stands; of several the newest has the first choice.
        let mut order: Vec<usize> = (0..wanted.len()).rev().filter(|index| put[*index].is_none()).collect();
        order.sort_by_key(|index| wanted[*index].last.is_none());
        for index in order {
            let card = &wanted[index];
            let spot = self.kept_spot(card, &obstacles.taken).or_else(|| self.roomy_spot(card, obstacles));
            let (detail, rect) = spot.unwrap_or_else(|| {
                let detail = card.least(self.area);
                let spot = self.spot((card.size)(detail), card, Hides::Least, f32::INFINITY, obstacles);
                (detail, spot.unwrap_or(Rect::from_min_size(self.area.min, (card.size)(detail))))
            });
            put[index] = Some((detail, rect));
            obstacles.taken.push(rect.expand(GAP / 2.0));
        }
        put.into_iter().flatten().collect()
    }

    /// Where a card stays while its words change and pieces come below it: at its upper left corner, or as near to that as keeps all
    /// of it in the area. `None` if another card, a button or a pinned place is there.
    fn kept_spot(&self, card: &Wanted<'_>, taken: &[Rect]) -> Option<(Detail, Rect)> {
        let (last, detail) = (card.last?, card.stands?);
        let size = (card.size)(detail);
        let most = (self.area.max - size).max(self.area.min);
        let rect = Rect::from_min_size(last.min.clamp(self.area.min, most), size);
        taken.iter().all(|other| shared(rect, *other) < 0.5).then_some((detail, rect))
    }

    /// The spot for as much of a card as hides no place of the board, or for an unfolded one nothing that stands there.
    fn roomy_spot(&self, card: &Wanted<'_>, obstacles: &mut Obstacles<'_>) -> Option<(Detail, Rect)> {
        let mut spot = |detail: Detail, hides: Hides| {
            let size = (card.size)(detail);
            let limit = if hides == Hides::Nothing { PIN_NEAR } else { f32::INFINITY };
            Some((detail, self.spot(size, card, hides, limit, obstacles)?))
        };
        let most = card.most(self.area);
        let allowed = [Detail::Full, Detail::Brief].into_iter().filter(|detail| *detail <= most);
        let mut allowed = allowed.map(|detail| (detail, Hides::Nothing));
        if let Some(found) = allowed.find_map(|(detail, hides)| spot(detail, hides)) {
            return Some(found);
        }
        // A card keeps its form while that has room.
        let mut forms = [Detail::Full, Detail::Broad, Detail::Brief];
        let is_last = |form: Detail| {
            card.last.is_some_and(|last| (last.size() - (card.size)(form)).abs().max_elem() < 1.0)
        };
        forms.sort_by_key(|form| !is_last(*form));
        // What stands on an enlarged board moves with it: a card would change its form all the time.
        let is_still = self.by.0 == self.by.1;
        // A card for fingers has one column.
        let is_form = |form: &Detail| *form == Detail::Full || !card.is_folded;
        let mut forms = forms
            .into_iter()
            .filter(|form| is_still && card.unfolded && most == Detail::Full && is_form(form));
        forms.find_map(|detail| spot(detail, Hides::Places))
    }

    /// The higher one of the margins above and below a board that has none for columns.
    fn strip(&self) -> Option<Rect> {
        if self.has_columns() {
            return None;
        }
        self.sides().map(|margin| margin.rect).max_by(|a, b| a.height().total_cmp(&b.height()))
    }

    /// Cards in a strip beside the board, in the order of their numbers. Each keeps its place when another one comes or is
    /// unfolded, as long as the strip has room for that beside them.
    fn in_strip(&self, strip: Rect, wanted: &[Wanted<'_>], blocked: &[Rect]) -> Vec<Option<(Detail, Rect)>> {
        let folded = |card: &Wanted<'_>, taken: &mut Vec<Rect>| {
            let size = (card.size)(Detail::Title);
            let last = card.last.map(|last| Rect::from_min_size(last.min, size));
            let spot =
                last.filter(|last| is_free(strip, last, taken)).or_else(|| free_spot(strip, size, taken));
            taken.extend(spot);
            spot.map(|spot| (Detail::Title, spot))
        };
        let mut taken = blocked.to_vec();
        let mut put: Vec<_> = wanted.iter().map(|card| folded(card, &mut taken)).collect();
        let Some(unfolded) = wanted.iter().position(|card| card.unfolded) else { return put };
        let detail = wanted[unfolded].least(self.area);
        let size = (wanted[unfolded].size)(detail);
        put[unfolded] = None;
        let others = put.iter().flatten().map(|(_, card)| *card);
        let others: Vec<Rect> = blocked.iter().copied().chain(others).collect();
        let spot = free_spot(strip, size, &others).or_else(|| {
            let spot = free_spot(strip, size, blocked)?;
            let mut taken = blocked.to_vec();
            taken.push(spot);
            for (index, card) in wanted.iter().enumerate().filter(|(index, _)| *index != unfolded) {
                put[index] = folded(card, &mut taken);
            }
            Some(spot)
        });
        put[unfolded] = spot.map(|spot| (detail, spot));
        put
    }

    /// Cards in the margins, each as whole as there is room for all of them.
    fn in_margins(&self, wanted: &[Wanted<'_>], blocked: &[Rect]) -> Vec<Option<(Detail, Rect)>> {
        let margins = self.margins(blocked);
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); margins.len()];
        let mut details: Vec<Detail> = wanted.iter().map(|card| card.least(self.area)).collect();
        // A card that stands in a margin keeps its order there.
        let middle = |index: usize, is_column: bool| {
            let card = &wanted[index];
            let at =
                card.last.filter(|_| card.stands.is_some()).map_or(card.place.center(), |last| last.center());
            if is_column { at.y } else { at.x }
        };
        let line_up = |margin: &Margin, group: &[usize], details: &[Detail]| {
            let size = |index: usize| (wanted[index].size)(details[index]);
            let fits = |index: &usize| match margin.is_column() {
                true => size(*index).x <= margin.rect.width() + 0.5,
                false => size(*index).y <= margin.rect.height() + 0.5,
            };
            let wishes: Vec<_> =
                group.iter().map(|index| margin.wish_of(&wanted[*index], size(*index))).collect();
            margin.line_up(&wishes).filter(|_| group.iter().all(fits))
        };
        // A card that stands over the board stays there.
        let floats = |card: &Wanted<'_>| {
            let last = card.last.filter(|_| card.stands.is_some());
            last.is_some_and(|last| !margins.iter().any(|margin| margin.rect.expand(1.0).contains_rect(last)))
        };
        for index in (0..wanted.len()).rev().filter(|index| !floats(&wanted[*index])) {
            let card = &wanted[index];
            for at in self.margins_for(&margins, card.place, card.last) {
                let mut group = groups[at].clone();
                group.push(index);
                let is_column = margins[at].is_column();
                group.sort_by(|a, b| middle(*a, is_column).total_cmp(&middle(*b, is_column)));
                if line_up(&margins[at], &group, &details).is_some() {
                    groups[at] = group;
                    break;
                }
            }
        }
        let mut put = vec![None; wanted.len()];
        for (margin, group) in margins.iter().zip(&groups) {
            // All of each card, the newest first, as far as there is room.
            let mut newest = group.clone();
            newest.sort_unstable_by(|a, b| b.cmp(a));
            for detail in [Detail::Brief, Detail::Full] {
                for index in newest.iter().filter(|index| detail <= wanted[**index].most(self.area)) {
                    let before = details[*index];
                    if before < detail {
                        details[*index] = detail;
                        if line_up(margin, group, &details).is_none() {
                            details[*index] = before;
                        }
                    }
                }
            }
            for (index, start) in group.iter().zip(line_up(margin, group, &details).unwrap_or_default()) {
                let detail = details[*index];
                put[*index] = Some((detail, margin.card(start, (wanted[*index].size)(detail))));
            }
        }
        put
    }

    /// The spot for a card over the board that is nearest to its place and hides the least, if there is one that hides no more
    /// than it may and is no farther from the middle of the place than `limit`.
    fn spot(
        &self,
        size: Vec2,
        &Wanted { place, last, .. }: &Wanted<'_>,
        hides: Hides,
        limit: f32,
        obstacles: &mut Obstacles<'_>,
    ) -> Option<Rect> {
        let Obstacles { taken, things, heights, samples } = obstacles;
        let [things, heights] = &*samples.get_or_insert_with(|| {
            let things = Samples::of_things(self.area, things.iter().chain(&self.texts));
            [things, Samples::of_things(self.area, heights.iter())]
        });
        // What a spot costs, or infinity where it hides too much or costs no less than `most`.
        let cost = |min: Pos2, most: f32| {
            let card = Rect::from_min_size(min, size);
            let gap = (place.center() - card.clamp(place.center())).length();
            let far = gap + 0.1 * (place.center() - card.center()).length();
            if far >= most || gap > limit {
                return f32::INFINITY;
            }
            let (thing, height, ground) =
                (things.hidden(card), heights.hidden(card), self.places.hidden(card));
            if hides != Hides::Least && thing + height > 0.0 || hides == Hides::Nothing && ground > 0.0 {
                return f32::INFINITY;
            }
            let other: f32 = taken.iter().map(|other| shared(card, *other)).sum();
            if hides != Hides::Least && other > 0.5 {
                return f32::INFINITY;
            }
            1e4 * other + THING * thing + HEIGHT * height + PLACE * ground + far
        };
        let is_inside = |min: &Pos2| self.area.expand(1.0).contains_rect(Rect::from_min_size(*min, size));
        let kept = last.map(|last| last.min).filter(is_inside);
        let kept = kept.map(|min| (cost(min, f32::INFINITY) - STAYS, min)).filter(|kept| kept.0.is_finite());
        let (mut least, mut best) = kept.map_or((f32::INFINITY, None), |(cost, min)| (cost, Some(min)));
        // A card of more than a row needs no spot that is exact.
        let stride = if hides == Hides::Nothing || size.y > ROWS { 2.0 * STRIDE } else { STRIDE };
        let room = (self.area.size() - size).max(Vec2::ZERO);
        let steps = |length: f32| {
            let count = (length / stride) as u16;
            (0..=count).map(move |n| f32::from(n) * stride).chain([length])
        };
        for y in steps(room.y) {
            // No spot is better than one that costs nothing.
            if least <= 0.0 {
                break;
            }
            for x in steps(room.x) {
                let min = self.area.min + vec2(x, y);
                let cost = cost(min, least);
                if cost < least {
                    (least, best) = (cost, Some(min));
                }
            }
        }
        best.map(|min| Rect::from_min_size(min, size))
    }

    /// Where the card of the place stands that is pointed at, and how much it shows: all of it in a column beside the board, or near
    /// the place in a row or over what is no place, as the sea of a map; else a few words near the place over empty places, but not
    /// over its neighbours. On a map it is rather farther off than over land.
    pub(super) fn hint(
        &self,
        wanted: &Wanted<'_>,
        neighbours: &[Rect],
        obstacles: &mut Obstacles<'_>,
    ) -> (Detail, Rect) {
        let Wanted { place, last, .. } = *wanted;
        let outside = obstacles.things.iter().filter(|thing| !self.board.contains_rect(**thing));
        let blocked: Vec<Rect> = obstacles.taken.iter().chain(outside).copied().collect();
        let margins = self.margins(&blocked);
        let order = self.margins_for(&margins, place, last);
        let kept = around(place);
        // Near its place it is clear what it tells of; a wall hidden for the moment is less of a loss. A column is read beside it.
        let limit = kept.size().max_elem() / 2.0 + NEAR;
        let is_near = |card: &Rect| (place.center() - card.clamp(place.center())).length() <= limit;
        for detail in [Detail::Full, Detail::Brief] {
            let size = (wanted.size)(detail);
            for margin in order.iter().map(|index| margins[*index]) {
                let is_room = size.x <= margin.rect.width() + 0.5 && size.y <= margin.rect.height() + 0.5;
                let starts = margin.line_up(&[margin.wish(place, size)]).filter(|_| is_room);
                let card = starts.map(|starts| margin.card(starts[0], size));
                if let Some(card) = card.filter(|card| margin.is_column() || is_near(card)) {
                    return (detail, card);
                }
            }
        }
        obstacles.taken.push(kept);
        let full = (wanted.size)(Detail::Full);
        if let Some(spot) = self.spot(full, wanted, Hides::Nothing, limit, obstacles) {
            return (Detail::Full, spot);
        }
        obstacles.taken.extend(neighbours);
        let few = (wanted.size)(Detail::Brief);
        if !self.is_map
            && let Some(spot) = self.spot(few, wanted, Hides::Places, limit, obstacles)
        {
            return (Detail::Brief, spot);
        }
        // On a map the shorter of two cards comes before the farther one.
        let far = if self.is_map { FAR_ON_MAP * self.board.size().min_elem() } else { f32::INFINITY };
        let nearer: &[f32] = if self.is_map { &[limit, FARTHER * limit] } else { &[] };
        let fars = nearer.iter().copied().filter(|nearer| *nearer < far).chain([far]);
        for (far, detail) in fars.flat_map(|far| [(far, Detail::Full), (far, Detail::Brief)]) {
            let size = (wanted.size)(detail);
            if let Some(spot) = self.spot(size, wanted, Hides::Nothing, far, obstacles) {
                return (detail, spot);
            }
        }
        for (detail, hides) in
            [(Detail::Brief, Hides::Places), (Detail::Title, Hides::Places), (Detail::Title, Hides::Least)]
        {
            let spot = self.spot((wanted.size)(detail), wanted, hides, limit, obstacles);
            if let Some(spot) = spot {
                return (detail, spot);
            }
        }
        let size = (wanted.size)(Detail::Title);
        let spot = self.spot(size, wanted, Hides::Least, f32::INFINITY, obstacles);
        (Detail::Title, spot.unwrap_or(Rect::from_min_size(self.area.min, size)))
    }

    /// Whether something stands where the card is, or a place of the board is there.
    #[cfg(test)]
    fn hides(&self, card: Rect, obstacles: &Obstacles<'_>) -> bool {
        let any = |rects: &[Rect]| rects.iter().any(|rect| shared(card, *rect) > 1.0);
        self.places.hidden(card) > 0.0 || any(&self.texts) || any(obstacles.things)
    }
}

/// The first spot for a card of this size in a room, from its upper left corner on, that is clear of what is taken.
fn free_spot(room: Rect, size: Vec2, taken: &[Rect]) -> Option<Rect> {
    let starts = |first: f32, ends: fn(&Rect) -> f32| {
        let mut starts: Vec<f32> = taken.iter().map(|other| ends(other) + GAP).chain([first]).collect();
        starts.sort_by(f32::total_cmp);
        starts
    };
    let (lefts, mut tops) = (starts(room.left(), Rect::right), starts(room.top(), Rect::bottom));
    // Rows at nearly one height are one row, so that cards stand in their order.
    tops.dedup_by(|next, kept| {
        let is_near = *next - *kept < ROWS_APART;
        if is_near {
            *kept = *next;
        }
        is_near
    });
    let corners = tops.iter().flat_map(|top| lefts.iter().map(|left| pos2(*left, *top)));
    corners.map(|min| Rect::from_min_size(min, size)).find(|card| is_free(room, card, taken))
}

/// Whether a card is within a room and apart from what is taken.
fn is_free(room: Rect, card: &Rect, taken: &[Rect]) -> bool {
    let is_apart = |other: &Rect| !other.expand(GAP - 0.5).intersects(*card);
    room.expand(0.5).contains_rect(*card) && taken.iter().all(is_apart)
}

/// The strips between the edge of a board and its places, where its names are.
fn edges(board: Rect, places: Option<Rect>) -> Vec<Rect> {
    // The samples tell the edges of the places only about.
    let Some(places) = places.map(|places| places.expand(PLACES / 2.0)) else { return Vec::new() };
    vec![
        board.with_max_x(places.left()),
        board.with_min_x(places.right()),
        board.with_max_y(places.top()),
        board.with_min_y(places.bottom()),
    ]
}

/// A card that needs a place on the screen.
pub(super) struct Wanted<'a> {
    /// Its place on the board.
    pub place: Rect,
    /// Its size at a detail.
    pub size: &'a dyn Fn(Detail) -> Vec2,
    /// Where it was before.
    pub last: Option<Rect>,
    /// How much it shows as long as it stays there.
    pub stands: Option<Detail>,
    /// Whether the viewer wants to see all of it.
    pub unfolded: bool,
    /// Whether it is folded until then, also where it has room.
    pub is_folded: bool,
}

impl Wanted<'_> {
    /// The least that it shows.
    fn least(&self, area: Rect) -> Detail {
        match self.unfolded {
            true if (self.size)(Detail::Full).y <= area.height() => Detail::Full,
            // Its buttons have to be on the screen.
            true => Detail::Brief,
            false => Detail::Title,
        }
    }

    /// The most that it shows.
    fn most(&self, area: Rect) -> Detail {
        if self.is_folded { self.least(area) } else { Detail::Full }
    }
}

/// What a card over the board may hide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hides {
    /// Nothing, no place of the board either.
    Nothing,
    /// Places without anything.
    Places,
    /// As little as can be.
    Least,
}

/// Margins inside the card of a place that is pointed at.
pub(super) const INSET: Inset = Inset::symmetric(9, 6);

/// Shows the card of a place that is pointed at.
pub(super) fn show(ui: &Ui, at: Pos2, contents: impl FnOnce(&mut Ui)) {
    let palette = Palette::of(ui.ctx());
    let card = Area::new(Id::unique("card of the place"))
        .order(Order::Tooltip)
        .fixed_pos(at)
        .constrain(false)
        .interactable(false);
    let frame = Frame::new()
        .fill(palette.panel.gamma_multiply(0.96))
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(8.0)
        .inner_margin(INSET);
    card.show(ui.ctx(), |ui| frame.show(ui, contents));
}

/// Paints the line from a card to its place, unless they are close together. Names and signs lie over it where `frames` do so.
/// It is thin unless it `is_meant`.
pub(super) fn leader(ui: &Ui, frames: &mut Frames<'_>, (card, place): (Rect, Rect), is_meant: bool) {
    let middle = card.clamp(place.center());
    let way = place.center() - middle;
    let far = way.length() - place.width() / 2.0;
    if far < 8.0 {
        return;
    }
    let palette = Palette::of(ui.ctx());
    let end = middle + way.normalized() * (far - 2.0);
    let width = if is_meant { 2.0 } else { 1.5 };
    let pens =
        [Stroke::new(width + 2.0, palette.ground.gamma_multiply(0.6)), Stroke::new(width, palette.text)];
    frames.line(ui.painter(), [middle, end], &pens);
}

#[cfg(test)]
mod tests {
    use eframe::egui::{Align2, pos2};

    use super::*;

    fn room(area: Rect, board: Rect) -> Room {
        let by = (area, board, BoardOptions::default(), [None; 2]);
        let at = |column: usize, row: usize| area.min + vec2(column as f32 + 0.5, row as f32 + 0.5) * PLACES;
        let places = Samples::of(area, PLACES, |column, row| board.contains(at(column, row)));
        Room { by, area, board, places, is_map: false, inside: board, texts: Vec::new() }
    }

    const BRIEF: Vec2 = vec2(150.0, 40.0);

    /// The card of a place that is pointed at.
    fn card(room: &Room, (place, neighbours): (Rect, &[Rect]), size: Vec2, last: Option<Rect>) -> Rect {
        let size = |detail: Detail| if detail == Detail::Full { size } else { BRIEF };
        let wanted = Wanted { place, size: &size, last, stands: None, unfolded: false, is_folded: false };
        room.hint(&wanted, neighbours, &mut Obstacles::new(Vec::new(), &[], &[])).1
    }

    /// New cards of these places.
    fn wanted<'a>(
        places: &[Rect],
        size: &'a dyn Fn(Detail) -> Vec2,
        unfolded: Option<usize>,
        is_folded: bool,
    ) -> Vec<Wanted<'a>> {
        let places = places.iter().enumerate();
        let card = |(index, place): (usize, &Rect)| Wanted {
            place: *place,
            size,
            last: None,
            stands: None,
            unfolded: unfolded == Some(index),
            is_folded,
        };
        places.map(card).collect()
    }

    /// Cards of pins, with their details.
    fn put(room: &Room, places: &[Rect], things: &[Rect], unfolded: Option<usize>) -> Vec<(Detail, Rect)> {
        let size = |detail: Detail| match detail {
            Detail::Title => vec2(120.0, 28.0),
            Detail::Brief => vec2(140.0, 90.0),
            Detail::Full | Detail::Broad => vec2(140.0, 170.0),
        };
        room.put(&wanted(places, &size, unfolded, false), &mut Obstacles::new(places.to_vec(), things, &[]))
    }

    fn square(x: f32, y: f32) -> Rect {
        Rect::from_center_size(pos2(x, y), Vec2::splat(30.0))
    }

    #[test]
    fn the_card_hides_no_neighbour_wherever_the_pointer_is() {
        let size = vec2(230.0, 84.0);
        for (width, height) in [(740.0, 560.0), (1100.0, 800.0), (370.0, 560.0)] {
            let area = Rect::from_min_size(pos2(10.0, 90.0), vec2(width, height));
            let side = width.min(height);
            let board = Rect::from_center_size(area.center(), Vec2::splat(side));
            let cell = side / 15.0;
            let room = room(area, board);
            let mut last = None;
            for n in 0..225 {
                let at = board.min + vec2((n % 15) as f32 + 0.5, (n / 15) as f32 + 0.5) * cell;
                let place = Rect::from_center_size(at, Vec2::splat(cell));
                // Beside the board nothing is hidden.
                let near = place.expand(cell).intersect(board);
                let card = card(&room, (place, &[near]), size, last);
                assert!(shared(card, near) < 1.0, "{width}×{height}, {at}: {card} over {near}");
                last = Some(card);
            }
        }
    }

    #[test]
    fn it_stands_beside_the_board_where_there_is_room_and_stays_there() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(1200.0, 600.0));
        let board = Rect::from_center_size(area.center(), vec2(600.0, 600.0));
        let size = vec2(230.0, 84.0);
        let room = room(area, board);
        let dock = |x, last| card(&room, (square(x, 560.0), &[]), size, last);
        let (left, right) = (dock(400.0, None), dock(800.0, None));
        assert!(left.right() <= 300.0 && right.left() >= 900.0, "{left} {right}");
        // At the height of its place, as far as there is room.
        assert_eq!((left.bottom(), right.bottom()), (600.0, 600.0));
        assert_eq!(dock(620.0, Some(left)), left);
        assert_eq!(dock(580.0, Some(right)), right);
    }

    #[test]
    fn over_a_board_that_fills_its_area_it_is_small_and_near() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 500.0));
        for (x, y) in [(200.0, 150.0), (600.0, 150.0), (30.0, 350.0), (600.0, 480.0)] {
            let place = square(x, y);
            let card = card(&room(area, area), (place, &[]), vec2(230.0, 84.0), None);
            assert_eq!(card.size(), BRIEF);
            let far = (card.clamp(place.center()) - place.center()).length();
            assert!(far < 60.0 && !card.intersects(place) && area.contains_rect(card), "{x}, {y}: {card}");
        }
    }

    #[test]
    fn it_is_near_its_place_over_empty_squares_rather_than_in_a_row_far_below_the_board() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0));
        let place = square(400.0, 100.0);
        let card = card(&room(area, area.with_max_y(440.0)), (place, &[]), vec2(230.0, 84.0), None);
        let far = (card.clamp(place.center()) - place.center()).length();
        assert!(far < 90.0, "{card}");
        // Nor does it hide the squares around its own.
        assert!(!card.intersects(place.expand(29.0)), "{card}");
    }

    #[test]
    fn it_is_near_its_place_even_where_it_has_to_hide_something() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 500.0));
        let room = room(area, area);
        // Things everywhere but far away.
        let things: Vec<Rect> =
            (0..200).map(|n| square((n % 20) as f32 * 40.0, (n / 20) as f32 * 40.0)).collect();
        let size =
            |detail: Detail| if detail == Detail::Title { vec2(130.0, 30.0) } else { vec2(230.0, 84.0) };
        let place = square(400.0, 100.0);
        let wanted =
            Wanted { place, size: &size, last: None, stands: None, unfolded: false, is_folded: false };
        let (detail, card) = room.hint(&wanted, &[], &mut Obstacles::new(Vec::new(), &things, &[]));
        let far = (card.clamp(place.center()) - place.center()).length();
        assert!(detail == Detail::Title && far < 80.0 && !card.intersects(place), "{card}");
    }

    #[test]
    fn on_a_map_it_is_over_the_sea_where_that_is_free_and_no_line_crosses_the_world() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 500.0));
        let mut room = room(area, area);
        room.is_map = true;
        // Land but for the lower left corner.
        let sea = Rect::from_min_max(pos2(0.0, 380.0), pos2(300.0, 500.0));
        let at = |column: usize, row: usize| vec2(column as f32 + 0.5, row as f32 + 0.5) * PLACES;
        room.places = Samples::of(area, PLACES, |column, row| !sea.contains(at(column, row).to_pos2()));
        let at_sea = card(&room, (square(420.0, 300.0), &[]), vec2(230.0, 84.0), None);
        assert!(sea.expand(PLACES / 2.0).contains_rect(at_sea), "{at_sea}");
        assert_eq!(at_sea.size(), vec2(230.0, 84.0));
        let place = square(700.0, 60.0);
        let inland = card(&room, (place, &[]), vec2(230.0, 84.0), None);
        assert!(inland.distance_to_pos(place.center()) < 120.0 && !inland.intersects(place), "{inland}");
    }

    #[test]
    fn it_hides_no_neighbour_that_is_far_away() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 500.0));
        let (alaska, room) = (square(60.0, 100.0), room(area, area));
        let before = card(&room, (alaska, &[]), vec2(230.0, 84.0), None);
        let kamchatka = Rect::from_center_size(before.center(), Vec2::splat(30.0));
        assert!(!card(&room, (alaska, &[kamchatka]), vec2(230.0, 84.0), None).intersects(kamchatka));
    }

    #[test]
    fn the_card_keeps_off_buttons_and_is_as_wide_as_the_room_beside_the_board() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0));
        let board = Rect::from_min_size(Pos2::ZERO, vec2(600.0, 600.0));
        let room = room(area, board);
        assert!((room.width(240.0) - 194.0).abs() < 0.1);
        let buttons = Rect::from_min_max(pos2(770.0, 480.0), pos2(798.0, 598.0));
        let size = |_: Detail| vec2(194.0, 70.0);
        let wanted = Wanted {
            place: square(500.0, 560.0),
            size: &size,
            last: None,
            stands: None,
            unfolded: false,
            is_folded: false,
        };
        let mut obstacles = Obstacles::new(vec![buttons], &[], &[]);
        let (_, card) = room.hint(&wanted, &[], &mut obstacles);
        assert!(!card.intersects(buttons) && !card.intersects(board), "{card}");
        assert!(!room.hides(card, &obstacles));
    }

    #[test]
    fn cards_of_pins_hide_no_name_and_each_other_neither() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 500.0));
        let mut room = room(area, area);
        // Names everywhere but below.
        room.texts = vec![Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 330.0))];
        let places = [square(100.0, 100.0), square(130.0, 100.0)];
        let cards = put(&room, &places, &[], None);
        for (detail, card) in &cards {
            assert_eq!(*detail, Detail::Title, "without room it is folded");
            assert!(!card.intersects(room.texts[0]), "{card}");
        }
        assert!(!cards[0].1.intersects(cards[1].1), "{cards:?}");
        assert!(cards[1].1.left() < 110.0, "near its place: {cards:?}");
    }

    #[test]
    fn cards_stand_in_the_margin_on_the_side_of_their_place_in_the_order_of_the_places() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(1000.0, 500.0));
        let board = Rect::from_center_size(area.center(), vec2(700.0, 500.0));
        let room = room(area, board);
        // Three places on the left half, close together.
        let places = [square(300.0, 240.0), square(200.0, 220.0), square(400.0, 260.0)];
        let cards = put(&room, &places, &[], None);
        for (_, card) in &cards {
            assert!(card.right() <= board.left() && area.contains_rect(*card), "{cards:?}");
        }
        assert!(cards[1].1.bottom() < cards[0].1.top() && cards[0].1.bottom() < cards[2].1.top());
        assert_eq!(cards[2].0, Detail::Full, "the newest one is whole");
        // One of each side.
        let cards = put(&room, &[square(300.0, 240.0), square(700.0, 240.0)], &[], None);
        assert!(cards[0].1.right() <= board.left() && cards[1].1.left() >= board.right(), "{cards:?}");
        assert!(cards.iter().all(|(detail, _)| *detail == Detail::Full));
    }

    #[test]
    fn a_card_without_a_margin_is_folded_and_hides_nothing_until_it_is_unfolded() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(780.0, 330.0));
        let room = room(area, area);
        let places = [square(300.0, 120.0), square(500.0, 60.0), square(400.0, 200.0)];
        // Walls and pieces between free rows.
        let things: Vec<Rect> =
            (0..40).map(|n| square((n % 10) as f32 * 78.0 + 20.0, (n / 10) as f32 * 90.0 + 20.0)).collect();
        let cards = put(&room, &places, &things, None);
        for (detail, card) in &cards {
            assert_eq!(*detail, Detail::Title);
            let over = things.iter().chain(&places).find(|thing| shared(**thing, *card) > 1.0);
            assert_eq!(over, None, "{card}");
        }
        let cards = put(&room, &places, &things, Some(0));
        assert_eq!(cards[0].0, Detail::Full);
        assert!(places.iter().all(|place| shared(*place, cards[0].1) < 1.0), "{cards:?}");
    }

    /// Folded cards on a phone, whose board leaves a strip below it with buttons at its right; their numbers, details and areas.
    fn on_a_phone(count: usize, unfolded: Option<usize>) -> Vec<(Detail, Rect)> {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(374.0, 600.0));
        let board = area.with_max_y(340.0);
        let size = |detail: Detail| match detail {
            Detail::Title => vec2(140.0, 46.0),
            _ => vec2(188.0, 130.0),
        };
        let places = [square(60.0, 60.0), square(120.0, 120.0), square(300.0, 200.0), square(200.0, 300.0)];
        let wanted = wanted(&places[..count], &size, unfolded, true);
        let buttons = Rect::from_min_max(pos2(180.0, 346.0), pos2(374.0, 386.0));
        let taken = [places.to_vec(), vec![buttons]].concat();
        let cards = room(area, board).put(&wanted, &mut Obstacles::new(taken.clone(), &[], &[]));
        for (index, (_, card)) in cards.iter().enumerate() {
            assert!(card.top() >= board.bottom() && area.contains_rect(*card), "{cards:?}");
            let others = cards[..index].iter().map(|(_, other)| other).chain(&taken);
            assert_eq!(others.copied().find(|other| shared(*card, *other) > 0.0), None, "{cards:?}");
        }
        cards
    }

    #[test]
    fn cards_in_a_strip_keep_their_places_and_their_order() {
        let all = on_a_phone(4, None);
        for count in 1..4 {
            assert_eq!(on_a_phone(count, None), all[..count], "a further one moves none");
        }
        for (index, pair) in all.windows(2).enumerate() {
            let (a, b) = (pair[0].1, pair[1].1);
            assert!(b.top() >= a.bottom() || b.top() >= a.top() && b.left() >= a.right(), "{index}: {all:?}");
        }
    }

    #[test]
    fn a_folded_card_for_fingers_stays_while_its_words_change_and_pieces_pass_below_it() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(370.0, 540.0));
        let room = room(area, area.shrink2(vec2(60.0, 10.0)));
        let place = square(120.0, 120.0);
        let put = |size: Vec2, last: Option<Rect>, things: &[Rect]| {
            let size = move |_: Detail| size;
            let wanted = [Wanted {
                place,
                size: &size,
                last,
                stands: last.map(|_| Detail::Title),
                unfolded: false,
                is_folded: true,
            }];
            room.put(&wanted, &mut Obstacles::new(vec![place], things, &[]))[0].1
        };
        let first = put(vec2(150.0, 50.0), None, &[]);
        // A crowd comes to where it stands.
        let crowd: Vec<Rect> =
            (0..9).map(|n| Rect::from_center_size(first.center(), Vec2::splat(12.0 * n as f32))).collect();
        assert_eq!(put(vec2(150.0, 50.0), Some(first), &crowd), first);
        assert_eq!(put(vec2(150.0, 66.0), Some(first), &crowd).min, first.min);
        // At an edge all of it stays within the area.
        let low = Rect::from_min_size(pos2(215.0, 485.0), vec2(150.0, 50.0));
        let higher = put(vec2(160.0, 66.0), Some(low), &[]);
        assert!(area.contains_rect(higher) && (higher.min - low.min).length() < 20.0, "{higher}");
        // Nothing that is to be seen or pressed is hidden.
        let over = Rect::from_center_size(place.center(), vec2(150.0, 50.0));
        assert!(shared(put(vec2(150.0, 50.0), Some(over), &[]), place) < 0.5);
    }

    #[test]
    fn an_unfolded_card_stands_in_the_strip_as_well() {
        let folded = on_a_phone(3, None);
        for unfolded in 0..3 {
            let cards = on_a_phone(3, Some(unfolded));
            assert_eq!(cards[unfolded].0, Detail::Full);
            let others = (0..3).filter(|index| *index != unfolded);
            assert!(others.into_iter().all(|index| cards[index] == folded[index]), "{cards:?} {folded:?}");
        }
    }

    #[test]
    fn an_unfolded_card_takes_the_form_that_hides_no_thing() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(780.0, 330.0));
        let room = room(area, area);
        let size = |detail: Detail| match detail {
            Detail::Title => vec2(140.0, 28.0),
            Detail::Broad => vec2(500.0, 90.0),
            _ => vec2(188.0, 300.0),
        };
        let place = square(400.0, 60.0);
        // A row of control points in the middle leaves a low room below.
        let things: Vec<Rect> = (0..8).map(|n| square(50.0 + 100.0 * n as f32, 165.0)).collect();
        let wanted =
            [Wanted { place, size: &size, last: None, stands: None, unfolded: true, is_folded: false }];
        let cards = room.put(&wanted, &mut Obstacles::new(vec![place], &things, &[]));
        assert_eq!(cards[0].0, Detail::Broad);
        assert_eq!(things.iter().find(|thing| shared(**thing, cards[0].1) > 1.0), None, "{cards:?}");
    }

    #[test]
    fn what_stands_in_a_margin_leaves_it_its_longest_part() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(1000.0, 500.0));
        let board = Rect::from_center_size(area.center(), vec2(700.0, 500.0));
        let result = Align2::LEFT_BOTTOM.align_size_within_rect(vec2(140.0, 200.0), area);
        let room = room(area, board);
        let place = square(200.0, 450.0);
        let size = |_: Detail| vec2(140.0, 170.0);
        let wanted =
            [Wanted { place, size: &size, last: None, stands: None, unfolded: false, is_folded: false }];
        let cards = room.put(&wanted, &mut Obstacles::new(vec![result, place], &[], &[]));
        assert!(!cards[0].1.intersects(result) && cards[0].1.right() <= board.left(), "{cards:?}");
    }
}
