//! Cards of all units below the board, where that leaves room, or over the lower edge of an enlarged one: class, number, health, or the
//! time until the unit is back.

use egui::{Align2, CornerRadius, FontId, Painter, Pos2, Rect, Stroke, pos2, vec2};
use grandstand_protocol::fortress::{Fallen, Scene, Team, Unit};
use grandstand_story::games::fortress::text::Wait;

use super::effects::HealthChange;
use super::unit::{class_colors, paint_class, paint_health};
use crate::games::tiles::Tiles;
use crate::text::fitting;
use crate::theme::{BODY, Palette, SMALL, mix, semibold};
use crate::{BoardInput, BoardOptions, team_marks};

/// Least and largest height of the cards, with the gap above them, in points.
pub(super) const LEAST: f32 = 54.0;
pub(super) const MOST: f32 = 66.0;
/// Room that is left free for a screen's buttons: below the cards, or in less room at their right with a margin below; and the width
/// of the cards there at least, in points.
pub(super) const BELOW: f32 = 38.0;
const ASIDE: f32 = 160.0;
const MARGIN: f32 = 6.0;
const SHORT: f32 = 480.0;
const ABOVE: f32 = 10.0;
/// Height of an enlarged board from which cards lie over it, in points.
const LEAST_SEEN: f32 = 260.0;
/// Largest width of a card, gap between two cards, and gap between the teams at least, in points.
const WIDEST: f32 = 96.0;
const GAP: f32 = 4.0;
const BETWEEN: f32 = 12.0;
/// Width from which a card has its texts beside the plate, and of the longest of them, in points.
const BROAD: f32 = 64.0;
const TEXT: f32 = 38.0;
/// Width of a place in which the cards of both teams are read, in points.
pub(super) const READABLE: f32 = 340.0;
/// Part of their size down to which texts are shrunk to fit.
const SMALLEST: f32 = 0.75;

/// The place of the cards below a board; `None` without room.
pub(super) fn area(rect: Rect, tiles: &Tiles, options: BoardOptions) -> Option<Rect> {
    if options.is_tile || options.upright {
        return None;
    }
    let board = tiles.board();
    let room = rect.bottom() - board.bottom();
    let aside = board.right().min(rect.right() - ASIDE);
    let (right, below) = match () {
        () if room >= LEAST + BELOW - 0.5 => (board.right(), BELOW),
        () if room >= LEAST + MARGIN && aside - board.left() >= SHORT => (aside, MARGIN),
        () => return None,
    };
    let corner = pos2(board.left(), board.bottom() + ABOVE);
    Some(Rect::from_min_max(corner, pos2(right, board.bottom() + (room - below).min(MOST))))
}

/// The place of the cards over the lower edge of an enlarged board, of which this part is seen; `None` where they would take most of
/// its width.
pub(super) fn area_over(seen: Rect, options: BoardOptions) -> Option<Rect> {
    let room = seen.shrink2(vec2(MARGIN, MARGIN)).with_max_x(seen.right() - ASIDE);
    let has_room =
        room.width() >= SHORT && seen.height() >= LEAST_SEEN && !options.is_tile && !options.upright;
    has_room.then(|| room.with_min_y(room.bottom() - LEAST))
}

/// A unit of a team.
#[derive(Debug, Clone, Copy)]
enum Member<'a> {
    Standing(&'a Unit),
    Waiting(&'a Fallen),
}

impl Member<'_> {
    fn id(&self) -> u32 {
        match self {
            Member::Standing(unit) => unit.id,
            Member::Waiting(unit) => unit.id,
        }
    }
}

fn members(scene: &Scene, team: Team) -> Vec<Member<'_>> {
    let standing = scene.units().iter().filter(|unit| unit.team == team).map(Member::Standing);
    let waiting = scene.fallen().iter().filter(|unit| unit.team == team).map(Member::Waiting);
    let mut all: Vec<_> = standing.chain(waiting).collect();
    all.sort_by_key(Member::id);
    all
}

/// The cards with their places: the first team's from the left, the second team's up to the right.
fn placed(area: Rect, scene: &Scene) -> Vec<(Member<'_>, Rect)> {
    let teams = Team::ALL.map(|team| members(scene, team));
    let most = teams.iter().map(Vec::len).max().unwrap_or_default().max(1) as f32;
    let wide = (((area.width() - BETWEEN) / 2.0 + GAP) / most - GAP).min(WIDEST);
    if wide < 2.0 * BODY {
        return Vec::new();
    }
    let of_team = |(team, members): (Team, Vec<_>)| {
        let first = match team {
            Team::Red => area.left(),
            Team::Blue => area.right() - (wide + GAP) * members.len() as f32 + GAP,
        };
        let place = move |(n, member)| {
            let left = first + (wide + GAP) * n as f32;
            (member, Rect::from_min_size(pos2(left, area.top()), vec2(wide, area.height())))
        };
        members.into_iter().enumerate().map(place).collect::<Vec<_>>()
    };
    Team::ALL.into_iter().zip(teams).flat_map(of_team).collect()
}

/// The unit on the board whose card has this point.
pub(super) fn unit_at(area: Rect, scene: &Scene, at: Pos2) -> Option<&Unit> {
    if !area.contains(at) {
        return None;
    }
    placed(area, scene).into_iter().find_map(|(member, card)| match member {
        Member::Standing(unit) if card.contains(at) => Some(unit),
        _ => None,
    })
}

