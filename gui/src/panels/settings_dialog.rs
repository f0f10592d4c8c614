//! Settings: everything that is remembered between starts and that the viewer can choose, each with a sentence.

use eframe::egui::{
    Align, Button, Context, Frame, Id, Layout, Margin, Modal, RichText, Role, ScrollArea, ThemePreference,
    Ui, WidgetInfo, vec2,
};
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_protocol::Micros;
use grandstand_replays::Speed;
use grandstand_replays::diff::Lock;
use grandstand_story::format;

use super::seat_bar::NAME_MAX;
use super::timeline::idle_text;
use crate::actions::{Action, key_text};
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::session::{IDLE_AMOUNTS, Lane};
use crate::settings::{Settings, ZOOMS};
use crate::sound::Volume;
use crate::widgets::{IconButton, line_edit};

/// Width of the dialog, and of the names beside the choices, in points. A narrower window has the choices below the names.
const WIDTH: f32 = 690.0;
const NAMES: f32 = 250.0;
/// Height of what stands above and below the settings.
const AROUND: f32 = 170.0;
/// One step of the interface's size.
pub(crate) const ZOOM_STEP: f32 = 1.1;

/// Request of the viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SettingsRequest {
    Close,
    /// All settings as at the first start.
    Reset,
}

/// Shows the dialog over everything else; what is chosen is in `settings` at once.
pub(crate) fn show(ctx: &Context, settings: &mut Settings) -> Option<SettingsRequest> {
    let palette = Palette::of(ctx);
    let window = ctx.content_rect().size();
    let frame = Frame::popup(&ctx.global_style()).inner_margin(Margin::same(20)).fill(palette.panel);
    let modal = Modal::new(Id::unique("settings")).frame(frame).show(ctx, |ui| {
        ui.set_width((window.x - 60.0).min(WIDTH));
        let mut request = None;
        ui.horizontal(|ui| {
            ui.heading("Settings");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.add(IconButton::plain(Icon::Close, "Close the settings")).clicked() {
                    request = Some(SettingsRequest::Close);
                }
            });
        });
        ui.add_space(6.0);
        let most = window.y - AROUND;
        ScrollArea::vertical().max_height(most).min_scrolled_height(most).show(ui, |ui| {
            appearance(ui, settings);
            board(ui, settings);
            playback(ui, settings);
            spoilers_and_sound(ui, settings);
            comparison(ui, settings);
            own(ui, settings);
        });
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let height = ScreenLayout::of(ui.ctx()).control(28.0);
            let button = |text: &'static str| Button::new(text).min_size(vec2(0.0, height));
            if ui.add(button("Close")).clicked() {
                request = Some(SettingsRequest::Close);
            }
            let kept =
                "All of these as at the first start; recent matches, bookmarks and watched games are kept";
            if ui.add(button(Action::ResetSettings.name())).on_hover_text(kept).clicked() {
                request = Some(SettingsRequest::Reset);
            }
        });
        request
    });
    modal.inner.or(modal.should_close().then_some(SettingsRequest::Close))
}

fn appearance(ui: &mut Ui, settings: &mut Settings) {
    section(ui, "Appearance");
    let themes = [
        (ThemePreference::System, "System"),
        (ThemePreference::Dark, "Dark"),
        (ThemePreference::Light, "Light"),
    ];
    row(ui, "Theme", "Colours of the window, and of pictures of it.", Some(Action::NextTheme), |ui| {
        choices(ui, "Theme", &mut settings.theme, themes);
    });
    row(ui, "Size", "Text, buttons and boards larger or smaller.", Some(Action::ZoomIn), |ui| {
        for (sign, words, factor) in
            [("−", Action::ZoomOut.name(), 1.0 / ZOOM_STEP), ("+", Action::ZoomIn.name(), ZOOM_STEP)]
        {
            let button = ui.add(Button::new(sign).min_size(vec2(ui.spacing().interact_size.y, 0.0)));
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, words));
            if button.clicked() {
                settings.zoom = (settings.zoom * factor).clamp(*ZOOMS.start(), *ZOOMS.end());
            }
        }
        ui.label(format!("{:.0} %", settings.zoom * 100.0));
    });
}

