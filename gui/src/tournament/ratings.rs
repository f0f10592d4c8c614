//! Ratings of a stage over time: a line for each player; the best have colours and names.

use eframe::egui::{
    Align2, Color32, FontId, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};
use grandstand_board::text::paint_left;
use grandstand_board::theme::{Palette, SMALL, mix};
use grandstand_protocol::tournament::{RatingHistory, StageReport};

use super::TournamentRequest;
use super::answers::loaded;
use super::known::VisibleTournament;
use super::standings::{elo as written, page_of};
use super::table::{Cell, Column, Table};
use crate::address::tournament::TournamentView;

/// Number of lines with their own colour; more could not be told apart.
const NAMED: usize = 8;
/// Height of a name beside the lines, in points.
const NAME: f32 = 17.0;
/// Distance at which the pointer is on a line, in points.
const NEAR: f32 = 14.0;

const DARK: [u32; NAMED] = [0x7cb3ff, 0xf5b24a, 0x6fcf97, 0xff8a80, 0xc79bff, 0x5fd3da, 0xf08cc5, 0xc6cf5a];
const LIGHT: [u32; NAMED] = [0x1b63c4, 0xa85400, 0x1c7a45, 0xb3261e, 0x7a3fb5, 0x00757d, 0x8a2f6a, 0x5c6700];

/// Shows the plot, and the ratings as a table; returns what was pressed.
pub(super) fn show(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    place: TournamentView,
    stage: &StageReport,
    answer: Result<Option<&RatingHistory>, &str>,
) -> Option<TournamentRequest> {
    if answer == Ok(None) && (!stage.begun || stage.standings.iter().all(|line| line.rating.is_none())) {
        ui.weak("Nobody has a rated game in this stage yet.");
        return None;
    }
    let history = loaded(ui, answer)?;
    ui.weak("Elo about the mean of all, fitted again after so many rated games of the stage.");
    ui.add_space(4.0);
    let own = place.player.and_then(|number| known.player(number)).map(|player| player.name.as_str());
    let own = own.and_then(|name| history.players.iter().position(|player| player == name));
    let mut asked =
        Plot { history, own }.show(ui).and_then(|player| page_of(known, &history.players[player]));
    ui.add_space(10.0);
    asked = table(known, history).show(ui, "ratings").or(asked);
    ui.add_space(16.0);
    asked
}

struct Plot<'a> {
    history: &'a RatingHistory,
    /// Index of the player whose line is highlighted.
    own: Option<usize>,
}

impl Plot<'_> {
    /// Shows the plot; returns the player whose line was clicked.
    fn show(&self, ui: &mut Ui) -> Option<usize> {
        let palette = Palette::of(ui.ctx());
        let seen = ui.clip_rect().size();
        let size = vec2((seen.x - 24.0).clamp(280.0, 1100.0), (seen.y * 0.62).clamp(230.0, 520.0));
        let (outer, response) = ui.allocate_exact_size(size, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, self.words()));
        let last = self.history.points.last()?;
        ui.painter().rect_filled(outer, 8.0, palette.raised);
        let names = if size.x < 500.0 { 104.0 } else { 190.0 };
        let inner = Rect::from_min_max(outer.min + vec2(52.0, 26.0), outer.max - vec2(names, 44.0));
        let grid = Grid::of(self.history, inner, last.games);
        grid.paint(ui, outer);
        let paths: Vec<Vec<Pos2>> =
            (0..self.history.players.len()).map(|player| self.path(player, &grid)).collect();
        let pointed = response.hover_pos();
        let near = pointed.and_then(|at| nearest(&paths, at));
        let shown = near.or(self.own);
        for (player, path) in paths.iter().enumerate().rev().filter(|(player, _)| Some(*player) != shown) {
            line(ui, path, self.ink(palette, player, shown), 1.8);
        }
        if let Some(player) = shown {
            line(ui, &paths[player], self.ink(palette, player, shown), 3.0);
        }
        self.names(
            ui,
            (&grid, &paths),
            Rect::from_x_y_ranges(inner.right()..=outer.right(), outer.y_range()),
            shown,
        );
        let clicked = response.clicked();
        if let (Some(player), Some(at)) = (near, pointed) {
            let part = ((at.x - inner.left()) / inner.width()).clamp(0.0, 1.0);
            let games = (part * last.games as f32).round() as usize;
            let point = self.history.points.iter().min_by_key(|point| point.games.abs_diff(games))?;
            let elo = point.elo.get(player).copied().flatten();
            let words = elo.map(|elo| {
                format!("{}: {} Elo after {} games", self.history.players[player], written(elo), point.games)
            });
            if let Some(words) = words {
                response.on_hover_text_at_pointer(words);
            }
        }
        near.filter(|_| clicked)
    }

    /// The last ratings of the best players, in words.
    fn words(&self) -> String {
        let last = self.history.points.last();
        let players = self.history.players.iter().enumerate().take(NAMED).filter_map(|(index, name)| {
            let elo = last?.elo.get(index).copied().flatten()?;
            Some(format!("{name} {}", written(elo)))
        });
        format!("Ratings over time, in Elo, at the end: {}", players.collect::<Vec<_>>().join(", "))
    }

    fn path(&self, player: usize, grid: &Grid) -> Vec<Pos2> {
        let points = self.history.points.iter();
        let seen = points.filter_map(|point| Some((point.games, point.elo.get(player).copied().flatten()?)));
        seen.map(|(games, elo)| pos2(grid.x(games), grid.y(elo))).collect()
    }

    /// A player's colour; pale while another line is highlighted.
    fn ink(&self, palette: &Palette, player: usize, shown: Option<usize>) -> Color32 {
        let colours = if palette.is_dark { DARK } else { LIGHT };
        let ink = match colours.get(player) {
            Some(rgb) => {
                let [_, r, g, b] = rgb.to_be_bytes();
                Color32::from_rgb(r, g, b)
            }
            None if shown == Some(player) => palette.text,
            None => mix(palette.raised, palette.weak, 0.35),
        };
        if shown.is_some_and(|shown| shown != player) { mix(palette.raised, ink, 0.35) } else { ink }
    }

    /// Names at the ends of their lines, moved apart where they would overlap.
    fn names(&self, ui: &Ui, (grid, paths): (&Grid, &[Vec<Pos2>]), area: Rect, shown: Option<usize>) {
        let palette = Palette::of(ui.ctx());
        let mut ends: Vec<(usize, f32)> = paths
            .iter()
            .enumerate()
            .filter(|(player, _)| *player < NAMED || shown == Some(*player))
            .filter_map(|(player, path)| Some((player, path.last()?.y)))
            .collect();
        ends.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut free = area.top() + 14.0;
        for (after, (player, y)) in ends.iter().enumerate() {
            let lowest = grid.inner.bottom() - NAME * (ends.len() - 1 - after) as f32;
            let at = y.min(lowest).max(free);
            free = at + NAME;
            let ink = self.ink(palette, *player, shown);
            let name = &self.history.players[*player];
            paint_left(
                ui.painter(),
                pos2(area.left() + 8.0, at),
                name,
                FontId::proportional(SMALL),
                ink,
                area.width() - 14.0,
            );
        }
    }
}

