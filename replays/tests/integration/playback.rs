//! The playback clock: whatever the viewer does, the picture is that of playing from the start to the same place.

use std::time::Duration;

use grandstand_protocol::{Command, Game, Micros, Scene};
use grandstand_replays::{Cursor, Inserted, Limits, Log, Playback, Replay, Speed, State};
use proptest::prelude::*;

const SECOND: u64 = 1_000_000;

fn command(line: &str) -> Command {
    Command::parse(Game::Abalone, line.as_bytes())
}

fn add(log: &mut Log, t: u64, line: &str) {
    assert_eq!(log.insert(log.last_seq() + 1, Micros(t), &command(line)), Inserted::Added);
}

/// Turns at these times.
fn live(times: &[u64]) -> Log {
    let mut log = Log::live(Game::Abalone);
    for (turn, &t) in times.iter().enumerate() {
        add(&mut log, t, &format!("turns {}", turn + 1));
    }
    log
}

fn recorded(times: &[u64]) -> Log {
    let mut log = live(times);
    log.close(None);
    log
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn it_plays_at_its_speed_and_pauses_at_the_end() {
    let log = recorded(&[0, SECOND, 2 * SECOND]);
    let mut playback = Playback::new(&log);
    assert_eq!((playback.state(), playback.seq(), playback.time()), (State::Paused, 0, Micros(0)));
    assert!(!playback.advance(&log, millis(5000)), "it is paused");
    playback.play(&log);
    assert!(playback.advance(&log, Duration::ZERO), "what comes at time 0 is shown at once");
    assert_eq!(playback.seq(), 1);
    assert!(!playback.advance(&log, millis(999)));
    assert!(playback.advance(&log, millis(1)));
    assert_eq!((playback.seq(), playback.time()), (2, Micros(SECOND)));
    playback.set_speed(Speed::Quarter);
    assert!(!playback.advance(&log, millis(3999)));
    assert!(playback.advance(&log, millis(1)));
    assert_eq!((playback.state(), playback.seq(), playback.at_end(&log)), (State::Paused, 3, true));
    playback.play(&log);
    assert_eq!((playback.state(), playback.seq()), (State::Playing, 0), "from the start again");
}

#[test]
fn short_frames_lose_no_time() {
    let log = recorded(&[0, 3 * SECOND]);
    for speed in Speed::ALL {
        let mut playback = Playback::new(&log);
        playback.set_speed(speed);
        playback.play(&log);
        for _ in 0..1_000_000 / speed.quarters() {
            playback.advance(&log, Duration::from_nanos(999));
        }
        let expected = 999 * u64::from(1_000_000 / speed.quarters()) * u64::from(speed.quarters()) / 4000;
        assert_eq!(playback.time(), Micros(expected), "{speed}");
    }
}

#[test]
fn speeds_have_names_and_neighbours() {
    let names: Vec<String> = Speed::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["¼×", "½×", "1×", "2×", "4×", "8×", "16×", "32×", "64×"]);
    assert_eq!(Speed::ALL.map(Speed::factor), [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
    assert_eq!((Speed::X64.faster(), Speed::Quarter.slower()), (Speed::X64, Speed::Quarter));
    assert_eq!((Speed::X1.faster(), Speed::X1.slower()), (Speed::X2, Speed::Half));
}

#[test]
fn idle_time_is_played_up_to_its_maximum() {
    let log = recorded(&[0, 60 * SECOND, 61 * SECOND, 200 * SECOND]);
    let mut playback = Playback::new(&log);
    playback.set_idle_max(Some(Micros(2 * SECOND)));
    playback.play(&log);
    let mut shown = Vec::new();
    for tenth in 0..60 {
        if playback.advance(&log, if tenth == 0 { Duration::ZERO } else { millis(100) }) {
            shown.push((tenth, playback.seq()));
        }
    }
    assert_eq!(shown, [(0, 1), (20, 2), (30, 3), (50, 4)]);
    // One long wait is the same as many short ones.
    let mut other = Playback::new(&log);
    other.set_idle_max(Some(Micros(2 * SECOND)));
    other.play(&log);
    other.advance(&log, millis(2_500));
    assert_eq!((other.seq(), other.time()), (2, Micros(60 * SECOND + 500_000)));
    // From the middle of a long pause it goes on at once.
    other.seek_time(&log, Micros(100 * SECOND));
    other.advance(&log, Duration::ZERO);
    assert_eq!(other.seq(), 4);
}

#[test]
fn commands_and_turns_are_stepped() {
    let mut log = Log::live(Game::Abalone);
    for (t, line) in
        [(0, "set A0 b0"), (5, "turns 1"), (5, "set A0 e"), (9, "set A0 w1"), (9, "turns 2"), (11, "jump")]
    {
        add(&mut log, t, line);
    }
    log.close(None);
    let mut playback = Playback::new(&log);
    playback.play(&log);
    assert!(playback.step(&log));
    assert_eq!((playback.state(), playback.seq()), (State::Paused, 1));
    assert!(playback.step(&log));
    assert_eq!((playback.seq(), playback.time()), (2, Micros(5)), "one of two commands of the same time");
    let turns: Vec<u64> = (0..4).map(|_| (playback.step_turn(&log), playback.seq()).1).collect();
    assert_eq!(turns, [5, 6, 6, 6]);
    let back: Vec<u64> = (0..4).map(|_| (playback.step_turn_back(&log), playback.seq()).1).collect();
    assert_eq!(back, [5, 3, 1, 1], "back to the set-up");
    assert!(playback.step_back(&log) && !playback.step_back(&log));
    playback.seek_seq(&log, 99);
    assert_eq!((playback.seq(), playback.step(&log)), (6, false));
    playback.seek_seq(&log, 2);
    playback.play(&log);
    playback.advance(&log, Duration::ZERO);
    assert_eq!(playback.seq(), 3, "what else came at that time");
}

#[test]
fn a_live_match_is_followed_paused_rewound_and_followed_again() {
    let mut log = live(&[0, SECOND]);
    let mut playback = Playback::new(&log);
    assert_eq!((playback.state(), playback.seq(), playback.at_end(&log)), (State::Following, 2, true));
    add(&mut log, 2 * SECOND, "turns 3");
    assert!(playback.advance(&log, Duration::ZERO), "what comes is shown at once");
    playback.pause();
    add(&mut log, 4 * SECOND, "turns 4");
    assert!(!playback.advance(&log, millis(100)));
    assert_eq!(playback.behind(&log), (1, Micros(2 * SECOND)));
    playback.seek_time(&log, Micros(SECOND / 2));
    assert_eq!((playback.state(), playback.seq(), playback.behind(&log).0), (State::Paused, 1, 3));
    playback.play(&log);
    playback.set_speed(Speed::X4);
    playback.advance(&log, millis(500));
    assert_eq!((playback.state(), playback.seq()), (State::Playing, 3));
    playback.advance(&log, millis(500));
    assert_eq!((playback.state(), playback.seq()), (State::Following, 4), "it has caught up");
    playback.seek_seq(&log, 1);
    assert_eq!(playback.state(), State::Playing);
    playback.step_back(&log);
    playback.go_live(&log);
    assert_eq!((playback.state(), playback.seq()), (State::Following, 4));
    log.close(None);
    add_nothing_more(&log, &mut playback);
}

fn add_nothing_more(log: &Log, playback: &mut Playback) {
    playback.advance(log, millis(100));
    assert_eq!((playback.state(), playback.seq()), (State::Paused, 4), "the end stays in view");
}

#[test]
fn a_file_that_is_still_being_read_is_waited_for() {
    let mut loader = grandstand_replays::Loader::new(Limits::default());
    loader.push(b"{\"grandstand\":1,\"game\":\"abalone\"}\n[1,\"c\",\"turns 1\"]\n").expect("a replay");
    let replay = loader.replay().expect("the header is there").clone();
    let mut playback = Playback::new(replay.log());
    playback.play(replay.log());
    playback.advance(replay.log(), millis(5000));
    assert_eq!((playback.state(), playback.seq(), playback.time()), (State::Playing, 1, Micros(SECOND)));
    loader.push(b"[1,\"c\",\"turns 2\"]\n[3,\"r\",{\"termination\":\"length\"}]\n").expect("a replay");
    let replay: Replay = loader.finish().expect("a replay");
    playback.advance(replay.log(), millis(1000));
    assert_eq!((playback.state(), playback.seq()), (State::Playing, 2));
    playback.advance(replay.log(), millis(3000));
    assert_eq!(
        (playback.state(), playback.time()),
        (State::Paused, Micros(5 * SECOND)),
        "the end of the match"
    );
}

#[test]
fn where_commands_are_missing_it_goes_on_after_them() {
    let mut log = live(&[SECOND]);
    log.rebase(5, Micros(10 * SECOND), Scene::new(Game::Abalone));
    add(&mut log, 11 * SECOND, "turns 6");
    let mut playback = Playback::new(&log);
    playback.seek_seq(&log, 4);
    assert_eq!(playback.seq(), 1, "the last that is known");
    assert!(playback.step(&log));
    assert_eq!((playback.seq(), playback.time()), (5, Micros(10 * SECOND)));
    assert!(playback.step_back(&log));
    assert_eq!(playback.seq(), 1);
    playback.set_idle_max(Some(Micros(SECOND)));
    playback.play(&log);
    playback.advance(&log, millis(1000));
    assert_eq!(playback.seq(), 5);
    playback.advance(&log, millis(1000));
    assert_eq!((playback.seq(), playback.state()), (6, State::Following));
}

#[derive(Debug, Clone)]
enum Action {
    Advance(u64),
    Toggle,
    Faster,
    Slower,
    Idle(Option<u64>),
    SeekTime(u64),
    SeekSeq(u64),
    Step,
    StepBack,
    StepTurn,
    StepTurnBack,
    Live,
    More(u64),
}

#[test]
fn where_commands_are_missing_and_fetched_it_waits_for_them() {
    let mut log = live(&[0, SECOND]);
    log.rebase(5, Micros(10 * SECOND), Scene::new(Game::Abalone));
    log.set_fetched(true);
    let mut playback = Playback::new(&log);
    playback.seek_seq(&log, 0);
    playback.advance(&log, millis(4000));
    assert_eq!((playback.state(), playback.seq(), playback.time()), (State::Playing, 2, Micros(SECOND)));
    playback.set_idle_max(Some(Micros(1000)));
    playback.advance(&log, millis(4000));
    assert_eq!((playback.state(), playback.seq(), playback.time()), (State::Playing, 2, Micros(SECOND)));
    playback.set_idle_max(None);
    for seq in 3..=5 {
        assert_eq!(log.insert(seq, Micros(2 * SECOND * (seq - 2)), &command("turns 9")), Inserted::Added);
    }
    playback.advance(&log, millis(1000));
    assert_eq!((playback.seq(), playback.time()), (3, Micros(2 * SECOND)));
    // What can't be had is passed over.
    log.trim(0, &[]);
    playback.seek_seq(&log, 0);
    log.set_fetched(false);
    playback.advance(&log, Duration::from_secs(60));
    assert_eq!((playback.state(), playback.seq()), (State::Following, 5));
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        5 => (0..4 * SECOND).prop_map(Action::Advance),
        2 => Just(Action::Toggle),
        1 => Just(Action::Faster),
        1 => Just(Action::Slower),
        1 => prop::option::of(0..SECOND).prop_map(Action::Idle),
        1 => (0..60 * SECOND).prop_map(Action::SeekTime),
        1 => (0..200_u64).prop_map(Action::SeekSeq),
        1 => Just(Action::Step),
        1 => Just(Action::StepBack),
        1 => Just(Action::StepTurn),
        1 => Just(Action::StepTurnBack),
        1 => Just(Action::Live),
        2 => (0..SECOND).prop_map(Action::More),
    ]
}

/// Another command, and the scene after it.
fn grow(log: &mut Log, scenes: &mut Vec<Scene>, interval: u64) {
    let (t, seq) = (log.duration().0 + interval, log.last_seq() + 1);
    let line = if seq.is_multiple_of(7) { format!("turns {seq}") } else { format!("bscore {seq}") };
    add(log, t, &line);
    let mut scene = scenes[scenes.len() - 1].clone();
    scene.apply(seq, Micros(t), &command(&line));
    scenes.push(scene);
}

proptest! {
    #[test]
    fn any_picture_is_that_of_playing_from_the_start(
        intervals in prop::collection::vec(prop_oneof![Just(0), 0..SECOND], 0..150),
        live in any::<bool>(),
        actions in prop::collection::vec(action(), 0..80),
    ) {
        let mut log = Log::live(Game::Abalone);
        let mut scenes = vec![Scene::new(Game::Abalone)];
        for interval in intervals {
            grow(&mut log, &mut scenes, interval);
        }
        if !live {
            log.close(None);
        }
        let mut playback = Playback::new(&log);
        let mut cursor = Cursor::new(&log);
        for action in actions {
            let (before, playing) = (playback.clone(), playback.state() != State::Paused);
            match action {
                Action::Advance(micros) => {
                    let changed = playback.advance(&log, Duration::from_micros(micros));
                    prop_assert_eq!(changed, before.seq() != playback.seq());
                    prop_assert!(playback.seq() >= before.seq() && playback.time() >= before.time());
                    prop_assert!(playing || !changed);
                    if before.state() == State::Playing && before.idle_max().is_none() {
                        let most = micros * u64::from(before.speed().quarters()) / 4 + 1;
                        let caught_up = playback.at_end(&log);
                        prop_assert!(caught_up || playback.time().since(before.time()).0 <= most);
                    }
                    if playback.state() == State::Playing {
                        prop_assert_eq!(playback.seq(), log.seq_at(playback.time()));
                    }
                }
                Action::Toggle => playback.toggle(&log),
                Action::Faster => playback.set_speed(playback.speed().faster()),
                Action::Slower => playback.set_speed(playback.speed().slower()),
                Action::Idle(most) => playback.set_idle_max(most.map(Micros)),
                Action::SeekTime(t) => {
                    playback.seek_time(&log, Micros(t));
                    prop_assert_eq!(playback.seq(), log.seq_at(Micros(t)));
                }
                Action::SeekSeq(seq) => {
                    playback.seek_seq(&log, seq);
                    prop_assert_eq!(playback.seq(), seq.min(log.last_seq()));
                }
                Action::Step => {
                    let moved = playback.step(&log);
                    prop_assert_eq!(playback.seq(), before.seq() + u64::from(moved));
                }
                Action::StepBack => {
                    let moved = playback.step_back(&log);
                    prop_assert_eq!(playback.seq() + u64::from(moved), before.seq());
                }
                Action::StepTurn => {
                    prop_assert_eq!(playback.step_turn(&log), playback.seq() > before.seq());
                }
                Action::StepTurnBack => {
                    prop_assert_eq!(playback.step_turn_back(&log), playback.seq() < before.seq());
                }
                Action::Live => {
                    playback.go_live(&log);
                    prop_assert_eq!((playback.state() == State::Following, playback.seq()), (live, log.last_seq()));
                }
                Action::More(interval) if live => grow(&mut log, &mut scenes, interval),
                Action::More(_) => {}
            }
            cursor.move_to(&log, playback.seq());
            prop_assert_eq!(cursor.scene(), &scenes[playback.seq() as usize]);
            prop_assert!(playback.time() <= log.end_time());
        }
    }
}

#[test]
fn the_start_is_the_set_up_before_the_first_move() {
    let opening = |game: Game, lines: &[(u64, &str)]| {
        let mut log = Log::live(game);
        for (t, line) in lines {
            let command = Command::parse(game, line.as_bytes());
            assert_eq!(log.insert(log.last_seq() + 1, Micros(*t), &command), Inserted::Added);
        }
        let mut playback = Playback::new(&log);
        playback.seek_start(&log);
        assert_eq!((playback.seq(), playback.time()), (log.opening(), log.time_of(log.opening())));
        playback.seq()
    };
    assert_eq!(opening(Game::Abalone, &[]), 0);
    assert_eq!(opening(Game::Abalone, &[(0, "turns 1"), (0, "set A0 b0"), (5, "set A1 b0")]), 2);
    // What comes at once is not all set-up.
    let turn = [(0, "turns 1"), (0, "set A0 b0"), (0, "bsay hello"), (0, "turns 2"), (0, "set A0 e")];
    assert_eq!(opening(Game::Abalone, &turn), 2);
    // A move at once is none of it, and what comes later is not there at the start.
    assert_eq!(opening(Game::Gomoku, &[(7, "board 15"), (7, "turn black"), (7, "move black e6")]), 2);
    assert_eq!(opening(Game::Gomoku, &[(SECOND, "board 15"), (SECOND, "turn black")]), 0);
}
