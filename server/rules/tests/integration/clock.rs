//! The clocks of turn games, as in the handout: each side's clock runs in its own turns, and a side whose time has
//! run out at the end of its move has lost.

use std::time::Duration;

use grandstand_rules::SplitMix64;
use grandstand_rules::clock::{Clock, TimeControl, TimeControlError};
use grandstand_rules::turn::Side::{First, Second};

fn clock(control: &str) -> Clock {
    Clock::new(control.parse().unwrap()).unwrap()
}

fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

#[test]
fn a_clock_runs_in_the_turns_of_its_side_only() {
    let mut clock = clock("60s");
    clock.start(First, secs(100));
    assert_eq!((clock.running(), clock.deadline()), (Some(First), Some(secs(160))));
    assert_eq!(clock.millis(First, secs(110)), Some(50_000));
    assert_eq!(clock.millis(Second, secs(110)), Some(60_000));
    assert_eq!(clock.stop(secs(115)), Ok(secs(15)));
    // No clock runs between the turns.
    assert_eq!((clock.running(), clock.deadline()), (None, None));
    clock.start(Second, secs(200));
    assert_eq!(clock.stop(secs(259)), Ok(secs(59)));
    assert_eq!(
        (clock.millis(First, secs(300)), clock.millis(Second, secs(300))),
        (Some(45_000), Some(1_000))
    );
}

#[test]
fn whose_time_has_run_out_at_the_end_of_its_move_has_lost() {
    let mut late = clock("10s");
    late.start(First, secs(0));
    let out = late.stop(secs(11)).unwrap_err();
    assert_eq!((out.side, out.took, out.allowed, out.per_move), (First, secs(11), secs(10), false));
    assert_eq!(out.to_string(), "took 11.000 s of the 10.000 s which were left");
    assert_eq!(late.millis(First, secs(20)), Some(-1_000));

    let (mut exact, mut in_time) = (clock("10s"), clock("10s"));
    exact.start(First, secs(0));
    in_time.start(First, secs(0));
    assert!(exact.stop(secs(10)).is_err(), "nothing is left");
    assert!(in_time.stop(Duration::from_micros(9_999_999)).is_ok());
    assert_eq!(in_time.millis(First, secs(20)), Some(0));
}

#[test]
fn an_increment_comes_after_each_move_made_in_time() {
    let mut clock = clock("10s+5s");
    clock.start(Second, secs(0));
    assert_eq!(clock.stop(secs(9)), Ok(secs(9)));
    assert_eq!(clock.millis(Second, secs(9)), Some(6_000));
    clock.start(Second, secs(20));
    // The increment of a move doesn't help that move.
    assert!(clock.stop(secs(26)).is_err());
    assert_eq!(clock.millis(Second, secs(26)), Some(0));
}

#[test]
fn a_move_may_have_a_limit_of_its_own() {
    let mut both = clock("60s/10s");
    both.start(First, secs(0));
    assert_eq!(both.deadline(), Some(secs(10)));
    assert_eq!(both.millis(First, secs(4)), Some(56_000), "it shows the game's time");
    let out = both.stop(secs(12)).unwrap_err();
    assert_eq!(out.to_string(), "took 12.000 s of the 10.000 s which a move may take");
    assert!(out.per_move);

    let mut alone = clock("/10s");
    for start in [0, 100, 200] {
        alone.start(First, secs(start));
        assert_eq!(alone.millis(First, secs(start + 4)), Some(6_000));
        assert_eq!(alone.stop(secs(start + 9)), Ok(secs(9)));
        assert_eq!(alone.millis(First, secs(start + 9)), Some(10_000));
    }
}

#[test]
fn without_a_limit_nobody_is_late() {
    let mut clock = clock("none");
    clock.start(First, secs(0));
    assert_eq!((clock.deadline(), clock.millis(First, secs(9))), (None, None));
    assert_eq!(clock.stop(Duration::MAX), Ok(Duration::MAX));
}

#[test]
fn clocks_go_with_their_players_when_colours_are_swapped() {
    let mut clock = clock("60s");
    clock.start(First, secs(0));
    clock.stop(secs(20)).unwrap();
    clock.swap();
    assert_eq!((clock.millis(First, secs(20)), clock.millis(Second, secs(20))), (Some(60_000), Some(40_000)));
    clock.start(Second, secs(20));
    clock.swap();
    assert_eq!((clock.running(), clock.millis(First, secs(30))), (Some(First), Some(30_000)));
}

