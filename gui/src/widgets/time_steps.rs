//! Steps of a time axis: round numbers of seconds, minutes and hours, and how they are written.

use grandstand_story::format;

/// Distances between labels, in seconds.
const STEPS: [f64; 20] = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0,
    1800.0, 3600.0, 7200.0,
];

/// The smallest round step that is no less than so many seconds.
pub(crate) fn at_least(secs: f64) -> f64 {
    let longest = STEPS[STEPS.len() - 1];
    STEPS.into_iter().find(|step| *step >= secs).unwrap_or_else(|| (secs / longest).ceil() * longest)
}

/// The smallest round step that is no less than so many seconds and divides `whole`; else that.
pub(crate) fn dividing(whole: f64, secs: f64) -> f64 {
    let fits = |step: &f64| *step >= secs && ((whole / step) - (whole / step).round()).abs() < 1e-6;
    STEPS.into_iter().find(fits).unwrap_or(whole)
}

/// A time as an axis with such steps has it: as fine as the times differ.
pub(crate) fn label(secs: f64, step: f64) -> String {
    match step {
        _ if step < 0.1 => format!("{secs:.2} s"),
        _ if step < 1.0 => format::clock(secs),
        _ => format::minutes(secs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_never_less_than_asked_for() {
        for secs in [0.001, 0.03, 0.7, 4.0, 61.0, 5000.0, 90_000.0] {
            let step = at_least(secs);
            assert!(step >= secs && step < secs * 12.0 + 0.02, "{secs}: {step}");
            let small = dividing(step, secs / 7.0);
            assert!(small >= secs / 7.0 && ((step / small).round() - step / small).abs() < 1e-6);
        }
        assert_eq!(label(75.0, 15.0), "1:15");
        assert_eq!(label(0.5, 0.5), "0:00.5");
        assert_eq!(label(0.02, 0.02), "0.02 s");
    }
}
