//! Judgements of an engine about the moves of a match, made after the event.

use grandstand_protocol::Micros;
use grandstand_protocol::turn::FORCED;

use crate::plots::Point;
use crate::reason::Reason;
use crate::sides::Side;

/// What an engine says of a move.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The command that made the move.
    pub seq: u64,
    /// The score before it with the best move, as who moved sees it.
    pub before: i32,
    /// The score after it, as who moved sees it.
    pub after: i32,
    /// The chances of a win that these scores stand for, from 0 to 1.
    pub chances: [f32; 2],
    /// `?` for a mistake, `??` for a blunder; empty for any other move.
    pub mark: &'static str,
    /// The moves of the engine's line in its place, beginning with the better move; none where the move is as good.
    pub better: Vec<String>,
    /// Why the move was bad, as a sentence without its full stop.
    pub why: String,
}

impl Judgement {
    /// Whether the move was bad.
    pub fn is_mistake(&self) -> bool {
        !self.mark.is_empty()
    }

    /// `black had a win by fours from h8; better: h8 i8 h11; black’s chance 72 % → 31 %`: of a move of `side`.
    pub fn words(&self, side: &Side) -> String {
        let why = self.without_better(&self.why);
        let why = if why.is_empty() { String::new() } else { format!("{why}; ") };
        format!("{why}{}", self.correction(side).whole())
    }

    /// A text about the move without its last part where that names the better move: the correction begins with it.
    pub fn without_better<'a>(&self, text: &'a str) -> &'a str {
        let text = text.trim_end_matches('.');
        let at = [": ", "; "].into_iter().filter_map(|apart| text.rfind(apart)).max();
        let (rest, last) = at.map_or(("", text), |at| (&text[..at], &text[at + 2..]));
        let named = last.strip_prefix("better was ").or_else(|| last.strip_suffix(" was better"));
        let is_named = named.is_some_and(|named| self.better.first().is_some_and(|better| better == named));
        if is_named { rest } else { text }
    }

    /// The engine's line in words: moves of several words are apart by commas.
    fn line(&self) -> String {
        let separator = if self.better.iter().any(|made| made.contains(' ')) { ", " } else { " " };
        self.better.join(separator)
    }

    /// The chances in whole percent.
    pub(crate) fn percent(&self) -> [f32; 2] {
        self.chances.map(|chance| (chance * 100.0).round())
    }

    /// The engine's line, and the chances of `side`, which moved, before and after: `better: h8 i8 h11; black’s chance 72 % → 31 %`; in
    /// less room `72 % → 31 %; better: h8`.
    pub fn correction(&self, side: &Side) -> Reason {
        let [before, after] = self.percent();
        let change = format!("{before} % → {after} %");
        let chances = format!("{}’s chance {change}", side.word());
        let Some(first) = self.better.first() else { return Reason(vec![chances, change]) };
        let better = format!("better: {first}");
        Reason(vec![
            format!("better: {}; {chances}", self.line()),
            format!("{chances}; {better}"),
            format!("{change}; {better}"),
            better,
        ])
    }
}

/// Judgements in the order of the commands.
#[derive(Debug, Default)]
pub struct Judgements {
    list: Vec<(Judgement, usize, Micros)>,
}