#[test]
fn a_time_that_goes_back_takes_nothing() {
    let mut clock = clock("10s");
    assert_eq!(clock.stop(secs(3)), Ok(Duration::ZERO), "none runs");
    clock.start(First, secs(100));
    assert_eq!(clock.stop(secs(1)), Ok(Duration::ZERO));
    assert_eq!(clock.millis(First, secs(1)), Some(10_000));
}

#[test]
fn time_controls_as_text() {
    let control = |time_millis, increment_millis, move_millis| TimeControl {
        time_millis,
        increment_millis,
        move_millis,
    };
    for (text, expected, canonical) in [
        ("5m", control(Some(300_000), 0, None), "5m"),
        ("300", control(Some(300_000), 0, None), "5m"),
        ("1h", control(Some(3_600_000), 0, None), "1h"),
        ("90s+2", control(Some(90_000), 2_000, None), "90s+2s"),
        ("10m+0.5s/30s", control(Some(600_000), 500, Some(30_000)), "10m+500ms/30s"),
        ("/1", control(None, 0, Some(1_000)), "/1s"),
        (" none ", TimeControl::NONE, "none"),
    ] {
        let read: TimeControl = text.parse().unwrap();
        assert_eq!(read, expected, "{text}");
        assert_eq!(read.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(expected));
    }
    assert_eq!(TimeControl::default().to_string(), "5m");
    assert_eq!(serde_json::to_string(&TimeControl::default()).unwrap(), "\"5m\"");
    assert!(serde_json::from_str::<TimeControl>("\"0\"").is_err());
    for bad in [
        "",
        "/",
        "+",
        "+3s",
        "5m+",
        "5m/",
        "5 m",
        "-5",
        "5d",
        "1.2345",
        "1e3",
        "5m+3s+3s",
        "99999999999999999999h",
        "five",
    ] {
        let error = bad.parse::<TimeControl>().unwrap_err();
        assert!(matches!(error, TimeControlError::Unreadable(_)), "{bad}: {error}");
        assert!(error.to_string().contains(bad));
    }
}

#[test]
fn clocks_that_nobody_can_play_by_are_refused() {
    for (text, message) in [
        ("0", "the time of a side is zero; expected at least 1 ms, or `none` for no limit"),
        ("0s+3s", "the time of a side is zero; expected at least 1 ms, or `none` for no limit"),
        ("5m/0ms", "the time for a move is zero; expected at least 1 ms, or `none` for no limit"),
        ("5m/577h", "the time for a move is 2077200000 ms; expected at most 24 days (2073600000 ms)"),
    ] {
        let error = text.parse::<TimeControl>().err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(message), "{text}");
    }
    let endless = TimeControl { increment_millis: 1, ..TimeControl::NONE };
    assert_eq!(Clock::new(endless), Err(TimeControlError::IncrementOfNothing));
    let long = TimeControl { time_millis: Some(u64::MAX), ..TimeControl::NONE };
    assert!(matches!(Clock::new(long), Err(TimeControlError::TooLong { .. })));
}

/// The time left on both clocks plus the time taken always equals the time given.
#[test]
fn no_time_is_lost_or_found() {
    let mut random = SplitMix64::new(5);
    for _ in 0..200 {
        let mut clock = clock("100s+1s");
        let (mut now, mut taken, mut moves) = (Duration::ZERO, Duration::ZERO, 0);
        for ply in 0..40 {
            let side = if ply % 2 == 0 { First } else { Second };
            now += Duration::from_millis(random.below(5_000));
            clock.start(side, now);
            now += Duration::from_millis(random.below(5_000));
            match clock.stop(now) {
                Ok(time) => (taken, moves) = (taken + time, moves + 1),
                Err(out) => {
                    taken += out.took;
                    break;
                }
            }
        }
        let shown: i64 = [First, Second].into_iter().filter_map(|side| clock.millis(side, now)).sum();
        assert_eq!(shown + taken.as_millis() as i64, 200_000 + moves * 1_000);
    }
}
