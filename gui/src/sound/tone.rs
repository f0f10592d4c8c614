//! Tones as samples, made of sines.

use std::f32::consts::TAU;

/// Samples a second.
pub(super) const RATE: u32 = 44_100;
/// Fade-in of a tone, in seconds; without it there would be a click.
const ATTACK: f32 = 0.004;
/// Fade-out of a tone, in seconds.
const RELEASE: f32 = 0.012;
/// Pitch of the first side's lowest tone, in hertz.
const PITCH: f32 = 392.0;

/// A tone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tone {
    /// Kind of the event.
    pub kind: Kind,
    /// Index of the side, which sets the pitch.
    pub side: Option<usize>,
}

/// Kinds of events, in ascending importance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A move in a turn game.
    Move,
    /// A note: a long think, a line that was not understood, a marker of the game server.
    Note,
    /// A loss: a piece, a bot, a flag, a battle.
    Loss,
    /// Progress towards the goal of the game: a point, a capture, a territory.
    Score,
    /// The end of the match.
    End,
}

/// A part of a tone.
struct Part {
    /// Start and length, in seconds.
    start: f32,
    secs: f32,
    /// Pitch at its start and end, relative to the side's.
    from: f32,
    to: f32,
    loudness: f32,
}

const fn part(start: f32, secs: f32, from: f32, to: f32, loudness: f32) -> Part {
    Part { start, secs, from, to, loudness }
}

impl Kind {
    /// Number of kinds.
    pub(super) const COUNT: usize = 5;

    fn parts(self) -> &'static [Part] {
        match self {
            Kind::Move => const { &[part(0.0, 0.07, 1.0, 0.98, 0.5)] },
            Kind::Note => const { &[part(0.0, 0.16, 2.0, 2.0, 0.22)] },
            Kind::Loss => const { &[part(0.0, 0.24, 1.0, 0.66, 0.7)] },
            Kind::Score => const { &[part(0.0, 0.14, 1.0, 1.0, 0.6), part(0.09, 0.24, 1.5, 1.5, 0.7)] },
            Kind::End => {
                const {
                    &[
                        part(0.0, 0.26, 1.0, 1.0, 0.5),
                        part(0.13, 0.28, 1.25, 1.25, 0.5),
                        part(0.26, 0.5, 1.5, 1.5, 0.6),
                    ]
                }
            }
        }
    }
}

impl Tone {
    /// Pitch in hertz. The sides' pitches are steps of a pentatonic scale, which sound well together.
    fn pitch(self) -> f32 {
        const STEPS: [f32; 5] = [1.0, 9.0 / 8.0, 5.0 / 4.0, 3.0 / 2.0, 5.0 / 3.0];
        PITCH * self.side.map_or(0.75, |side| STEPS[side % STEPS.len()])
    }

    /// The samples, [`RATE`] a second, each from −1 to 1.
    pub(super) fn samples(self, loudness: f32) -> Vec<f32> {
        let parts = self.kind.parts();
        let secs = parts.iter().map(|part| part.start + part.secs).fold(0.0, f32::max);
        let mut samples = vec![0.0_f32; (secs * RATE as f32) as usize];
        for part in parts {
            let first = (part.start * RATE as f32) as usize;
            let count = (part.secs * RATE as f32) as usize;
            let mut turn = 0.0_f32;
            for (index, sample) in samples.iter_mut().skip(first).take(count).enumerate() {
                let t = index as f32 / RATE as f32;
                let along = t / part.secs;
                let pitch = self.pitch() * (part.from + (part.to - part.from) * along);
                turn = (turn + pitch / RATE as f32).fract();
                // An overtone that fades quickly makes the tone sound like wood.
                let wave = (TAU * turn).sin() + 0.35 * (1.0 - along).powi(4) * (2.0 * TAU * turn).sin();
                let swell = (t / ATTACK).min((part.secs - t) / RELEASE).clamp(0.0, 1.0);
                *sample += 0.6 * part.loudness * wave * swell * (-3.5 * along).exp();
            }
        }
        let loudness = loudness.clamp(0.0, 1.0);
        samples.iter_mut().for_each(|sample| *sample = (*sample * loudness).clamp(-1.0, 1.0));
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; Kind::COUNT] = [Kind::Move, Kind::Note, Kind::Loss, Kind::Score, Kind::End];

    fn loudest(samples: &[f32]) -> f32 {
        samples.iter().fold(0.0, |loudest, sample| loudest.max(sample.abs()))
    }

    #[test]
    fn tones_are_heard_do_not_click_and_are_short() {
        for kind in KINDS {
            for side in [None, Some(0), Some(1), Some(usize::MAX)] {
                let samples = Tone { kind, side }.samples(1.0);
                assert!((0.1..0.99).contains(&loudest(&samples)), "{kind:?}: {}", loudest(&samples));
                assert!(samples.len() < RATE as usize);
                let jump = samples.windows(2).map(|two| (two[1] - two[0]).abs()).fold(0.0, f32::max);
                let ends = [samples[0].abs(), samples[samples.len() - 1].abs()];
                assert!(jump < 0.15 && ends.into_iter().all(|end| end < 0.02), "{kind:?}: {jump} {ends:?}");
            }
        }
    }

    #[test]
    fn what_matters_little_is_quiet_and_each_side_has_its_pitch() {
        let samples = |kind, side, loudness| Tone { kind, side }.samples(loudness);
        assert!(loudest(&samples(Kind::Note, None, 1.0)) < loudest(&samples(Kind::Score, None, 1.0)) / 2.0);
        assert!(loudest(&samples(Kind::Score, Some(0), 0.2)) < loudest(&samples(Kind::Score, Some(0), 1.0)));
        let crossings = |side| {
            let samples = samples(Kind::Loss, side, 1.0);
            samples.windows(2).filter(|two| two[0] <= 0.0 && two[1] > 0.0).count()
        };
        assert!(crossings(None) < crossings(Some(0)) && crossings(Some(0)) < crossings(Some(1)));
        assert!(samples(Kind::End, None, 0.0).iter().all(|sample| *sample == 0.0));
    }
}
