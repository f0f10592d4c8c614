//! Filter and order of the list.

use eframe::egui::{ComboBox, Id, Key, Modifiers, Response, Role, Ui, WidgetInfo, vec2};
use grandstand_protocol::Game;

use super::entry::{Entry, EntryList};
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::widgets::{IconButton, line_edit};

/// Width of the field for a text under a pointer, in points.
const FIELD: f32 = 150.0;

/// Results that the filter accepts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum ResultFilter {
    #[default]
    Any,
    Won,
    Drawn,
    Unknown,
}

impl ResultFilter {
    const ALL: [ResultFilter; 4] =
        [ResultFilter::Any, ResultFilter::Won, ResultFilter::Drawn, ResultFilter::Unknown];

    fn name(self) -> &'static str {
        match self {
            ResultFilter::Any => "Any result",
            ResultFilter::Won => "Won",
            ResultFilter::Drawn => "Drawn",
            ResultFilter::Unknown => "No result",
        }
    }

    fn lets(self, entry: &Entry) -> bool {
        let winner = entry.result.as_ref().map(|result| result.winner.is_some());
        match self {
            ResultFilter::Any => true,
            ResultFilter::Won => winner == Some(true),
            ResultFilter::Drawn => winner == Some(false),
            ResultFilter::Unknown => winner.is_none(),
        }
    }
}

/// Order of the rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Order {
    #[default]
    Newest,
    Oldest,
    Name,
    Game,
    Longest,
}

impl Order {
    const ALL: [Order; 5] = [Order::Newest, Order::Oldest, Order::Name, Order::Game, Order::Longest];

    fn name(self) -> &'static str {
        match self {
            Order::Newest => "Newest first",
            Order::Oldest => "Oldest first",
            Order::Name => "By name",
            Order::Game => "By game",
            Order::Longest => "Longest first",
        }
    }
}

/// Where a key leads from the field for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldExit {
    /// To the first row.
    FirstRow,
    /// Into the match of the first row.
    FirstMatch,
}

/// The viewer's filter and order.
#[derive(Debug, Default)]
pub(super) struct ListFilter {
    text: String,
    game: Option<Game>,
    outcome: ResultFilter,
    order: Order,
    /// Whether its controls are shown on a phone, where they would take the place of two rows.
    unfolded: bool,
    /// Where a key led from the field in this frame.
    exit: Option<FieldExit>,
}

impl ListFilter {
    /// Shows the button that folds the controls on a phone. Folded, it says whether they do something.
    pub(super) fn show_switch(&mut self, ui: &mut Ui, hides: bool) {
        let acts = !self.lets_all(hides) || self.order != Order::default();
        let name = if acts && !self.unfolded { "Filtered" } else { "Filter" };
        let button = IconButton::plain(Icon::Filter, name).selected(acts || self.unfolded);
        self.unfolded ^= ui.add(button).clicked();
    }

    /// Id of the field for a text.
    pub(super) fn id() -> Id {
        Id::unique("filter of the list")
    }

    /// Shows the controls on a phone too.
    pub(super) fn unfold(&mut self) {
        self.unfolded = true;
    }

    /// Whether the controls are shown in this window.
    pub(super) fn is_unfolded(&self, layout: ScreenLayout) -> bool {
        self.unfolded || !layout.phone
    }

    /// Whether nothing is filtered out.
    pub(super) fn lets_all(&self, hides: bool) -> bool {
        self.text.trim().is_empty() && self.game.is_none() && (hides || self.outcome == ResultFilter::Any)
    }

    /// Shows the controls in the row of `ui` and returns whether one changed. In spoiler mode nothing depends on results and lengths.
    pub(super) fn show(&mut self, ui: &mut Ui, games: &[Game], hides: bool) -> bool {
        let before = (self.text.clone(), self.game, self.outcome, self.order);
        let field = line_edit(&mut self.text)
            .id(ListFilter::id())
            .hint_text("Players or event")
            .desired_width(if ScreenLayout::of(ui.ctx()).phone { ui.available_width() } else { FIELD })
            .margin(vec2(8.0, 4.0));
        let text = ui.add(field);
        text.widget_info(|| {
            WidgetInfo::labeled(Role::TextInput, true, "Filter by players, event, title or file")
        });
        self.take_keys(ui, &text);
        if games.len() > 1 || self.game.is_some() {
            let name = self.game.map_or("All games", Game::title);
            let combo = ComboBox::from_id_salt("game").selected_text(name).show_ui(ui, |ui| {
                ui.selectable_value(&mut self.game, None, "All games");
                for game in games {
                    ui.selectable_value(&mut self.game, Some(*game), game.title());
                }
            });
            named(&combo.response, "Game", name);
        }
        if !hides {
            let name = self.outcome.name();
            let combo = ComboBox::from_id_salt("result").selected_text(name).show_ui(ui, |ui| {
                for outcome in ResultFilter::ALL {
                    ui.selectable_value(&mut self.outcome, outcome, outcome.name());
                }
            });
            named(&combo.response, "Result", name);
        }
        let name = self.order.name();
        let combo = ComboBox::from_id_salt("order").selected_text(name).show_ui(ui, |ui| {
            for order in Order::ALL.into_iter().filter(|order| !(hides && *order == Order::Longest)) {
                ui.selectable_value(&mut self.order, order, order.name());
            }
        });
        named(&combo.response, "Order", name);
        if !self.lets_all(hides) && ui.button("Clear").on_hover_text("Shows all matches again").clicked() {
            *self = ListFilter { order: self.order, unfolded: self.unfolded, ..ListFilter::default() };
        }
        before != (self.text.clone(), self.game, self.outcome, self.order)
    }

