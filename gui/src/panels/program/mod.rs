//! Program panel: a bot's program at the moment that is shown, with steps, searches, prints and a heat map.
//!
//! A machine behind a [`link`] plays the match again and is asked by messages. Answers are shown when they come;
//! nothing here waits.
//! A step in the program moves the picture, and the source view follows the picture.
//!
//! | module | what it is |
//! | --- | --- |
//! | `link` | the channel to the machine: a thread, or in a page a worker |
//! | `origin` | the recording for the machine, and the token of a program's owner |
//! | `asking` | questions, and the handling of their answers |
//! | `source_view` | the source with its gutter |
//! | `steps` | the row of step buttons |
//! | `why_section`, `state_section`, `find_section`, `print_section`, `heat_section` | the sections below the source, one at a time |
//! | `places` | places of the board among values |
//! | `words` | moments of a match and of a bot in words |

mod asking;
mod find_section;
mod heat_section;
pub(crate) mod link;
mod origin;
mod places;
mod print_section;
mod source_view;
mod state_section;
mod steps;
mod why_section;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use eframe::egui::{Align, ComboBox, Layout, ProgressBar, Rect, RichText, ScrollArea, Ui, vec2};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_protocol::insight::{
    BotAnswer, BotLife, MatchFacts, PlayedFacts, PresentBots, SideLine, SourcePlace, StepUnit, ThreadState,
};
use grandstand_protocol::{Game, Place};
use grandstand_story::format::number;

use self::asking::Asking;
use self::find_section::FindSection;
use self::heat_section::HeatSection;
use self::link::Link;
use self::origin::Owner;
use self::print_section::PrintSection;
use self::source_view::{GutterRequest, Marks, SourceView, Type};
use self::why_section::WhySection;
use self::words::{fate_words, when};
use crate::layout::ScreenLayout;
use crate::session::Session;
use crate::source::Wake;

/// Smallest and largest number of rows of the source below a section in a low panel.
const EXCERPT: (f32, f32) = (3.0, 7.0);
/// Height that they leave a section there, on a phone and elsewhere, in points.
const LOW_SECTION: (f32, f32) = (110.0, 130.0);
/// Height that the source leaves a section in a higher panel, below the row of tabs, in points.
const SECTION: f32 = 190.0;
/// Height that a section needs beside them, in points.
const LOWEST_SECTION: f32 = 40.0;
/// Height of the title above the source, in points.
const TITLE: f32 = 20.0;
/// Width below which the panel has little room, and height below which it is low, in points.
const NARROW: f32 = 460.0;
const LOW: f32 = 400.0;
/// Width below which the tabs of a low panel have the least room around their names, in points.
const TABS: f32 = 340.0;

/// State of the panel: the last answers, and the viewer's choices.
#[derive(Debug, Default)]
pub(crate) struct ProgramPanel {
    link: Option<Link>,
    asking: Asking,
    /// Why the match can't be played again.
    refused: Option<String>,
    owner: Owner,
    facts: Option<MatchFacts>,
    played: Option<PlayedFacts>,
    /// Progress of the first pass over the match, from 0 to 1.
    playing: f32,
    present: Option<PresentBots>,
    bot: Option<u32>,
    view: Option<Box<BotAnswer>>,
    /// The previous view of the same bot, for marking changes.
    before: Option<Box<BotAnswer>>,
    /// Why there is no view.
    absent: Option<String>,
    /// The picture's last command that the panel has followed.
    seq: Option<u64>,
    /// The last pin that the panel has followed.
    pin: Option<Place>,
    /// Index of the call whose place and names are shown.
    call: usize,
    unit: StepUnit,
    section: Section,
    /// Whether all of the source takes the place of a section, in a low panel.
    reads_source: bool,
    /// Height of the head there in the last frame, in points.
    head_height: f32,
    why: WhySection,
    source: SourceView,
    /// The place that the source view was scrolled to last: what the viewer opens there stays until the bot is elsewhere.
    followed: Option<(usize, SourcePlace)>,
    find: FindSection,
    print: PrintSection,
    heat: HeatSection,
    /// Message of a step, search, print or heat map without a result.
    nothing: Option<String>,
    request: ProgramRequest,
}

/// The section below the source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Section {
    #[default]
    Why,
    State,
    Find,
    Print,
    Heat,
}

/// Requests of the panel to the rest of the screen.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ProgramRequest {
    /// Go to a command.
    pub seq: Option<u64>,
    /// Highlight places on the board.
    pub places: Vec<Place>,
    /// The place of the chosen bot.
    pub bot: Option<Place>,
}