/// Paints the ground of cards over the lower edge of an enlarged board, of which `seen` is seen: the board ends above it.
pub(super) fn paint_ground(painter: &Painter, palette: &Palette, area: Rect, seen: Rect) {
    let ground = seen.with_min_y(area.top() - MARGIN);
    painter.rect_filled(ground, 0.0, palette.ground);
    painter.hline(ground.x_range(), ground.top(), Stroke::new(1.0, palette.line));
}

/// Paints the cards, with what has just changed of the units' health.
pub(super) fn paint(
    painter: &Painter,
    palette: &Palette,
    area: Rect,
    (scene, changes): (&Scene, &[HealthChange]),
    picture: &BoardInput<'_>,
) {
    for (member, card) in placed(area, scene) {
        let change = changes.iter().find(|change| change.on == member.id());
        paint_card(painter, palette, card, (member, change), picture);
    }
}

fn paint_card(
    painter: &Painter,
    palette: &Palette,
    card: Rect,
    (member, change): (Member<'_>, Option<&HealthChange>),
    picture: &BoardInput<'_>,
) {
    let (team, class, id) = match member {
        Member::Standing(unit) => (unit.team, unit.class, unit.id),
        Member::Waiting(unit) => (unit.team, unit.class, unit.id),
    };
    let accent = palette.squad(team).accent;
    painter.rect_filled(card, CornerRadius::same(6), palette.panel);
    let is_broad = card.width() >= BROAD;
    let inside = card.shrink2(vec2(if is_broad { 6.0 } else { 3.5 }, 5.0));
    // A narrow card has the number beside the plate, and the health below both.
    let radius = match is_broad {
        true => ((inside.height() - 9.0) * 0.40).min((inside.width() - TEXT - 9.0) / 2.0),
        false => 8.5,
    };
    let at = match is_broad {
        true => pos2(inside.left() + radius + 2.0, inside.top() + (inside.height() - 8.0) / 2.0),
        false => pos2(inside.left() + radius + 1.0, inside.top() + radius),
    };
    let (number_at, health_at, align) = match is_broad {
        true => (
            pos2(at.x + radius + 7.0, at.y - 9.0),
            pos2(at.x + radius + 7.0, at.y + 7.0),
            Align2::LEFT_CENTER,
        ),
        false => (
            pos2(at.x + radius + 2.5, at.y),
            pos2(card.center().x, inside.bottom() - 12.0),
            Align2::CENTER_CENTER,
        ),
    };
    // What has just happened to the unit.
    let told = change.map(|change| {
        let ink = |ink| if palette.is_dark { ink } else { mix(ink, palette.text, 0.62) };
        change.parts().map(move |(words, color)| (words, ink(color))).collect::<Vec<_>>()
    });
    let told = told.unwrap_or_default();
    let strength = change.map_or(0.0, HealthChange::strength);
    let small = |less: f32| FontId::new(SMALL - less, semibold());
    let number = painter.layout_no_wrap(id.to_string(), small(0.0), palette.weak);
    let mut room = card.right() - 4.0 - number_at.x - number.size().x - 3.0;
    painter.galley(number_at - vec2(0.0, number.size().y / 2.0), number, palette.weak);
    // At the right of the unit's number, as much as has room; without room the health has the colour of what changed it.
    let mut on_health = told.first().map(|(_, ink)| *ink);
    let mut right = card.right() - 4.0;
    for (words, ink) in told.into_iter().filter(|_| is_broad) {
        let galley = fitting(painter, &words, small(1.0), ink.gamma_multiply(strength), room, SMALLEST);
        if galley.elided {
            break;
        }
        let left = right - galley.size().x;
        room -= galley.size().x + 4.0;
        right = left - 4.0;
        on_health = None;
        painter.galley(pos2(left, number_at.y - galley.size().y / 2.0), galley, palette.text);
    }
    let text = |words: &str, color| {
        let size = if is_broad { BODY } else { SMALL };
        let room = if is_broad { inside.right() - health_at.x } else { inside.width() };
        let galley = fitting(painter, words, FontId::new(size, semibold()), color, room, SMALLEST);
        let place = align.anchor_size(health_at, galley.size());
        painter.galley(place.min, galley, color);
    };
    let bar = vec2(inside.width(), 4.0);
    let below = pos2(card.center().x, inside.bottom() - 2.0);
    match member {
        Member::Standing(unit) => {
            let [plate, ink] = class_colors(palette, team, class);
            team_marks::paint_token(painter, at, radius, team, plate, Stroke::new(1.3, accent));
            paint_class(painter, at, radius * 0.66, class, ink);
            let ink = on_health.map_or(palette.text, |ink| mix(palette.text, ink, strength));
            text(&unit.health.to_string(), ink);
            paint_health(painter, below, bar.x, bar.y, unit);
        }
        Member::Waiting(unit) => {
            let wait = Wait::of(unit, picture.secs, picture.rules);
            let faint = mix(palette.panel, palette.weak, 0.45);
            painter.circle_stroke(at, radius * 0.92, Stroke::new(1.5, faint));
            paint_class(painter, at, radius * 0.60, class, faint);
            if wait.secs() > 0.0 {
                text(&format!("{:.0} s", wait.secs()), palette.weak);
                let rest = Rect::from_center_size(below, bar);
                let part = 1.0 - wait.part() as f32;
                painter.rect_filled(rest, 1.5, mix(palette.panel, palette.weak, 0.25));
                let done = Rect::from_min_size(rest.min, vec2(rest.width() * part.clamp(0.0, 1.0), bar.y));
                painter.rect_filled(done, 1.5, accent);
            }
        }
    }
}