fn board(ui: &mut Ui, settings: &mut Settings) {
    section(ui, "Board");
    let board = &mut settings.board;
    let words = "Names of rows and columns at the edges, or of every place on it.";
    row(ui, "Coordinates", words, Some(Action::NextCoordinates), |ui| {
        let mut chosen = (board.coordinates, board.labels);
        // A name on every place stands with those at the edges.
        chosen.0 |= chosen.1;
        let all = [((true, false), "At the edges"), ((true, true), "Everywhere"), ((false, false), "Off")];
        choices(ui, "Coordinates", &mut chosen, all);
        (board.coordinates, board.labels) = chosen;
    });
    for (name, words, action, value) in [
        (
            "Move numbers",
            "When each piece was played, in games that are played move by move.",
            Action::ToggleNumbers,
            &mut board.numbers,
        ),
        (
            "Expected moves",
            "How the players expect the match to go on.",
            Action::ToggleThoughts,
            &mut board.thoughts,
        ),
        (
            "Bot drawings",
            "What bots draw onto the board to explain themselves.",
            Action::ToggleOverlays,
            &mut board.overlays,
        ),
    ] {
        row(ui, name, words, Some(action), |ui| switch(ui, name, value));
    }
}

fn playback(ui: &mut Ui, settings: &mut Settings) {
    section(ui, "Playback");
    row(ui, "Speed", "How fast recordings are played.", Some(Action::Faster), |ui| {
        let speeds = Speed::ALL.map(|speed| (speed, speed.to_string()));
        choices(ui, "Speed", &mut settings.speed, speeds);
    });
    let words = "How much is played of a time in which nothing happens.";
    row(ui, "Idle time", words, Some(Action::NextIdleAmount), |ui| {
        let mut chosen = settings.skip_idle.then_some(Micros(u64::from(settings.idle_millis) * 1000));
        let before = chosen;
        let amounts = [None].into_iter().chain(IDLE_AMOUNTS.map(Some));
        let amounts = amounts.map(|amount| (amount, format::capitalised(&idle_text(amount))));
        choices(ui, "Idle time", &mut chosen, amounts);
        if chosen != before {
            settings.skip_idle = chosen.is_some();
            if let Some(amount) = chosen {
                settings.idle_millis = u32::try_from(amount.0 / 1000).unwrap_or(settings.idle_millis);
            }
        }
    });
    let name = "Stop at every moment";
    let words = "Playback stops where something of note has happened.";
    row(ui, name, words, Some(Action::StopAtMarkers), |ui| switch(ui, name, &mut settings.stops_at_markers));
    row(ui, "Lanes", "What is drawn below the timeline, where a match has it.", None, |ui| {
        // A box is nearer to its own name than to the one before.
        ui.spacing_mut().item_spacing.x = 16.0;
        for lane in Lane::ALL {
            let mut shown = settings.lanes.has(lane);
            if ui.checkbox(&mut shown, lane.name()).changed() {
                settings.lanes.toggle(lane);
            }
        }
    });
}

fn spoilers_and_sound(ui: &mut Ui, settings: &mut Settings) {
    section(ui, "Spoilers and sound");
    let name = "Spoiler mode";
    let words = "Results, lengths and what comes are hidden.";
    row(ui, name, words, Some(Action::ToggleSpoilers), |ui| switch(ui, name, &mut settings.spoiler_free));
    let words = "Short tones for what happens while a match is played.";
    row(ui, "Sound", words, Some(Action::ToggleSound), |ui| {
        let sound = &mut settings.sound;
        let mut chosen = sound.on.then_some(sound.volume);
        let volumes = [Volume::Low, Volume::Medium, Volume::High];
        let volumes = volumes.map(|volume| (Some(volume), format::capitalised(volume.name())));
        let all = std::iter::once((None, "Off".to_owned())).chain(volumes);
        choices(ui, "Sound", &mut chosen, all);
        (sound.on, sound.volume) = (chosen.is_some(), chosen.unwrap_or(sound.volume));
    });
}