fn line(ui: &Ui, path: &[Pos2], ink: Color32, width: f32) {
    match path {
        [one] => drop(ui.painter().circle_filled(*one, width + 0.5, ink)),
        path => drop(ui.painter().add(Shape::line(path.to_vec(), Stroke::new(width, ink)))),
    }
}

/// The line nearest to a point vertically, if it is within [`NEAR`].
fn nearest(paths: &[Vec<Pos2>], at: Pos2) -> Option<usize> {
    let distance = |path: &[Pos2]| {
        let steps = path.windows(2).filter(|two| (two[0].x..=two[1].x).contains(&at.x));
        let along = steps.map(|two| {
            let part = (at.x - two[0].x) / (two[1].x - two[0].x).max(1e-3);
            (two[0].y + (two[1].y - two[0].y) * part - at.y).abs()
        });
        along.fold(f32::INFINITY, f32::min)
    };
    let all = paths.iter().enumerate().map(|(player, path)| (player, distance(path)));
    let best = all.min_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.1 <= NEAR).then_some(best.0)
}

/// Axes of the plot.
struct Grid {
    inner: Rect,
    low: f64,
    high: f64,
    step: f64,
    games: usize,
}

impl Grid {
    fn of(history: &RatingHistory, inner: Rect, games: usize) -> Grid {
        let (low, high, step) = history.axis(f64::from(inner.height() / 44.0).max(2.0));
        Grid { inner, low, high, step, games }
    }

    fn x(&self, games: usize) -> f32 {
        self.inner.left() + self.inner.width() * (games as f32 / self.games.max(1) as f32)
    }

    fn y(&self, elo: f64) -> f32 {
        let part = ((elo - self.low) / (self.high - self.low)) as f32;
        self.inner.bottom() - self.inner.height() * part
    }

    fn paint(&self, ui: &Ui, outer: Rect) {
        let palette = Palette::of(ui.ctx());
        let painter = ui.painter();
        let font = || FontId::proportional(SMALL);
        let count = ((self.high - self.low) / self.step).round() as i32;
        for index in 0..=count {
            let elo = self.low + self.step * f64::from(index);
            let strong = if elo.abs() < 1e-6 { 1.6 } else { 0.8 };
            let stroke = Stroke::new(1.0, mix(palette.raised, palette.line, strong));
            painter.hline(self.inner.x_range(), self.y(elo), stroke);
            let at = pos2(self.inner.left() - 8.0, self.y(elo));
            painter.text(at, Align2::RIGHT_CENTER, written(elo), font(), palette.weak);
        }
        for games in [0, self.games / 2, self.games] {
            let at = pos2(self.x(games), self.inner.bottom() + 14.0);
            painter.text(at, Align2::CENTER_CENTER, games, font(), palette.weak);
        }
        let below = pos2(self.inner.center().x, outer.bottom() - 13.0);
        painter.text(below, Align2::CENTER_CENTER, "rated games of the stage", font(), palette.weak);
        let above = pos2(self.inner.left() - 8.0, outer.top() + 11.0);
        painter.text(above, Align2::RIGHT_CENTER, "Elo", font(), palette.weak);
    }
}

/// The ratings at four moments as a table, for screen readers and exact figures.
fn table(known: &VisibleTournament<'_>, history: &RatingHistory) -> Table {
    let count = history.points.len();
    let mut chosen: Vec<usize> = (1..=4).map(|part| (count * part).div_ceil(4).saturating_sub(1)).collect();
    chosen.dedup();
    let mut columns = vec![Column::text("Player")];
    columns.extend(chosen.iter().filter_map(|at| history.points.get(*at)).map(|point| {
        Column::number(&format!("after {}", point.games)).tip(format!("Elo after {} games", point.games))
    }));
    let rows = history.players.iter().enumerate().map(|(player, name)| {
        let mut cells = vec![Cell::new(name).strong().press(page_of(known, name))];
        cells.extend(chosen.iter().filter_map(|at| history.points.get(*at)).map(|point| {
            let elo = point.elo.get(player).copied().flatten();
            elo.map_or_else(|| Cell::new("–").weak(), |elo| Cell::new(written(elo)))
        }));
        cells
    });
    Table { columns, rows: rows.collect(), fixed: 1, main: Some(0), ..Table::default() }
}