impl ProgramPanel {
    /// Whether the panel has something to show: the match was played by programs, and this build can play it again.
    pub(crate) fn suits(session: &Session) -> bool {
        let is_of_programs = matches!(session.scene().game(), Game::Abalone | Game::Shark);
        link::IS_THERE && is_of_programs && origin::has_programs(session)
    }

    /// Commands at which the print was reached, in order.
    pub(crate) fn printed(&self) -> &[u64] {
        self.print.seqs()
    }

    /// Shows the panel in the remaining space. `pin` is the place that was pinned last.
    pub(crate) fn show(&mut self, ui: &mut Ui, session: &Session, pin: Option<Place>) -> ProgramRequest {
        self.request = ProgramRequest::default();
        if session.hides_future() {
            ui.weak("Hidden in spoiler mode: the program shows what comes next.");
            ui.weak(match ScreenLayout::of(ui.ctx()).is_touched() {
                true => "The menu has spoiler mode.",
                false => "Press S to show it.",
            });
            return ProgramRequest::default();
        }
        if origin::is_going_on(session) {
            ui.weak("The programs come when the match is over.");
            return ProgramRequest::default();
        }
        if self.link.is_none() && self.refused.is_none() {
            self.open(ui, session);
        }
        self.take(session);
        if self.refused.is_some() {
            self.refusal(ui, session);
            return ProgramRequest::default();
        }
        if self.facts.is_none() {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label("Loading the programs…");
            });
            return ProgramRequest::default();
        }
        // The panel's own request moves the picture; the present picture is then out of date and not followed.
        if self.request.seq.is_none() {
            self.follow(session);
        }
        self.take_pin(pin);
        if ScreenLayout::of(ui.ctx()).is_touched() || ui.available_height() < LOW {
            self.show_low(ui, session);
        } else {
            self.show_bot(ui);
            self.tabs(ui, false);
            self.section(ui, session);
        }
        self.request.bot = self.place_of_bot(session.scene().game());
        std::mem::take(&mut self.request)
    }

    /// The bot, its steps and its source.
    fn show_bot(&mut self, ui: &mut Ui) {
        let little = ui.available_width() < NARROW;
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            self.head(ui, little);
        });
        if !little {
            self.steps_row(ui);
        }
        // The same for all sections: their tabs stay where they are.
        let (part, of) = if little { (0.52, Type::SMALL) } else { (0.44, Type::USUAL) };
        let room = ui.available_height() - TITLE;
        let height = (room * part).min(room - SECTION).max(EXCERPT.1 * of.row());
        self.source(ui, Part::Whole(height, of));
    }

    /// The panel on a phone or in another low window: the tabs and what they promise on top, the bot and the running
    /// lines of its source below, where there is room for both. One thing scrolls: the section, or in its place all of the
    /// source. Reasons need all of the room: the bot and its source are scrolled with them.
    fn show_low(&mut self, ui: &mut Ui, session: &Session) {
        self.tabs(ui, true);
        ui.spacing_mut().item_spacing.y = 3.0;
        if self.reads_source {
            self.head(ui, true);
            let height = (ui.available_height() - TITLE).max(0.0);
            return self.source(ui, Part::Whole(height, Type::SMALL));
        }
        if self.section == Section::Why {
            self.tell_nothing(ui);
            let area = ScrollArea::vertical().id_salt(("section", self.section as u8));
            area.auto_shrink(false).show(ui, |ui| {
                ui.scope(|ui| self.why_section(ui));
                ui.add_space(6.0);
                self.head(ui, true);
                self.source(ui, Part::Excerpt(EXCERPT.1 as usize));
            });
            return;
        }
        let row = Type::SMALL.row();
        let room = ui.available_height() - self.head_height - TITLE - 2.0 * ui.spacing().item_spacing.y;
        if room < EXCERPT.0 * row + LOWEST_SECTION {
            return self.section(ui, session);
        }
        let is_touched = ScreenLayout::of(ui.ctx()).is_touched();
        let section = if is_touched { LOW_SECTION.0 } else { LOW_SECTION.1 };
        let rows = ((room - section) / row).floor().clamp(EXCERPT.0, EXCERPT.1);
        let height = (room - rows * row).max(0.0);
        let (place, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), height), eframe::egui::Sense::hover());
        let place = eframe::egui::UiBuilder::new().max_rect(place);
        self.section(&mut ui.new_child(place), session);
        let top = ui.cursor().top();
        self.head(ui, true);
        let head = ui.cursor().top() - top;
        if (head - self.head_height).abs() > 0.5 {
            self.head_height = head;
            ui.ctx().request_repaint();
        }
        self.source(ui, Part::Excerpt(rows as usize));
    }

    /// Starts the machine once the recording is complete.
    fn open(&mut self, ui: &mut Ui, session: &Session) {
        let Some(recording) = origin::recording(ui.ctx(), session) else {
            ui.weak("The recording is still being read.");
            return;
        };
        let ctx = ui.ctx().clone();
        let wake: Wake = std::sync::Arc::new(move || ctx.request_repaint());
        match Link::open(recording, wake) {
            Ok(link) => {
                self.link = Some(link);
                self.ask_facts();
            }
            Err(words) => self.refused = Some(words),
        }
    }

    /// Ends the machine and shows the reason.
    fn give_up(&mut self, words: String) {
        *self = ProgramPanel { refused: Some(words), unit: self.unit, ..ProgramPanel::default() };
    }

    /// Chooses the bot on the newly pinned place.
    fn take_pin(&mut self, pin: Option<Place>) {
        if pin == self.pin {
            return;
        }
        let Some(present) = &self.present else { return };
        self.pin = pin;
        let Some(pin) = pin.map(|pin| pin.to_string()) else { return };
        // The machine writes a minus as `~`, as programs do.
        if let Some(here) = present.bots.iter().find(|here| here.at.replace('~', "-") == pin) {
            self.choose(here.bot);
        }
    }

    /// The place of the chosen bot at the shown moment.
    fn place_of_bot(&self, game: Game) -> Option<Place> {
        let view = self.view.as_ref().filter(|_| self.absent.is_none())?;
        Place::parse(game, &view.state.at)
    }

    /// Chooses another bot at the same moment.
    fn choose(&mut self, bot: u32) {
        if self.bot == Some(bot) && self.absent.is_none() {
            return;
        }
        self.bot = Some(bot);
        (self.before, self.call) = (None, 0);
        self.leave_why();
        self.ask_at();
    }

    /// Shows the state to a viewer who turns to one bot.
    fn leave_why(&mut self) {
        if self.section == Section::Why {
            self.section = Section::State;
        }
    }

    /// The head: choice of the bot, the moment, progress, remarks about the recording, and the bot's present activity. With
    /// little room it has the steps too.
    fn head(&mut self, ui: &mut Ui, little: bool) {
        let palette = Palette::of(ui.ctx());
        let mut chosen = None;
        ui.horizontal(|ui| {
            let word = self.facts.as_ref().map_or("bot", |facts| facts.word.as_str());
            let shown = self.view.as_ref().filter(|_| self.absent.is_none());
            let name = match (shown, self.bot) {
                (Some(view), _) => view.state.who.clone(),
                (None, Some(bot)) => format!("{word} {bot}"),
                (None, None) => format!("Choose a {word}"),
            };
            let room = ui.available_width();
            let width = if little { room - self.steps_width(ui) } else { room * 0.5 };
            let width = width.clamp(100.0, 230.0);
            let combo = ComboBox::from_id_salt("bot").width(width).truncate().selected_text(name.as_str());
            let combo = combo.show_ui(ui, |ui| {
                for here in self.present.iter().flat_map(|present| &present.bots) {
                    let who = here.who.clone();
                    if ui.selectable_label(self.bot == Some(here.bot), who).clicked() {
                        chosen = Some(here.bot);
                    }
                }
            });
            combo.response.widget_info(|| {
                eframe::egui::WidgetInfo::labeled(eframe::egui::Role::ComboBox, true, format!("Bot: {name}"))
            });
            if little {
                self.short_steps(ui);
            } else if let Some(view) = shown {
                let when = self.facts.as_ref().map_or_else(String::new, |facts| when(facts, view));
                ui.add(eframe::egui::Label::new(RichText::new(when).color(palette.weak)).truncate());
            }
        });
        if let Some(bot) = chosen {
            self.choose(bot);
        }
        // The bar keeps its height when it is done, so that nothing moves below the pointer.
        let (bar, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), 2.0), eframe::egui::Sense::hover());
        if self.played.is_none() {
            let done = Rect::from_min_size(bar.min, vec2(bar.width() * self.playing, bar.height()));
            ui.painter().rect_filled(bar, 1.5, palette.line);
            ui.painter().rect_filled(done, 1.5, palette.accent);
            response.widget_info(|| {
                let words = "The match is played again";
                eframe::egui::WidgetInfo::labeled(eframe::egui::Role::ProgressIndicator, true, words)
            });
        }
        for remark in self.played.iter().flat_map(|played| &played.remarks) {
            ui.label(RichText::new(remark).size(SMALL).color(palette.warning));
        }
        if let Some(bot) = self.doing(ui, little) {
            self.choose(bot);
        }
    }

    /// What the bot does (with little room, also when), with its end if that is next; of a bot that is not there, why, and the way to where it is. Returns
    /// another bot that was chosen.
    fn doing(&mut self, ui: &mut Ui, little: bool) -> Option<u32> {
        let palette = Palette::of(ui.ctx());
        let life = self.life();
        let (mut chosen, mut cycle) = (None, None);
        // Rows of text, not of buttons.
        let usual = ui.spacing().interact_size.y;
        ui.spacing_mut().interact_size.y = SMALL + 6.0;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let tell = |ui: &mut Ui, words: &str, ink| {
                ui.label(RichText::new(words).color(ink).size(SMALL + 0.5));
            };
            let mut way = |ui: &mut Ui, words: &str, to: u64| {
                if ui.small_button(words).clicked() {
                    cycle = Some(to);
                }
            };
            let now = self.present.as_ref().map_or(0, |present| present.cycle);
            match (&self.absent, &self.view, life) {
                (Some(_), _, Some(BotLife { gone: Some(gone), .. })) if *gone <= now => {
                    let fate = life.and_then(fate_words).unwrap_or("It has left the match");
                    tell(ui, &format!("Cycle {}: {fate}", number(*gone)), palette.warning);
                    way(ui, "Show its last moment", gone.saturating_sub(1));
                }
                (Some(_), _, Some(BotLife { born, .. })) if *born > now => {
                    tell(ui, &format!("It is spawned in cycle {}", number(*born)), palette.warning);
                    way(ui, "Show its first moment", *born);
                }
                (Some(absent), ..) => tell(ui, absent, palette.warning),
                (None, Some(view), _) => {
                    if let Some(facts) = self.facts.as_ref().filter(|_| little) {
                        tell(ui, &when(facts, view), palette.weak);
                    }
                    tell(ui, &view.doing, palette.text);
                    let is_last = life.is_some_and(|life| life.gone == Some(view.state.cycle + 1));
                    if let Some(fate) = life.filter(|_| is_last).and_then(fate_words) {
                        tell(ui, &format!("and then: {fate}"), palette.warning);
                    }
                    if let ThreadState::WaitsForLock { holder, .. } = view.state.thread {
                        let word = self.facts.as_ref().map_or("bot", |facts| facts.word.as_str());
                        let button = ui.small_button(format!("Go to {word} {holder}"));
                        chosen = button.on_hover_text("Who holds the lock").clicked().then_some(holder);
                    }
                }
                (None, None, _) => {}
            }
        });
        ui.spacing_mut().interact_size.y = usual;
        if let (Some(bot), Some(cycle)) = (self.bot, cycle) {
            self.go_to(bot, cycle);
        }
        chosen
    }

    /// Life of the chosen bot, once the match has been played.
    fn life(&self) -> Option<&BotLife> {
        let bot = self.bot?;
        self.played.as_ref()?.bots.iter().find(|life| life.bot == bot)
    }

    /// The source at the place of the chosen call.
    fn source(&mut self, ui: &mut Ui, part: Part) {
        let Some(facts) = &self.facts else { return };
        let shown =
            self.view.as_ref().and_then(|view| Some((view.state.side, view.state.calls.get(self.call)?)));
        if let Some((side, call)) = shown
            && self.followed.as_ref().is_none_or(|(of, place)| *of != side || *place != call.place)
            && let Some(file) = facts.sides[side].files.iter().find(|file| file.name == call.place.file)
        {
            self.source.open(side, file);
            self.source.reveal(call.place.line);
            self.followed = Some((side, call.place.clone()));
        }
        let Some((side, name)) = self.source.file().map(|(side, name)| (side, name.to_owned())) else {
            ui.add_space(8.0);
            ui.weak("Click a piece on the board, or choose one above.");
            return;
        };
        let index = facts.sides[side].files.iter().position(|file| file.name == name);
        let live: BTreeSet<u32> = facts.sides[side]
            .lines
            .iter()
            .flatten()
            .filter(|(file, _)| Some(*file as usize) == index)
            .map(|(_, line)| *line)
            .collect();
        let heat: BTreeMap<u32, f32> = self.heat.of_file(side, &name);
        let place =
            shown.map(|(_, call)| &call.place).filter(|place| place.file == name && self.absent.is_none());
        let title = match shown.and_then(|(_, call)| call.function.as_deref()) {
            Some(function) => format!("{name}, in {function}"),
            None => name.clone(),
        };
        ui.label(RichText::new(title).size(SMALL).family(semibold()));
        let marks = Marks { place, live: &live, heat: &heat, print: self.print.line_in(&name) };
        let asked = match part {
            Part::Whole(height, of) => self.source.show(ui, height, of, &marks),
            Part::Excerpt(rows) => {
                let (asked, pressed) = self.source.excerpt(ui, rows, Type::SMALL, &marks);
                self.reads_source |= pressed;
                asked
            }
        };
        match asked {
            Some(GutterRequest::Find { line, back }) => self.find_line(&name, line, back),
            Some(GutterRequest::Print(line)) => {
                self.turn_to(Section::Print);
                self.print.at(&name, line);
            }
            Some(GutterRequest::Heat(line)) => {
                self.turn_to(Section::Heat);
                self.ask_heat(Some(SideLine { side, file: name, line }));
            }
            None => {}
        }
    }

    /// Shows a section.
    fn turn_to(&mut self, section: Section) {
        (self.section, self.reads_source) = (section, false);
    }

    /// The row of sections; `low`: of all of the source too.
    fn tabs(&mut self, ui: &mut Ui, low: bool) {
        ui.add_space(2.0);
        let (word, beat) = (self.word().to_owned(), self.beat().to_owned());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            if low {
                ui.spacing_mut().button_padding.x = if ui.available_width() < TABS { 5.0 } else { 8.0 };
            }
            let reads_source = low && self.reads_source;
            for (section, name, tip) in [
                (
                    Section::Why,
                    "Why",
                    &*format!("Why the match was lost: the turning point, lost {word}s, what mistakes cost"),
                ),
                (Section::State, "State", "Names, calls, shared cells, last actions"),
                (Section::Find, "Find", "The next or the last time that something happened"),
                (Section::Print, "Print", "What an expression was each time that a line was reached"),
                (Section::Heat, "Heat", &*format!("Where steps go, by line, {word} and {beat}")),
            ] {
                let text = RichText::new(name).family(semibold());
                let is_shown = self.section == section && !reads_source;
                if ui.selectable_label(is_shown, text).on_hover_text(tip).clicked() {
                    self.turn_to(section);
                }
            }
            let source = RichText::new("Source").family(semibold());
            if low && ui.selectable_label(reads_source, source).clicked() {
                self.reads_source = true;
            }
            if let Some(progress) = self.asking.progress() {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.small_button("Cancel").clicked() {
                        self.cancel();
                    }
                    if ui.available_width() >= 80.0 {
                        ui.add(ProgressBar::new(progress).desired_width(80.0).desired_height(6.0));
                    }
                });
            }
        });
    }

    /// Why the last request had no result.
    fn tell_nothing(&self, ui: &mut Ui) {
        if let Some(words) = &self.nothing {
            let ink = Palette::of(ui.ctx()).warning;
            ui.label(RichText::new(words).size(SMALL).color(ink));
        }
    }

    /// The chosen section, in the remaining space.
    fn section(&mut self, ui: &mut Ui, session: &Session) {
        self.tell_nothing(ui);
        let area = ui.available_rect_before_wrap();
        // Room that the section divides; where there is less, it scrolls.
        let least = match self.section {
            Section::Why | Section::State | Section::Find => 0.0,
            Section::Print => print_section::WHOLE,
            Section::Heat => 200.0,
        };
        let height = area.height().max(least);
        let place = eframe::egui::UiBuilder::new().max_rect(area);
        ui.scope_builder(place, |ui| {
            let area = ScrollArea::vertical().id_salt(("section", self.section as u8));
            area.min_scrolled_height(0.0).auto_shrink(false).show(ui, |ui| {
                let size = vec2(ui.available_width(), height);
                ui.allocate_ui(size, |ui| match self.section {
                    Section::Why => self.why_section(ui),
                    Section::State => self.state_section(ui, session.scene().game()),
                    Section::Find => self.find_section(ui),
                    Section::Print => self.print_section(ui),
                    Section::Heat => self.heat_section(ui),
                });
            });
        });
    }
}

/// The part of the source that is shown.
enum Part {
    /// All of it, in this height and type.
    Whole(f32, Type),
    /// So many rows around the running line.
    Excerpt(usize),
}
