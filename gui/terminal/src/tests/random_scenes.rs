//! Tests that nothing panics, whatever commands drew a scene, whatever the size of the terminal, and whatever keys are pressed.

use std::sync::OnceLock;

use grandstand_replays::Growth;
use proptest::prelude::*;

use super::*;
use crate::app::App;
use crate::input::{Action, BINDINGS};

/// Lines of every game, for mixing.
fn known_lines() -> &'static Vec<(Game, Vec<String>)> {
    static LINES: OnceLock<Vec<(Game, Vec<String>)>> = OnceLock::new();
    LINES.get_or_init(|| {
        let replays = SAMPLES.iter().map(|(_, file)| sample(file)).chain([grid()]);
        let text = |replay: Replay| {
            let log = replay.into_log();
            let step = (log.last_seq() / 400).max(1);
            // The whole beginning, where boards are set up, and a sample of the rest.
            let seqs = (1..=log.last_seq()).filter(|seq| *seq < 200 || seq % step == 0);
            let lines = seqs.filter_map(|seq| Some(String::from_utf8_lossy(log.line(seq)?).into_owned()));
            (log.game(), lines.collect())
        };
        replays.map(text).collect()
    })
}

/// The line with one of its digits changed.
fn changed(line: &str, at: usize, digit: u8) -> String {
    let digits: Vec<usize> =
        line.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let mut line = line.to_owned();
    if let Some(at) = digits.get(at % digits.len().max(1)) {
        line.replace_range(*at..=*at, &(digit % 10).to_string());
    }
    line
}

fn any_look() -> impl Strategy<Value = Look> {
    let depths = prop::sample::select(vec![Depth::Mono, Depth::Sixteen, Depth::Palette, Depth::True]);
    (any::<bool>(), depths).prop_map(|(unicode, depth)| Look { unicode, depth })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn any_scene_is_painted_at_any_size(
        game in 0_usize..7,
        picks in prop::collection::vec((any::<u16>(), any::<usize>(), any::<u8>(), any::<bool>()), 0..120),
        whole_start: bool,
        sizes in prop::collection::vec((1_u16..200, 1_u16..70), 1..6),
        keys in prop::collection::vec((0..BINDINGS.len(), 0_u8..10), 0..12),
        look in any_look(),
    ) {
        let (game, known) = &known_lines()[game];
        let mut lines: Vec<String> = if whole_start { known.iter().take(200).cloned().collect() } else { Vec::new() };
        lines.extend(picks.iter().map(|(pick, at, digit, change)| {
            let line = &known[usize::from(*pick) % known.len()];
            if *change { changed(line, *at, *digit) } else { line.clone() }
        }));
        let mut session = live(*game, &lines);
        prop_assert_eq!(session.whole_log().growth(), Growth::Live);
        session.go_to_end();
        settle(&mut session);
        let mut app = App::showing(session, look, std::sync::Arc::new(|| {}));
        let mut keys = keys.iter();
        for (width, height) in sizes.into_iter().chain([(1, 1), (80, 24)]) {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
            terminal.draw(|frame| app.paint(frame.buffer_mut())).expect("drawn");
            for (key, tenths) in keys.by_ref().take(3) {
                let action = BINDINGS[*key].action;
                app.act(if matches!(action, Action::Tenths(_)) { Action::Tenths(*tenths) } else { action });
                app.update(1.5);
            }
        }
    }
}
