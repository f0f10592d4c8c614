//! Row of a server's tournament: its name, how far it is, and who leads it or has won.

use eframe::egui::{Align, FontId, Layout, Rect, Ui, UiBuilder, pos2};
use grandstand_board::text::{fitted, paint_left};
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_protocol::Game;
use grandstand_protocol::tournament::Change;
use grandstand_story::format;

use super::rows::card;
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;
use crate::widgets::{chip, chip_width};

/// Distance of the texts from the row's left edge, as of a match beside its picture, in points.
const TEXT: f32 = 94.0;

/// Shows the row; returns whether it was pressed. In spoiler mode (`hides`) it tells the game and the number of players.
pub(super) fn show(ui: &mut Ui, told: &Change, hides: bool) -> bool {
    let palette = Palette::of(ui.ctx());
    let phone = ScreenLayout::of(ui.ctx()).phone;
    let facts = facts(told, hides);
    let state = if told.over { "finished" } else { "running" };
    let state = if hides { String::new() } else { format!(", {state}") };
    let label = format!("Tournament: {}{state}, {}", told.name, facts.join(", "));
    let response = card(ui, if phone { 78.0 } else { 60.0 }, &label, None);
    let (rect, pressed) = (response.rect, response.clicked());
    ui.add_space(8.0);
    if !ui.is_rect_visible(rect) {
        return pressed;
    }
    let cup = icons::square(pos2(rect.left() + TEXT / 2.0 - 3.0, rect.center().y), 30.0);
    icons::paint(ui.painter(), Icon::Cup, cup, palette.accent);
    let runs = !hides && !told.over;
    let edge = rect.right() - 12.0;
    if runs {
        let area = Rect::from_min_max(rect.min, pos2(edge, rect.bottom()));
        let row = UiBuilder::new().max_rect(area).layout(Layout::right_to_left(Align::Center));
        chip(&mut ui.new_child(row), RUNNING, palette.live, true);
    }
    let right = if runs { edge - chip_width(ui, RUNNING, true) - 10.0 } else { edge };
    let at = pos2(rect.left() + TEXT, rect.center().y);
    let room = right - at.x;
    let name = FontId::new(BODY, semibold());
    let weak = |y: f32, words: &str| {
        let font = FontId::proportional(SMALL);
        paint_left(ui.painter(), pos2(at.x, y), words, font, palette.weak, room);
    };
    let lines = lines(&facts, if phone { 2 } else { 1 }, |words| {
        fitted(ui.painter(), words, FontId::proportional(SMALL), palette.weak, room).elided
    });
    let top = at.y - 9.0 * lines.len() as f32;
    paint_left(ui.painter(), pos2(at.x, top), &told.name, name, palette.text, room);
    for (index, line) in lines.iter().enumerate() {
        weak(top + 19.0 + 17.0 * index as f32, line);
    }
    if fitted(ui.painter(), &told.name, FontId::new(BODY, semibold()), palette.text, room).elided {
        response.on_hover_text(&told.name);
    }
    pressed
}

const RUNNING: &str = "Running";

/// How it stands, the most important first.
fn facts(told: &Change, hides: bool) -> Vec<String> {
    let count = |count: u64, one: &str, more: &str| (count > 0).then(|| format::count(count, one, more));
    let game = match told.game.parse::<Game>() {
        Ok(game) => game.title().to_owned(),
        Err(_) => told.game.clone(),
    };
    let game = Some(game).filter(|game| !game.is_empty());
    let players = count(told.players as u64, "player", "players");
    if hides {
        return game.into_iter().chain(players).collect();
    }
    let who = standing(told);
    // A server of an earlier version tells the name alone.
    let games = Some(progress(told)).filter(|_| told.players > 0);
    let played = match told.over {
        true => count(told.counted, "game", "games"),
        false => games,
    };
    let state = told.over.then(|| "Finished".to_owned()).filter(|_| who.is_none());
    [who, state, played, game, players].into_iter().flatten().collect()
}

/// Who leads or has won.
pub(crate) fn standing(told: &Change) -> Option<String> {
    let leader = told.leader.as_ref()?;
    Some(format!("{leader} {}", if told.over { "won" } else { "leads" }))
}

/// How far a tournament that runs is: `34 of 120 games`, or the round, where the number of games follows from results.
pub(crate) fn progress(told: &Change) -> String {
    if told.counted == 0 {
        return "No game played yet".to_owned();
    }
    if let Some(planned) = told.planned {
        let all = format::count(planned, "game", "games");
        return format!("{} of {all}", format::number(told.counted));
    }
    let round = told.round.map(|round| format!("round {round}"));
    let stage = Some(told.stage.clone()).filter(|stage| !stage.is_empty());
    let games = Some(format!("{} played", format::count(told.counted, "game", "games")));
    let parts: Vec<String> = stage.into_iter().chain(round).chain(games).collect();
    format::capitalised(&parts.join(", "))
}

/// The facts in so many lines at most: each line has as many as fit, and what fits in none is left out.
pub(crate) fn lines(facts: &[String], most: usize, is_cut: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        let longer = lines.last().map(|line| format!("{line}  ·  {fact}")).filter(|line| !is_cut(line));
        match longer {
            Some(longer) => {
                lines.pop();
                lines.push(longer);
            }
            None if lines.len() < most => lines.push(fact.clone()),
            None => break,
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told() -> Change {
        Change {
            name: "Cup".into(),
            game: "gomoku".into(),
            players: 20,
            counted: 34,
            planned: Some(120),
            leader: Some("ada".into()),
            ..Change::default()
        }
    }

    #[test]
    fn a_row_tells_how_the_tournament_stands() {
        assert_eq!(facts(&told(), false), ["ada leads", "34 of 120 games", "Gomoku", "20 players"]);
        let swiss = Change { planned: None, round: Some(3), leader: None, ..told() };
        assert_eq!(facts(&swiss, false), ["Round 3, 34 games played", "Gomoku", "20 players"]);
        let finals = Change { stage: "Finals".into(), ..swiss };
        assert_eq!(facts(&finals, false)[0], "Finals, round 3, 34 games played");
        let over = Change { over: true, counted: 120, ..told() };
        assert_eq!(facts(&over, false), ["ada won", "120 games", "Gomoku", "20 players"]);
        let level = Change { leader: None, ..over };
        assert_eq!(facts(&level, false)[0], "Finished");
        let before = Change { counted: 0, leader: None, ..told() };
        assert_eq!(facts(&before, false)[0], "No game played yet");
    }

    #[test]
    fn spoiler_mode_and_earlier_servers_leave_out_what_they_do_not_tell() {
        assert_eq!(facts(&told(), true), ["Gomoku", "20 players"]);
        let earlier = Change { name: "Cup".into(), ..Change::default() };
        assert!(facts(&earlier, false).is_empty() && facts(&earlier, true).is_empty());
    }

    #[test]
    fn facts_without_room_are_left_out() {
        let facts = ["ada leads", "34 of 120 games", "Gomoku"].map(str::to_owned);
        let fit = |most: usize, room: usize| lines(&facts, most, |line| line.chars().count() > room);
        assert_eq!(fit(1, 60), ["ada leads  ·  34 of 120 games  ·  Gomoku"]);
        assert_eq!(fit(1, 30), ["ada leads  ·  34 of 120 games"]);
        assert_eq!(fit(2, 20), ["ada leads", "34 of 120 games"]);
    }
}
