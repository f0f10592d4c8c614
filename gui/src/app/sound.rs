//! Sound: switching it, and the player.

use eframe::egui::{Context, Event};

use super::App;
use super::notice::Notice;
use crate::actions::{Action, key_text};
use crate::sound::Player;

/// Time for which a notice about sound is shown, in seconds.
const SEEN: f64 = 5.0;

impl App {
    /// Replaces the platform's player. Sound stays off until the viewer turns it on.
    pub fn set_player(&mut self, player: Box<dyn Player>) {
        self.sound.set_player(player);
    }

    pub(super) fn toggle_sound(&mut self, ctx: &Context) {
        self.settings.sound.on = !self.settings.sound.on;
        if self.settings.sound.on {
            self.try_sound(ctx, "Sound is on");
        } else {
            self.say(ctx, "Sound is off".to_owned());
        }
    }

    /// The next volume; turns sound on if it is off.
    pub(super) fn next_volume(&mut self, ctx: &Context) {
        let sound = &mut self.settings.sound;
        if std::mem::replace(&mut sound.on, true) {
            sound.volume = sound.volume.next();
        }
        self.try_sound(ctx, "Sound");
    }

    /// Plays an example, and shows a notice about the volume or the trouble.
    pub(super) fn try_sound(&mut self, ctx: &Context, what: &str) {
        let volume = self.settings.sound.volume;
        let words = match self.sound.try_out(volume) {
            Ok(()) => {
                let key = Action::NextVolume.entry().keys.first().map(key_text).unwrap_or_default();
                format!("{what}, volume {} ({key}: another)", volume.name())
            }
            Err(reason) => {
                self.settings.sound.on = false;
                format!("No sound: {reason}")
            }
        };
        self.notice = Some(Notice::new(words, ctx.input(|input| input.time) + SEEN));
    }

    /// Plays the tones of this frame.
    pub(super) fn listen(&mut self, ctx: &Context, now: f64) {
        let pressed = ctx.input(|input| {
            let is_press = |event: &Event| {
                matches!(event, Event::PointerButton { pressed: true, .. } | Event::Key { pressed: true, .. })
            };
            input.events.iter().any(is_press)
        });
        let told = self.sound.listen(self.session.as_ref(), self.settings.sound, pressed, now);
        if let Some(trouble) = told {
            self.notice = Some(Notice::new(format!("No sound: {trouble}"), now + SEEN));
        }
    }
}
