//! Ring of focus: notices that Tab has gone once round everything, so that the page can lead on to what is beside the canvas.

use eframe::egui::{Context, Event, Id, Key};

/// Direction in which the focus leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FocusExit {
    /// After the last control, by Tab.
    Forward,
    /// Before the first one, by Shift+Tab.
    Back,
}

/// The controls that had the focus since Tab was first pressed, without another key or a click between.
#[derive(Debug, Default)]
pub(crate) struct FocusRing {
    visited: Vec<Id>,
    last: Option<Id>,
    /// Direction of the last Tab, and in how many further frames the focus may still move by it.
    pressed: Option<(FocusExit, u8)>,
}

impl FocusRing {
    /// Looks at the focus after a frame; tells when it comes back to where it was. Then nothing has the focus any more.
    pub(crate) fn update(&mut self, ctx: &Context) -> Option<FocusExit> {
        let tab = |event: &Event| match event {
            Event::Key { key: Key::Tab, pressed: true, modifiers, .. } => Some(modifiers.shift),
            _ => None,
        };
        // What else is pressed may open or close something: the round begins again where the focus is.
        let other = |event: &Event| match event {
            Event::Key { key, pressed: true, .. } => *key != Key::Tab,
            Event::PointerButton { pressed, .. } => *pressed,
            _ => false,
        };
        if ctx.input(|input| input.events.iter().any(other)) {
            let now = ctx.memory(|memory| memory.focused());
            *self = FocusRing { visited: now.into_iter().collect(), last: now, pressed: None };
            return None;
        }
        let pressed = ctx.input(|input| input.events.iter().find_map(tab));
        match pressed {
            Some(back) => self.pressed = Some((if back { FocusExit::Back } else { FocusExit::Forward }, 2)),
            None => self.pressed = self.pressed.and_then(|(way, frames)| Some((way, frames.checked_sub(1)?))),
        }
        let now = ctx.memory(|memory| memory.focused());
        if now == self.last {
            return None;
        }
        self.last = now;
        let Some((way, id)) = self.pressed.map(|(way, _)| way).zip(now) else {
            // After the last control nothing has the focus for a frame. Otherwise a new round begins where it is.
            if self.pressed.is_none() || now.is_some() {
                self.visited = now.into_iter().collect();
            }
            return None;
        };
        if !self.visited.contains(&id) {
            self.visited.push(id);
            return None;
        }
        ctx.memory_mut(|memory| memory.surrender_focus(id));
        *self = FocusRing::default();
        Some(way)
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::{self, Modifiers, RawInput};

    use super::*;

    fn tab(shift: bool) -> Event {
        let modifiers = if shift { Modifiers::SHIFT } else { Modifiers::NONE };
        Event::Key { key: Key::Tab, physical_key: None, pressed: true, repeat: false, modifiers }
    }

    /// What three controls tell while Tab is pressed so often.
    fn exits(presses: usize, shift: bool) -> Vec<FocusExit> {
        let (ctx, mut ring, mut exits) = (egui::Context::default(), FocusRing::default(), Vec::new());
        for frame in 0..=3 * presses {
            let mut input = RawInput::default();
            if frame > 0 && frame % 3 == 1 {
                input.events.push(tab(shift));
            }
            let output = ctx.run_ui(input, |ui| {
                for name in ["one", "two", "three"] {
                    let _ = ui.button(name);
                }
            });
            output.drop_without_applying_deltas();
            exits.extend(ring.update(&ctx));
        }
        exits
    }

    #[test]
    fn a_form_that_is_opened_again_is_a_round_of_its_own() {
        let (ctx, mut ring) = (egui::Context::default(), FocusRing::default());
        let enter = || Event::Key {
            key: Key::Enter,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        for _ in 0..3 {
            for (event, open) in [(Some(tab(false)), true), (Some(enter()), true), (None, false)] {
                let input = RawInput { events: event.into_iter().collect(), ..RawInput::default() };
                let output = ctx.run_ui(input, |ui| {
                    if open {
                        let _ = ui.button("one");
                        let _ = ui.button("two");
                    }
                });
                output.drop_without_applying_deltas();
                assert_eq!(ring.update(&ctx), None);
            }
        }
    }

    #[test]
    fn after_the_last_control_the_focus_leaves() {
        assert_eq!(exits(3, false), []);
        assert_eq!(exits(4, false), [FocusExit::Forward]);
        assert_eq!(exits(4, true), [FocusExit::Back]);
        // Whoever comes back goes round again.
        assert_eq!(exits(8, false).len(), 2);
    }
}