impl Judgements {
    /// The judgement of the move that a command made.
    pub fn of(&self, seq: u64) -> Option<&Judgement> {
        let at = self.list.binary_search_by_key(&seq, |(judgement, ..)| judgement.seq).ok()?;
        self.list.get(at).map(|(judgement, ..)| judgement)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The sides of the judged moves, and the scores after them from the first side's point of view, in the order of the commands.
    pub(crate) fn evaluations(&self) -> impl Iterator<Item = (usize, Point)> {
        self.list.iter().map(|(judged, side, t)| {
            let after = judged.after.clamp(-FORCED, FORCED);
            (*side, Point { seq: judged.seq, t: *t, value: if *side == 0 { after } else { -after } })
        })
    }

    /// The chance of the first side when command `seq` was the last one; `None` before the first judged move.
    pub fn chance_at(&self, seq: u64) -> Option<f32> {
        let at = self.list.partition_point(|(judgement, ..)| judgement.seq <= seq);
        let (judgement, side, _) = self.list.get(at.checked_sub(1)?)?;
        let [_, after] = judgement.chances;
        Some(if *side == 0 { after } else { 1.0 - after })
    }

    /// The side whose win was forced at the end, and the move after which it was: the other side never again had a chance.
    pub(crate) fn forced(&self) -> Option<(usize, &Judgement, Micros)> {
        let sure = |(judged, side, _): &(Judgement, usize, Micros)| match judged.chances[1] {
            1.0 => Some(*side),
            0.0 => Some(1 - *side),
            _ => None,
        };
        let winner = sure(self.list.last()?)?;
        let open = self.list.iter().rposition(|one| sure(one) != Some(winner));
        let (judged, _, t) = self.list.get(open.map_or(0, |at| at + 1))?;
        Some((winner, judged, *t))
    }

    /// Takes one in, in place of an earlier one of the same move; whether its mark is new or another one.
    pub(crate) fn put(&mut self, judgement: Judgement, side: usize, t: Micros) -> bool {
        let at = self.list.partition_point(|(known, ..)| known.seq < judgement.seq);
        match self.list.get_mut(at).filter(|(known, ..)| known.seq == judgement.seq) {
            Some((known, ..)) => {
                let before = std::mem::replace(known, judgement);
                before.mark != known.mark
            }
            None => {
                let is_marked = judgement.is_mistake();
                self.list.insert(at, (judgement, side, t));
                is_marked
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Command, Game};
    use grandstand_replays::Log;

    use super::*;
    use crate::EventIndex;
    use crate::markers::{Origin, kind};

    fn judged(seq: u64, chances: [f32; 2], mark: &'static str) -> Judgement {
        let (better, why) = (vec!["h9".to_owned()], "white can win".to_owned());
        Judgement { seq, before: 0, after: 0, chances, mark, better, why }
    }

    #[test]
    fn bad_moves_become_moments_once_and_others_are_known_alone() {
        let mut log = Log::live(Game::Gomoku);
        for (seq, line) in (1..).zip(["board 15", "move black h8", "move white i9", "move black a1"]) {
            let _ = log.insert(seq, Micros(seq * 1_000_000), &Command::parse(Game::Gomoku, line.as_bytes()));
        }
        let mut index = EventIndex::new(Game::Gomoku);
        while index.update(&log, f64::INFINITY, || true) {}
        let all = || vec![judged(4, [0.6, 0.1], "??"), judged(3, [0.5, 0.5], ""), judged(1, [0.5, 0.1], "?")];
        index.judge(all());
        index.judge(all());
        let findings = index.findings();
        let moments: Vec<_> = findings.markers.list().iter().filter(|m| m.origin == Origin::Engine).collect();
        assert_eq!(moments.len(), 1, "the board is no move, and a good move is no moment");
        assert_eq!((moments[0].seq, moments[0].major, &*moments[0].what), (4, true, "a1 ?? by"));
        assert_eq!(findings.markers.kind(moments[0]), kind::MISTAKE);
        assert!(findings.judgements.of(3).is_some() && findings.judgements.of(1).is_none());
        let chances = [2, 3, 4, 9].map(|seq| findings.judgements.chance_at(seq));
        assert_eq!(chances, [None, Some(0.5), Some(0.1), Some(0.1)]);
        let sides = crate::sides(&log.scene_at(4), &[]);
        let words = findings.judgements.of(4).map(|judged| judged.words(&sides[0]));
        assert_eq!(words.as_deref(), Some("white can win; better: h9; black’s chance 60 % → 10 %"));
    }

    #[test]
    fn a_move_that_is_judged_anew_has_one_judgement_and_one_moment() {
        let mut log = Log::live(Game::Gomoku);
        for (seq, line) in (1..).zip(["board 15", "move black h8", "move white i9"]) {
            let _ = log.insert(seq, Micros(seq * 1_000_000), &Command::parse(Game::Gomoku, line.as_bytes()));
        }
        let mut index = EventIndex::new(Game::Gomoku);
        while index.update(&log, f64::INFINITY, || true) {}
        let marks = |index: &EventIndex| {
            let markers =
                index.findings().markers.list().iter().filter(|marker| marker.origin == Origin::Engine);
            let markers = markers.map(|marker| (marker.seq, marker.major, marker.what.to_string()));
            (markers.collect::<Vec<_>>(), index.findings().judgements.of(3).map(|judged| judged.chances))
        };
        let bad = (3, true, "i9 ?? by".to_owned());
        for (chances, mark, told) in [
            ([0.6, 0.5], "", vec![]),
            ([0.6, 0.2], "??", vec![bad]),
            ([0.6, 0.45], "?", vec![(3, false, "i9 ? by".to_owned())]),
            ([0.2, 0.2], "", vec![]),
        ] {
            index.judge(vec![judged(3, chances, mark)]);
            assert_eq!(marks(&index), (told, Some(chances)));
        }
    }

    #[test]
    fn a_review_tells_where_the_win_was_forced_in_place_of_what_the_players_saw() {
        let mut log = Log::live(Game::Gomoku);
        let thought = format!("thought black {} 9 900 h9", FORCED - 3);
        let lines =
            ["board 15", "move black h8", "move white a1", &thought, "move black h9", "move white a2"];
        for (seq, line) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(seq * 1_000_000), &Command::parse(Game::Gomoku, line.as_bytes()));
        }
        let mut index = EventIndex::new(Game::Gomoku);
        while index.update(&log, f64::INFINITY, || true) {}
        let forced = |index: &EventIndex| {
            let markers = &index.findings().markers;
            let forced = markers.list().iter().filter(|marker| markers.kind(marker) == kind::FORCED);
            forced.map(|marker| (marker.seq, marker.side, marker.what.to_string())).collect::<Vec<_>>()
        };
        assert_eq!(forced(&index), [(5, Some(0), "Win in 2 seen by".to_owned())]);
        let chances = [(2, [0.5, 0.5]), (3, [0.5, 0.0]), (5, [1.0, 1.0]), (6, [0.0, 0.0])];
        index.judge(chances.map(|(seq, chances)| judged(seq, chances, "")).into());
        index.take_judged_evaluations();
        assert_eq!(forced(&index), [(3, Some(0), "Win forced for".to_owned())]);
    }

    #[test]
    fn in_less_room_a_correction_keeps_the_chances_and_the_better_move() {
        let better = ["k7", "h8", "c9"].map(str::to_owned).into();
        let judged = Judgement { better, ..judged(1, [0.5, 0.2], "?") };
        let sides = crate::sides(&grandstand_protocol::Scene::new(Game::Gomoku), &[]);
        let correction = judged.correction(&sides[0]);
        let within = |length: usize| correction.fitting(|text| text.chars().count() <= length);
        assert_eq!(within(99), Some("better: k7 h8 c9; black’s chance 50 % → 20 %"));
        assert_eq!(within(40), Some("black’s chance 50 % → 20 %; better: k7"));
        assert_eq!((within(30), within(12)), (Some("50 % → 20 %; better: k7"), Some("better: k7")));
    }

    #[test]
    fn the_better_move_is_named_once() {
        let judged =
            Judgement { better: ["k7", "h8", "c9"].map(str::to_owned).into(), ..judged(1, [0.5, 0.2], "?") };
        for (text, left) in [
            (
                "Move 13 a1 lost: black had a win from h8: h8 i8; better was k7.",
                "Move 13 a1 lost: black had a win from h8: h8 i8",
            ),
            ("Move 13 a1 lost: k7 was better.", "Move 13 a1 lost"),
            ("white stands better after i9; k7 was better", "white stands better after i9"),
            ("k7 was better", ""),
            // Another move, and no word of a better one.
            ("white stands better after i9; k was better", "white stands better after i9; k was better"),
            ("white can win", "white can win"),
        ] {
            assert_eq!(judged.without_better(text), left, "{text}");
        }
        let better = ["Peru Brazil 3", "Chad Mali 1"].map(str::to_owned).into();
        let of_names = Judgement { better, ..judged };
        assert_eq!(
            of_names.without_better("Move 2 pass lost: Peru Brazil 3 was better."),
            "Move 2 pass lost"
        );
    }
}
