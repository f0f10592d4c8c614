//! Click detection on slow machines.

use eframe::egui::{Context, Event, InputOptions, Plugin, RawInput};

/// Extends egui's maximum click duration by the length of the last frame, so that slow frames don't lose clicks.
///
/// egui measures a press from frame to frame, but the button was released at some time after the last frame that saw it down.
/// Long presses of a finger are unaffected: a frame during which the finger is down decides them.
#[derive(Debug, Default)]
pub(crate) struct Presses;

impl Plugin for Presses {
    fn debug_name(&self) -> &'static str {
        "presses"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let is_release = |event: &Event| matches!(event, Event::PointerButton { pressed: false, .. });
        let last = ctx.input(|input| input.time);
        let since = match input.time {
            Some(now) if input.events.iter().any(is_release) => (now - last).max(0.0),
            _ => 0.0,
        };
        let longest = InputOptions::default().max_click_duration + since;
        ctx.options_mut(|options| options.input_options.max_click_duration = longest);
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::{
        Modifiers, PointerButton, Pos2, Rect, Sense, TouchDeviceId, TouchId, TouchPhase, pos2, vec2,
    };

    use super::*;

    const AT: Pos2 = pos2(20.0, 20.0);

    /// What a press is taken for that begins in the frame at 0 and ends in the last one of these. Each is the time of a
    /// frame, in seconds.
    fn pressed(frames: &[f64], is_finger: bool) -> (bool, bool) {
        let ctx = Context::default();
        ctx.add_plugin(Presses);
        let button = |pressed| Event::PointerButton {
            pos: AT,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let touch =
            |phase| Event::Touch { device_id: TouchDeviceId(0), id: TouchId(0), phase, pos: AT, force: None };
        let (mut clicked, mut long) = (false, false);
        let mut frame = |time: f64, events: Vec<Event>| {
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(100.0, 100.0)));
            let input = RawInput { screen_rect, time: Some(time), events, ..RawInput::default() };
            let shown = ctx.run_ui(input, |ui| {
                let (_, response) = ui.allocate_exact_size(vec2(60.0, 60.0), Sense::click());
                clicked |= response.clicked();
                long |= response.long_touched();
            });
            shown.drop_without_applying_deltas();
        };
        frame(-2.0, Vec::new());
        frame(-1.0, vec![Event::PointerMoved(AT)]);
        let finger = |phase| is_finger.then(|| touch(phase));
        frame(0.0, finger(TouchPhase::Start).into_iter().chain([button(true)]).collect());
        let (end, between) = frames.split_last().expect("an end");
        between.iter().for_each(|time| frame(*time, Vec::new()));
        frame(*end, finger(TouchPhase::End).into_iter().chain([button(false)]).collect());
        (clicked, long)
    }

    #[test]
    fn a_click_counts_however_long_a_frame_takes() {
        for is_finger in [false, true] {
            assert_eq!(pressed(&[0.1], is_finger), (true, false));
            assert_eq!(pressed(&[1.5], is_finger), (true, false));
            assert_eq!(pressed(&[0.6, 1.2], is_finger), (true, false));
        }
    }

    #[test]
    fn a_long_press_is_no_click() {
        let frames: Vec<f64> = (1..=15).map(|n| f64::from(n) / 10.0).collect();
        assert_eq!(pressed(&frames, true), (false, true));
        assert_eq!(pressed(&[1.5, 1.6], true), (false, true));
        assert_eq!(pressed(&[1.5, 1.6], false), (false, false));
    }
}
