//! Command palette: everything that can be done or gone to now, found by a few letters of its name.

mod fuzzy;

use std::sync::Arc;

use eframe::egui::text::{CCursorRange, LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    self, Align2, Area, Context, FontFamily, FontId, Frame, Galley, Id, Key, Margin, Modal, Modifiers, Role,
    ScrollArea, Sense, Ui, WidgetInfo, vec2,
};
use grandstand_board::text::{fitted, paint_left};
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};

use crate::actions::{ACTIONS, Action, Entry, Group, keys_text};
use crate::address::Target;
use crate::layout::ScreenLayout;
use crate::widgets::line_edit;

/// Number of entries found at most, and of matches before anything is typed.
const MOST: usize = 50;
const MATCHES: usize = 8;
/// Groups of what is no action.
pub(crate) const MATCH_GROUP: &str = "Matches and recordings";
const PLACE_GROUP: &str = "Go to";
const VAIN_GROUP: &str = "Not possible now";
/// Number of letters up to which scattered ones are initials; more of them are a word that no name has.
const INITIALS: usize = 3;
/// Height of a group's heading, in points.
const HEADING: f32 = 26.0;
/// Height of a name with the reason below it, without that, in points.
const NAME: f32 = 26.0;
/// Gaps beside the contents of a row, and between a name, its note and its keys, in points.
const BESIDE: f32 = 10.0;
const BETWEEN: f32 = 12.0;

/// Choice in the palette.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PaletteChoice {
    /// An action.
    Action(Action),
    /// A target to open.
    Open(Target),
    /// Go to a command.
    Seq(u64),
    /// Go to a time, in seconds.
    Secs(f64),
    /// Go to the end of an event, and show how it came about.
    Moment(u64),
}

/// An entry of the palette.
#[derive(Debug, Clone)]
pub(crate) struct PaletteEntry {
    pub choice: PaletteChoice,
    /// Its heading before anything is typed.
    pub group: &'static str,
    pub name: String,
    /// Its time, or what else tells it from others.
    pub note: String,
    /// Keys of the same action, and other words for it.
    pub keys: String,
    pub synonyms: &'static str,
}

impl PaletteEntry {
    fn action(entry: &Entry) -> PaletteEntry {
        PaletteEntry {
            choice: PaletteChoice::Action(entry.action),
            group: entry.group.title(),
            name: entry.name.to_owned(),
            note: String::new(),
            keys: keys_text(entry.keys),
            synonyms: entry.action.synonyms(),
        }
    }

    /// The listed actions, by groups.
    pub(crate) fn actions(is_listed: impl Fn(Action) -> bool) -> Vec<PaletteEntry> {
        let mut entries: Vec<&Entry> = ACTIONS.iter().filter(|entry| is_listed(entry.action)).collect();
        entries.sort_by_key(|entry| Group::ALL.iter().position(|group| *group == entry.group));
        entries.into_iter().map(PaletteEntry::action).collect()
    }

    /// The actions that have no effect now, each with the reason.
    pub(crate) fn vain(why: impl Fn(Action) -> Option<&'static str>) -> Vec<PaletteEntry> {
        let entries = ACTIONS.iter().filter_map(|entry| {
            let note = why(entry.action)?.to_owned();
            Some(PaletteEntry { group: VAIN_GROUP, note, ..PaletteEntry::action(entry) })
        });
        entries.collect()
    }

    fn is_vain(&self) -> bool {
        self.group == VAIN_GROUP
    }

    pub(crate) fn open(target: Target, name: String, note: String) -> PaletteEntry {
        PaletteEntry { group: MATCH_GROUP, ..PaletteEntry::new(PaletteChoice::Open(target), name, note) }
    }

    /// An entry that leads to a place of the match.
    pub(crate) fn new(choice: PaletteChoice, name: String, note: String) -> PaletteEntry {
        PaletteEntry { choice, group: PLACE_GROUP, name, note, keys: String::new(), synonyms: "" }
    }
}

/// What the palette offers for a typed text.
#[derive(Debug, Default)]
pub(crate) struct Offered {
    /// What the text means exactly, such as a moment by its number. It stands first.
    pub meant: Vec<PaletteEntry>,
    /// What is shown if it fits the text.
    pub lines: Vec<PaletteEntry>,
}

