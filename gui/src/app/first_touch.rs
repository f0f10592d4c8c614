//! The first touch of a screen.

use eframe::egui::{Context, Event, Plugin, RawInput, TouchPhase};

/// Holds the first touch back for one frame.
///
/// egui learns that a screen can be touched from the first touch, and only then lists are drawn as ones that a finger moves. A press
/// goes to what was drawn in the frame before it, so the first swipe would move nothing. The frame in between draws them.
#[derive(Debug, Default)]
pub(crate) struct FirstTouch {
    held: Vec<Event>,
}

impl Plugin for FirstTouch {
    fn debug_name(&self) -> &'static str {
        "first touch"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        if !self.held.is_empty() {
            input.events.splice(0..0, self.held.drain(..));
        } else if !ctx.input(|known| known.has_touch_screen())
            && let Some(Event::Touch { device_id, id, pos, .. }) =
                input.events.iter().find(|event| matches!(event, Event::Touch { .. }))
        {
            // Tells of the device, and of no finger.
            let (device_id, id, pos) = (*device_id, *id, *pos);
            let told = Event::Touch { device_id, id, phase: TouchPhase::Cancel, pos, force: None };
            self.held = std::mem::replace(&mut input.events, vec![told]);
            ctx.request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::{
        CentralPanel, Modifiers, PointerButton, Pos2, Rect, ScrollArea, TouchDeviceId, TouchId, pos2, vec2,
    };

    use super::*;

    #[test]
    fn the_first_swipe_moves_a_list() {
        let ctx = Context::default();
        ctx.add_plugin(FirstTouch::default());
        let mut offset = 0.0;
        let mut time = 0.0;
        let mut frame = |events: Vec<Event>| {
            time += 1.0 / 60.0;
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(200.0, 200.0)));
            let input = RawInput { screen_rect, time: Some(time), events, ..RawInput::default() };
            let shown = ctx.run_ui(input, |ui| {
                CentralPanel::default().show(ui, |ui| {
                    offset = ScrollArea::vertical()
                        .show(ui, |ui| {
                            for row in 0..40 {
                                let _ = ui.button(row.to_string());
                            }
                        })
                        .state
                        .clamped_offset()
                        .y;
                });
            });
            let again = shown.viewport_output.values().any(|output| output.repaint_delay.is_zero());
            shown.drop_without_applying_deltas();
            again
        };
        let touch = |phase, y: f32| Event::Touch {
            device_id: TouchDeviceId(0),
            id: TouchId(1),
            phase,
            pos: pos2(20.0, y),
            force: None,
        };
        let button = |pressed, y: f32| Event::PointerButton {
            pos: pos2(20.0, y),
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        for _ in 0..4 {
            frame(Vec::new());
        }
        // As a page tells it: the button, then the finger.
        let begun = vec![button(true, 180.0), touch(TouchPhase::Start, 180.0)];
        assert!(frame(begun), "the touch that is held back waits for a frame");
        for step in 1..=16 {
            let y = 180.0 - 10.0 * step as f32;
            frame(vec![Event::PointerMoved(pos2(20.0, y)), touch(TouchPhase::Move, y)]);
        }
        frame(vec![button(false, 20.0), Event::PointerGone, touch(TouchPhase::End, 20.0)]);
        assert!(offset > 100.0, "{offset}");
    }
}
