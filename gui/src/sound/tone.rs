//! The tones themselves: what is heard for what, made of sines.

use std::f32::consts::TAU;

/// So many samples a second.
pub(super) const RATE: u32 = 44_100;
/// How long a tone takes to swell, in seconds: without that it would click.
const ATTACK: f32 = 0.004;
/// The same at its end.
const RELEASE: f32 = 0.012;
/// The lowest tone of the first side, in hertz.
const PITCH: f32 = 392.0;

/// What is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tone {
    /// What happened.
    pub kind: Kind,
    /// Whom it is about: each side has a pitch of its own.
    pub side: Option<usize>,
}

/// What happened, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A move in a game of turns.
    Move,
    /// Something to look at: a long think, a line that was not understood, a marker of the game server.
    Note,
    /// Somebody lost something: a piece, a bot, a flag, a battle.
    Loss,
    /// What the game is about: a point, a capture, a territory.
    Score,
    /// The match is over.
    End,
}

/// A part of a tone.
struct Part {
    /// When it begins and how long it is, in seconds.
    start: f32,
    secs: f32,
    /// Its pitch at its beginning and at its end, in pitches of the side.
    from: f32,
    to: f32,
    loudness: f32,
}

const fn part(start: f32, secs: f32, from: f32, to: f32, loudness: f32) -> Part {
    Part { start, secs, from, to, loudness }
}

impl Kind {
    /// How many there are.
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
    /// How high the tone is, in hertz: of another side by two semitones, and so on in steps that go with each other.
    fn pitch(self) -> f32 {
        const STEPS: [f32; 5] = [1.0, 9.0 / 8.0, 5.0 / 4.0, 3.0 / 2.0, 5.0 / 3.0];
        PITCH * self.side.map_or(0.75, |side| STEPS[side % STEPS.len()])
    }

    /// Its samples, [`RATE`] a second, each from −1 to 1.
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
                // Wood rather than a flute: an overtone that fades at once.
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