/// The palette while it is open.
#[derive(Debug, Default)]
pub(crate) struct CommandPalette {
    typed: String,
    /// The entries that fit what is typed; made when that changes, since there may be thousands to choose from.
    found: Option<Vec<PaletteEntry>>,
    /// Index of the entry that Enter chooses.
    at: usize,
    shown_before: bool,
}

/// Result of a frame.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PaletteOutcome {
    /// The palette stays open.
    Open,
    /// It was closed without a choice.
    Closed,
    /// It was closed by a choice.
    Chosen(PaletteChoice),
}

impl CommandPalette {
    /// Shows the palette over everything else, with the entries that fit the typed text. `hint` says what is found.
    pub(crate) fn show(
        &mut self,
        ctx: &Context,
        hint: &str,
        offered: &dyn Fn(&str) -> Offered,
    ) -> PaletteOutcome {
        let layout = ScreenLayout::of(ctx);
        let area = ctx.content_rect();
        let width = (area.width() - 24.0).min(560.0);
        let top = if layout.low || layout.phone { 8.0 } else { (area.height() * 0.12).min(110.0) };
        let id = Id::unique("command_palette");
        let place = Area::new(id)
            .kind(egui::UiKind::Modal)
            .sense(Sense::hover())
            .anchor(Align2::CENTER_TOP, vec2(0.0, top));
        let place = place.order(egui::Order::Foreground).interactable(true);
        let frame =
            Frame::popup(&ctx.global_style()).inner_margin(Margin::same(10)).fill(Palette::of(ctx).panel);
        let modal = Modal::new(id).area(place).frame(frame).show(ctx, |ui| {
            ui.set_width(width - 22.0);
            let moved = moves(ui);
            let field = line_edit(&mut self.typed)
                .id(CommandPalette::field())
                .hint_text(hint)
                .desired_width(f32::INFINITY)
                .margin(vec2(10.0, if layout.is_touched() { 12.0 } else { 8.0 }))
                .show(ui);
            let field = field.response.response;
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Find a command"));
            if !self.shown_before {
                field.request_focus();
                let end = egui::text::CCursor::new(self.typed.chars().count());
                let mut state = egui::text_edit::TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
                state.cursor.set_char_range(Some(CCursorRange::one(end)));
                state.store(ui.ctx(), field.id);
            }
            self.shown_before = true;
            if field.changed() {
                (self.at, self.found) = (0, None);
            }
            let typed = self.typed.trim();
            let found = &*self.found.get_or_insert_with(|| found(typed, offered(typed)));
            // What is found stands in the order of its fit, and tells its group beside its name.
            let is_grouped = typed.is_empty();
            let begins_group =
                |index: usize| is_grouped && (index == 0 || found[index - 1].group != found[index].group);
            let last = found.len().saturating_sub(1);
            self.at = self.at.saturating_add_signed(moved).min(last);
            ui.add_space(6.0);
            let most = (area.height() - top - 110.0).min(460.0);
            let headings = (0..found.len()).filter(|index| begins_group(*index)).count();
            let usual = layout.row_height();
            let below = |line: &PaletteEntry| reason_below(ui, line).map_or(0.0, |note| note.size().y);
            let heights: Vec<f32> = found.iter().map(|line| usual.max(NAME + below(line))).collect();
            let height = heights.iter().sum::<f32>() + headings as f32 * HEADING;
            let height = height.clamp(60.0, most.max(60.0));
            let mut chosen = None;
            // Without the least height the list would keep the height of the previous letters.
            let list = ScrollArea::vertical().min_scrolled_height(height).max_height(height);
            list.show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                for (index, (line, height)) in found.iter().zip(&heights).enumerate() {
                    if begins_group(index) {
                        heading(ui, line.group);
                    }
                    let note = if line.note.is_empty() && !is_grouped { line.group } else { &line.note };
                    let response = row(ui, line, note, index == self.at, *height);
                    if index == self.at && moved != 0 {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() {
                        chosen = Some(line.choice.clone());
                    }
                }
                if found.is_empty() {
                    ui.add_space(12.0);
                    ui.vertical_centered(|ui| {
                        ui.label("No matching command");
                        ui.weak("Nor a match, a player or an address of that name.");
                    });
                    ui.add_space(12.0);
                }
            });
            // The key is taken, so that a dialog that opens now does not answer to it.
            if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
                chosen = chosen.or_else(|| found.get(self.at).map(|line| line.choice.clone()));
            }
            chosen
        });
        match modal.inner {
            Some(choice) => PaletteOutcome::Chosen(choice),
            None if modal.should_close() => PaletteOutcome::Closed,
            None => PaletteOutcome::Open,
        }
    }

    fn field() -> Id {
        Id::unique("finder field")
    }
}