fn comparison(ui: &mut Ui, settings: &mut Settings) {
    section(ui, "Comparison");
    for (name, words, lock) in settings.locks.by_kind() {
        row(ui, name, words, None, |ui| {
            let locks = [(Lock::Turn, "Turn"), (Lock::Time, "Time"), (Lock::Command, "Line")];
            choices(ui, name, lock, locks.map(|(lock, name)| (lock, name)));
        });
    }
}

fn own(ui: &mut Ui, settings: &mut Settings) {
    section(ui, "You");
    row(ui, "Your name", "Told to the others when you take a seat.", None, |ui| {
        let field = line_edit(&mut settings.player_name).hint_text("Optional").char_limit(NAME_MAX);
        let field = ui.add(field.desired_width(ui.available_width().min(260.0)));
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Your name"));
    });
    if cfg!(not(target_arch = "wasm32")) {
        let words = "Where exported pictures go. Without one, beside the recording.";
        row(ui, "Export folder", words, None, |ui| {
            let field = line_edit(&mut settings.export_folder).hint_text("Beside the recording");
            let field = ui.add(field.desired_width(ui.available_width().min(260.0)));
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Export folder"));
        });
    }
}

fn section(ui: &mut Ui, title: &str) {
    ui.add_space(8.0);
    let accent = Palette::of(ui.ctx()).accent;
    let label = ui.label(RichText::new(title).family(semibold()).size(BODY + 1.0).color(accent));
    label.widget_info(|| WidgetInfo::labeled(Role::Heading, true, title));
    ui.add_space(2.0);
}

/// A setting: its name and what it means, and beside them, or below in a narrow window, its choices.
fn row(ui: &mut Ui, name: &str, words: &str, action: Option<Action>, choose: impl FnOnce(&mut Ui)) {
    let palette = Palette::of(ui.ctx());
    let told = |ui: &mut Ui| {
        let title = ui.label(name);
        if let Some(key) = action.and_then(|action| action.entry().keys.first()) {
            title.on_hover_text(format!("{name}  ({})", key_text(key)));
        }
        ui.label(RichText::new(words).size(SMALL).color(palette.weak));
    };
    let chosen = |ui: &mut Ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            choose(ui);
        });
    };
    if ui.available_width() < 2.0 * NAMES {
        told(ui);
        chosen(ui);
    } else {
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(NAMES);
                ui.spacing_mut().item_spacing.y = 1.0;
                told(ui);
            });
            ui.add_space(8.0);
            ui.vertical(chosen);
        });
    }
    ui.add_space(6.0);
}

/// Choices of which one holds.
fn choices<T: PartialEq, S: Into<String>>(
    ui: &mut Ui,
    name: &str,
    value: &mut T,
    all: impl IntoIterator<Item = (T, S)>,
) {
    for (choice, text) in all {
        let (text, holds) = (text.into(), *value == choice);
        let button = Button::selectable(holds, &*text).frame_when_inactive(true);
        let button = ui.add(button.min_size(vec2(ui.spacing().interact_size.y, 0.0)));
        button.widget_info(|| {
            WidgetInfo::selected(
                Role::RadioButton,
                true,
                holds,
                format!("{name}: {}", format::uncapitalised(&text)),
            )
        });
        if button.clicked() {
            *value = choice;
        }
    }
}

/// A switch that says what it is now.
fn switch(ui: &mut Ui, name: &str, on: &mut bool) {
    let response = ui.checkbox(on, if *on { "On" } else { "Off" });
    let on = *on;
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
}