    /// Takes the keys that lead from the field. Escape empties the field before it leaves it.
    fn take_keys(&mut self, ui: &Ui, field: &Response) {
        let pressed = |key: Key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if field.has_focus() && pressed(Key::ArrowDown) {
            self.exit = Some(FieldExit::FirstRow);
        } else if field.lost_focus() && pressed(Key::Enter) {
            self.exit = Some(FieldExit::FirstMatch);
        } else if field.lost_focus() && !self.text.is_empty() && pressed(Key::Escape) {
            self.text.clear();
            field.request_focus();
        }
    }

    /// Where a key led from the field, told once.
    pub(super) fn take_exit(&mut self) -> Option<FieldExit> {
        self.exit.take()
    }

    /// Finds the shown entries of a list and their order. Dates are those that the rows show; what has none, or the same, keeps the
    /// order of the list, which must have the newest first.
    pub(super) fn apply(&self, list: &mut EntryList, hides: bool) {
        let entries = &list.entries;
        let text = self.text.trim().to_lowercase();
        let lets = |entry: &Entry| {
            let game = self.game.is_none() || entry.game == self.game;
            let outcome = hides || self.outcome.lets(entry);
            game && outcome && text.split_whitespace().all(|word| entry.has(word))
        };
        let mut shown: Vec<usize> = (0..entries.len()).filter(|number| lets(&entries[*number])).collect();
        match self.order {
            Order::Newest => shown.sort_by(|a, b| entries[*b].started.cmp(&entries[*a].started)),
            Order::Oldest => {
                shown.reverse();
                shown.sort_by_key(|number| (entries[*number].started.is_empty(), &entries[*number].started));
            }
            Order::Name => shown.sort_by_key(|number| entries[*number].name.to_lowercase()),
            Order::Game => shown.sort_by_key(|number| entries[*number].game.map_or("", Game::title)),
            Order::Longest if hides => {}
            Order::Longest => {
                let secs = |number: &usize| entries[*number].secs.unwrap_or(-1.0);
                shown.sort_by(|a, b| secs(b).total_cmp(&secs(a)));
            }
        }
        list.shown = shown;
    }
}

fn named(response: &eframe::egui::Response, what: &str, value: &str) {
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{what}: {value}")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Target;
    use grandstand_protocol::MatchSummary;

    #[test]
    fn the_order_is_that_of_the_dates_that_the_rows_show() {
        let Ok(Target::Server(base)) = "http://127.0.0.1:8126/".parse() else { panic!("a server's list") };
        let entry = |(id, started): (&str, &str)| {
            let summary = grandstand_testing::summary(id, "finished", id);
            let summary: MatchSummary = serde_json::from_str(&summary).expect("a summary");
            Entry::of_match(&base, &MatchSummary { started: started.into(), ..summary })
        };
        // A recording that was copied later is no younger match.
        let told = [
            ("m1", "2026-04-11T12:05:00Z"),
            ("m2", ""),
            ("m3", "2026-11-02T09:00:00Z"),
            ("m4", "2025-01-30T23:59:00Z"),
            ("m5", ""),
        ];
        let mut list = EntryList { entries: told.map(entry).into(), shown: Vec::new() };
        let mut names = |order| {
            ListFilter { order, ..ListFilter::default() }.apply(&mut list, false);
            list.shown().map(|entry| entry.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(Order::Newest), ["m3", "m1", "m4", "m2", "m5"]);
        assert_eq!(names(Order::Oldest), ["m4", "m1", "m3", "m5", "m2"]);
    }
}