/// Movement of the selection in this frame.
fn moves(ui: &Ui) -> isize {
    ui.input_mut(|input| {
        let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
        count(Key::ArrowDown) - count(Key::ArrowUp) + 8 * (count(Key::PageDown) - count(Key::PageUp))
    })
}

/// How an entry fits, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It has the letters, in their order.
    Letters,
    /// Its name contains it.
    Inside,
    /// Its words, or those of its note, its keys or its synonyms, begin so.
    Words,
    /// The words of its name begin so.
    Name,
    /// Its name begins so.
    Start,
}

/// The entries that fit the typed text, the best first; of no text the groups in their order. Scattered letters count only where
/// no words begin so.
fn found(typed: &str, offered: Offered) -> Vec<PaletteEntry> {
    let typed = typed.trim();
    let Offered { meant: mut found_lines, mut lines } = offered;
    if typed.is_empty() {
        let mut matches = 0;
        lines.retain(|line| {
            let is_match = line.group == MATCH_GROUP;
            matches += usize::from(is_match);
            !is_match || matches <= MATCHES
        });
        return lines;
    }
    let start = typed.to_lowercase();
    let mut found: Vec<((Fit, i32), PaletteEntry)> = lines
        .into_iter()
        .filter_map(|line| {
            // The reason why an action is of no use is nothing that is looked for.
            let note = if line.is_vain() { "" } else { &*line.note };
            let all = format!("{} {note} {} {} {}", line.name, line.group, line.keys, line.synonyms);
            let name = line.name.to_lowercase();
            let by_name = fuzzy::fit(typed, &line.name).map(|score| score + 24);
            let score = by_name.max(fuzzy::fit(typed, &all))?;
            let fit = match () {
                () if name.starts_with(&start) => Fit::Start,
                () if fuzzy::begins_words(typed, &line.name) => Fit::Name,
                () if fuzzy::begins_words(typed, &all) => Fit::Words,
                () if name.contains(&start) => Fit::Inside,
                () if typed.chars().count() <= INITIALS => Fit::Letters,
                () => return None,
            };
            // Names that begin so keep their order, but a whole name stands first.
            let score = if fit == Fit::Start { i32::from(name == start) } else { score };
            Some(((fit, score), line))
        })
        .collect();
    found.sort_by_key(|(fit, _)| std::cmp::Reverse(*fit));
    if found.first().is_some_and(|((fit, _), _)| *fit > Fit::Inside) {
        found.retain(|((fit, _), _)| *fit > Fit::Letters);
    }
    found.sort_by_key(|(_, line)| line.is_vain());
    found_lines.extend(found.into_iter().take(MOST).map(|(_, line)| line));
    if found_lines.is_empty() && (typed.contains("://") || typed.ends_with(".replay")) {
        let target = typed.parse::<Target>();
        let open = |target| PaletteEntry::open(target, format!("Open {typed}"), String::new());
        found_lines.extend(target.map(open));
    }
    found_lines
}

/// A moment that is typed as a number: `240` is a command, `1:30` a time.
pub(crate) fn moment(typed: &str) -> Option<PaletteEntry> {
    let line = |choice, name| PaletteEntry::new(choice, name, String::new());
    if let Ok(seq) = typed.parse::<u64>() {
        return Some(line(PaletteChoice::Seq(seq), format!("Go to line {seq}")));
    }
    if !typed.contains(':') || typed.len() > 12 {
        return None;
    }
    let parts: Option<Vec<f64>> =
        typed.split(':').map(|part| part.parse().ok().filter(|part| *part >= 0.0)).collect();
    let secs = parts?.into_iter().fold(0.0, |sum, part: f64| sum * 60.0 + part);
    secs.is_finite().then(|| line(PaletteChoice::Secs(secs), format!("Go to {typed}")))
}

/// The heading of a group.
fn heading(ui: &mut Ui, text: &str) {
    let palette = Palette::of(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, text));
    let at = rect.left_bottom() + vec2(10.0, -HEADING / 2.0 + 2.0);
    paint_left(ui.painter(), at, text, FontId::new(SMALL, semibold()), palette.weak, rect.width() - 20.0);
}

/// The first key of an entry.
fn key(line: &PaletteEntry) -> &str {
    line.keys.split("  ").next().unwrap_or_default()
}

/// The reason why an action is of no use, where it has no room beside the name: below that, in two lines at most.
fn reason_below(ui: &Ui, line: &PaletteEntry) -> Option<Arc<Galley>> {
    if !line.is_vain() {
        return None;
    }
    let (small, ink) = (FontId::proportional(SMALL), Palette::of(ui.ctx()).weak);
    let wide = |text: &str, font| ui.painter().layout_no_wrap(text.to_owned(), font, ink).size().x;
    let beside = wide(&line.name, FontId::new(BODY, semibold())) + wide(key(line), small.clone());
    let room = ui.available_width() - 2.0 * BESIDE;
    if beside + 2.0 * BETWEEN + wide(&line.note, small.clone()) <= room {
        return None;
    }
    let mut job = LayoutJob::single_section(line.note.clone(), TextFormat::simple(small, ink));
    job.wrap = TextWrapping { max_width: room, max_rows: 2, ..TextWrapping::default() };
    Some(ui.painter().layout_job(job))
}

/// An entry of the list, with a note beside its name or below it and its first key at the right edge.
fn row(ui: &mut Ui, line: &PaletteEntry, note: &str, is_at: bool, height: f32) -> egui::Response {
    let palette = Palette::of(ui.ctx());
    let below = reason_below(ui, line);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let is_vain = line.is_vain();
    let words = if is_vain { format!("{}: {note}", line.name) } else { line.name.clone() };
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, !is_vain, is_at, &words));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    if is_at || response.hovered() {
        // What is not possible is not offered in the colour of what is.
        let tone = if is_vain { palette.weak } else { palette.accent };
        let fill = mix(palette.panel, tone, if is_at { 0.22 } else { 0.10 });
        ui.painter().rect_filled(rect, 6.0, fill);
    }
    let small = FontId::proportional(SMALL);
    let left = rect.left() + BESIDE;
    let middle = match &below {
        Some(below) => rect.center().y - below.size().y / 2.0,
        None => rect.center().y,
    };
    let at = |x: f32, height: f32| egui::pos2(x, middle - height / 2.0);
    let keys = ui.painter().layout_no_wrap(key(line).to_owned(), small.clone(), palette.weak);
    let keys_at = rect.right() - BESIDE - keys.size().x;
    let font = FontId::new(BODY, if is_at && !is_vain { semibold() } else { FontFamily::Proportional });
    let ink = if is_vain { palette.weak } else { palette.text };
    let name = fitted(ui.painter(), &line.name, font, ink, keys_at - left - BETWEEN);
    let size = name.size();
    ui.painter().galley(at(left, size.y), name, ink);
    ui.painter().galley(at(keys_at, keys.size().y), keys, palette.weak);
    if let Some(below) = below {
        ui.painter().galley(egui::pos2(left, middle + size.y / 2.0 - 1.0), below, palette.weak);
        return response;
    }
    let note_at = left + size.x + BETWEEN;
    let room = keys_at - note_at - BETWEEN;
    if room > 40.0 && !note.is_empty() {
        let note = fitted(ui.painter(), note, small, palette.weak, room);
        ui.painter().galley(at(note_at, note.size().y) + vec2(0.0, 0.5), note, palette.weak);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(typed: &str) -> Vec<String> {
        let lines = PaletteEntry::actions(|_| true);
        let offered = Offered { meant: moment(typed).into_iter().collect(), lines };
        found(typed, offered).into_iter().map(|line| line.name).collect()
    }

    #[test]
    fn every_action_is_found_by_its_name_and_by_its_key() {
        for entry in ACTIONS {
            assert_eq!(names(entry.name)[0], entry.name);
        }
        assert_eq!(names("f11")[0], "Full screen");
    }

    #[test]
    fn an_action_is_found_by_other_words_for_it() {
        for (typed, name) in [
            ("mistake", "Find the move that lost"),
            ("rev", "Find the move that lost"),
            ("gif", "Export a picture or animation"),
            ("mute", "Sound on or off"),
            ("highlights", "List of moments"),
            ("quit", "Quit"),
            ("restart", "To the start"),
            ("volume", "Sound: low, medium, high"),
        ] {
            assert_eq!(names(typed)[0], name, "{typed}");
        }
    }

    #[test]
    fn words_that_begin_so_leave_no_room_for_scattered_letters() {
        assert_eq!(names("export"), ["Export a picture or animation"]);
        assert!(names("turn").iter().all(|name| name.to_lowercase().contains("turn")), "{:?}", names("turn"));
        // Initials still find what no word begins with.
        assert!(names("slnce").is_empty(), "{:?}", names("slnce"));
        assert!(names("nt").contains(&"Next turn".to_owned()));
    }

    #[test]
    fn a_name_that_begins_so_comes_before_one_with_such_a_word_and_that_before_one_that_contains_it() {
        let sample = crate::source::samples::samples().next().expect("a sample");
        let line = |name: &str| PaletteEntry::open(Target::Sample(sample), name.to_owned(), String::new());
        let lines = ["Uneven pairs", "The even pairs", "Even pairs"].map(line).into();
        let found = found("even", Offered { meant: Vec::new(), lines });
        let names: Vec<String> = found.into_iter().map(|line| line.name).collect();
        assert_eq!(names, ["Even pairs", "The even pairs", "Uneven pairs"]);
    }

    #[test]
    fn before_anything_is_typed_the_groups_stand_one_after_the_other_with_a_few_matches() {
        let sample = crate::source::samples::samples().next().expect("a sample");
        let open =
            |number| PaletteEntry::open(Target::Sample(sample), format!("Match {number}"), String::new());
        let lines = PaletteEntry::actions(|_| true).into_iter().chain((0..5000).map(open)).collect();
        let found = found("", Offered { meant: Vec::new(), lines });
        assert_eq!(found.len(), ACTIONS.len() + MATCHES);
        let mut groups: Vec<&str> = found.iter().map(|line| line.group).collect();
        groups.dedup();
        let mut expected: Vec<&str> = Group::ALL.iter().map(|group| group.title()).collect();
        expected.push(MATCH_GROUP);
        assert_eq!(groups, expected);
    }

    #[test]
    fn entries_are_made_when_the_palette_opens_and_not_in_every_frame() {
        let made = std::cell::Cell::new(0);
        let offered = |_: &str| {
            made.set(made.get() + 1);
            Offered { meant: Vec::new(), lines: PaletteEntry::actions(|_| true) }
        };
        let ctx = Context::default();
        grandstand_board::theme::install(&ctx);
        let mut palette = CommandPalette::default();
        for _ in 0..5 {
            let output = ctx.run_ui(egui::RawInput::default(), |ui| {
                assert_eq!(palette.show(ui.ctx(), "", &offered), PaletteOutcome::Open);
            });
            output.drop_without_applying_deltas();
        }
        assert_eq!(made.get(), 1);
    }

    #[test]
    fn a_match_is_found_by_its_name_before_one_that_its_note_names() {
        let sample = crate::source::samples::samples().next().expect("a sample");
        let line = |name: &str, note: &str| {
            PaletteEntry::open(Target::Sample(sample), name.to_owned(), note.to_owned())
        };
        let all =
            || vec![line("stupidbot – stupidbot", "λ-Shark"), line("shark – stupidbot", "Robot Abalone")];
        let names = |typed: &str| {
            let found = found(typed, Offered { meant: Vec::new(), lines: all() });
            found.into_iter().map(|line| line.name).collect::<Vec<_>>()
        };
        assert_eq!(names("shark"), ["shark – stupidbot", "stupidbot – stupidbot"]);
        assert_eq!(names("stupid aba"), ["shark – stupidbot"]);
    }

    #[test]
    fn numbers_are_moments_and_addresses_are_opened() {
        assert_eq!(names("240"), ["Go to line 240"]);
        assert_eq!(moment("1:30").map(|line| line.choice), Some(PaletteChoice::Secs(90.0)));
        assert_eq!(moment("1:00:01.5").map(|line| line.choice), Some(PaletteChoice::Secs(3601.5)));
        for nonsense in ["", ":", "1:-3", "a:b", "1:nan", "1:inf", "9".repeat(40).as_str()] {
            assert!(moment(nonsense).is_none(), "{nonsense}");
        }
        assert_eq!(names("http://h:1/"), ["Open http://h:1/"]);
        assert!(names("qqqq").is_empty());
    }
}
