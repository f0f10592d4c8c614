//! History of one place: the last lines that touched it and the last change, searched backwards in the log in small
//! steps.

use std::collections::BTreeMap;
use std::time::Duration;

use grandstand_protocol::{Command, Game, Place};
use grandstand_replays::Log;
use grandstand_story::{Group, story};

use crate::budget::Budget;

/// Number of lines kept for a place.
pub(super) const LINES: usize = 5;
/// Lines searched between two looks at the clock; also the distance of the log's stored scenes.
const BLOCK: u64 = 1024;

/// Time at the start of a match in which it is set up, in seconds: its clock still shows 0:00.0.
const SET_UP: f64 = 0.05;

/// The history as of the shown moment.
#[derive(Debug)]
pub(super) struct PlaceHistory {
    pub place: Place,
    /// The last lines that did something at the place, the latest first.
    pub lines: Vec<u64>,
    /// What those lines did at the place, as far as it has been looked up.
    deeds: BTreeMap<u64, String>,
    /// The line of the last change; `None` if there was none since the place was set up.
    pub since: Option<u64>,
    /// The shown command.
    at: u64,
    /// Lines after this one, up to `at`, have been searched.
    from: u64,
    /// Start of the known part of the log.
    floor: u64,
}

impl PlaceHistory {
    pub(super) fn new(place: Place, log: &Log, at: u64) -> PlaceHistory {
        let floor = *log.stretch(at).start();
        PlaceHistory { place, lines: Vec::new(), deeds: BTreeMap::new(), since: None, at, from: at, floor }
    }

    /// Whether the search is complete.
    pub(super) fn is_whole(&self) -> bool {
        self.from <= self.floor || self.since.is_some() && self.lines.len() >= LINES
    }

    /// Whether it is complete, with what each line did.
    pub(super) fn is_told(&self) -> bool {
        self.is_whole() && self.lines.iter().all(|seq| self.deeds.contains_key(seq))
    }

    /// Whether the search ended at lines that are not in memory.
    pub(super) fn is_cut(&self) -> bool {
        self.floor > 0 && self.from <= self.floor
    }

    /// Continues the search for the shown command `at`; returns `true` while there is more.
    pub(super) fn update(&mut self, log: &Log, at: u64, budget: Duration) -> bool {
        if at > self.at && at - self.at <= BLOCK && *log.stretch(at).start() <= self.at {
            let found = self.touched(log, self.at, at);
            let last_change = found.iter().rev().find(|(_, changes)| *changes);
            self.since = last_change.map(|(seq, _)| *seq).or(self.since);
            let lines = found.iter().rev().map(|(seq, _)| *seq).chain(self.lines.iter().copied());
            self.lines = lines.take(LINES).collect();
            self.at = at;
        } else if at != self.at {
            *self = PlaceHistory::new(self.place, log, at);
        }
        let time = Budget::new(budget);
        while !self.is_whole() && time.is_left() {
            self.look_back(log);
        }
        !self.is_whole() || self.look_up_deeds(log, &time)
    }

    /// What a line did at the place; `None` while it is looked up.
    fn deed(&self, seq: u64) -> Option<&str> {
        self.deeds.get(&seq).map(String::as_str)
    }

    /// The last lines with what they did, the latest first: none of a place that is as it was set up.
    pub(super) fn told(&self) -> impl Iterator<Item = (u64, &str)> {
        let lines = self.lines.iter().filter(|_| self.since.is_some());
        lines.filter_map(|seq| Some((*seq, self.deed(*seq)?)))
    }

    /// Finds words for the lines that have none; returns `true` while there is more.
    fn look_up_deeds(&mut self, log: &Log, time: &Budget) -> bool {
        self.deeds.retain(|seq, _| self.lines.contains(seq));
        for seq in &self.lines {
            if self.deeds.contains_key(seq) {
                continue;
            }
            let Some(command) = log.command(*seq) else { continue };
            let before = log.scene_at(seq.saturating_sub(1));
            let mut after = before.clone();
            after.apply(*seq, log.time_of(*seq), &command);
            let commands = [(*seq, log.time_of(*seq), command)];
            let group = Group { after: &after, commands: &commands };
            // Lines without a deed are not kept.
            self.deeds.insert(*seq, story(&before).deed(&group, self.place).unwrap_or_default());
            if !time.is_left() {
                return true;
            }
        }
        false
    }

    fn look_back(&mut self, log: &Log) {
        let before = ((self.from - 1) / BLOCK * BLOCK).max(self.floor);
        for (seq, changes) in self.touched(log, before, self.from).into_iter().rev() {
            if self.lines.len() < LINES {
                self.lines.push(seq);
            }
            if changes && self.since.is_none() {
                self.since = Some(seq);
            }
        }
        self.from = before;
    }

    /// Lines after `from` up to `to` that did something at the place, each with whether it changed the contents after
    /// they were set up.
    fn touched(&self, log: &Log, from: u64, to: u64) -> Vec<(u64, bool)> {
        let game = log.game();
        let commands = || (from + 1..=to).filter_map(|seq| Some((seq, log.command(seq)?)));
        let names = |command: &Command| {
            command.is_of_whole_board() || command.places(game).any(|place| place == self.place)
        };
        // In games whose lines name all their places, a block without the place's name is skipped. Steam Fortress names
        // units.
        if game != Game::Fortress && !commands().any(|(_, command)| names(&command)) {
            return Vec::new();
        }
        let mut scene = log.scene_at(from);
        let mut found = Vec::new();
        for (seq, command) in commands() {
            let t = log.time_of(seq);
            let of_all = command.is_of_whole_board();
            if !of_all && !scene.places(&command).any(|place| place == self.place) {
                scene.apply(seq, t, &command);
                continue;
            }
            let was = story(&scene).contents(self.place);
            // Without a change it may be a deed.
            let before = story(&scene).is_event(&command).then(|| scene.clone());
            scene.apply(seq, t, &command);
            let changes = was != story(&scene).contents(self.place);
            let commands = [(seq, t, command)];
            let group = Group { after: &scene, commands: &commands };
            let tells = || before.is_some_and(|before| story(&before).deed(&group, self.place).is_some());
            if changes || tells() {
                let sets_up = was.is_none() || of_all && t.as_secs_f64() < SET_UP;
                found.push((seq, changes && !sets_up));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::Micros;

    fn log(game: Game, lines: &[&str]) -> Log {
        let mut log = Log::live(game);
        for (seq, line) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(seq), &Command::parse(game, line.as_bytes()));
        }
        log
    }

    fn place_history(log: &Log, name: &str, at: u64) -> PlaceHistory {
        let mut place_history = PlaceHistory::new(Place::parse(log.game(), name).expect("a place"), log, at);
        while place_history.update(log, at, Duration::from_secs(1)) {}
        place_history
    }

    #[test]
    fn the_line_that_made_a_place_is_known() {
        let log = log(
            Game::Abalone,
            &["set E0 b1", "turns 1", "set E0 w1", "set E1 b1", "set E0 w1", "set E0 w1", "set E0 e"],
        );
        let known = place_history(&log, "E0", 6);
        assert_eq!((&*known.lines, known.since), (&[3, 1][..], Some(3)), "no line that changed nothing");
        let empty = place_history(&log, "E0", 7);
        assert_eq!((&*empty.lines, empty.since), (&[7, 3, 1][..], Some(7)));
        let never = place_history(&log, "A0", 7);
        assert_eq!((&*never.lines, never.since), (&[][..], None));
        assert!(never.is_whole() && !never.is_cut());
    }

    #[test]
    fn each_line_is_told_in_words_of_the_game() {
        let told = |game, lines: &[&str], name| {
            let log = log(game, lines);
            let known = place_history(&log, name, lines.len() as u64);
            let deeds = known.lines.iter().map(|seq| known.deed(*seq).expect("words").to_owned());
            deeds.collect::<Vec<_>>()
        };
        assert_eq!(
            told(Game::Abalone, &["set D~1 b0", "set D~1 b3", "set D~1 e"], "D~1"),
            ["Empty.", "Black, facing up left.", "Black."]
        );
        assert_eq!(told(Game::Gomoku, &["board 15", "move black g9"], "g9"), ["Black g9.", "Set up: empty."]);
        let capture = ["board 19", "move black g9", "move white h9", "set g9 e", "captures white 1"];
        assert_eq!(
            told(Game::Pente, &capture, "g9")[..2],
            ["Captured by white’s move 2 (h9).", "Black g9."],
            "a stone that is taken away tells by which move"
        );
        let map = ["map 10 60 Small", "territory 1 100 100 North", "set 1 maxie 4", "set 1 maxie 6"];
        assert_eq!(told(Game::Riskless, &map, "1")[..2], ["Red, 6 armies.", "Red, 4 armies."]);
        let units = ["init", "spawn 4 red 1 1 north 60 soldier", "update 4 1 2 north 60"];
        assert_eq!(
            told(Game::Fortress, &units, "1,1"),
            ["Nobody here.", "Red soldier 4 appears at 1,1.", "Set up: nobody here."]
        );
    }

    #[test]
    fn a_place_is_unchanged_since_it_was_set_up() {
        let thought = r#"#gs thought {"team":"black","score":3,"moves":["g9","h9"]}"#;
        let stones = ["board 19", thought, "move black g9", thought];
        let stones = log(Game::Pente, &stones);
        for (name, since) in [("s19", None), ("h9", None), ("g9", Some(3))] {
            let known = place_history(&stones, name, 4);
            assert_eq!(known.since, since, "{name}");
            let told: Vec<&str> = known.lines.iter().filter_map(|seq| known.deed(*seq)).collect();
            assert!(told.iter().all(|told| !told.is_empty()), "{name}: {told:?}");
        }
        let map = ["map 10 60 Small", "territory 1 1 1 North", "territory 2 9 9 South", "road 1 2"];
        let map = log(Game::Riskless, &map);
        assert_eq!(place_history(&map, "1", 4).since, None);
    }

    #[test]
    fn it_follows_the_picture_forward_and_back() {
        let lines: Vec<String> =
            (0..5000).map(|n| format!("set {} b{}", ["E0", "E1"][n % 2], n / 2 % 7)).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let log = log(Game::Abalone, &lines);
        let mut moved = place_history(&log, "E0", 10);
        for at in [11, 12, 14, 700, 1500, 4999, 5000, 3, 2500] {
            while moved.update(&log, at, Duration::from_secs(1)) {}
            let fresh = place_history(&log, "E0", at);
            assert_eq!((&moved.lines, moved.since), (&fresh.lines, fresh.since), "at {at}");
        }
    }

    #[test]
    fn a_unit_that_leaves_its_square_changes_it() {
        let lines = [
            "init",
            "spawn 4 red 1 1 north 60 soldier",
            "spawn 5 blue 9 9 north 60 soldier",
            "update 4 1 2 north 60",
            "hit 5 4 3",
        ];
        let log = log(Game::Fortress, &lines);
        let left = place_history(&log, "1,1", 5);
        assert_eq!((&*left.lines, left.since), (&[4, 2, 1][..], Some(4)));
        let hit = place_history(&log, "1,2", 5);
        assert_eq!((&*hit.lines, hit.since), (&[4, 1][..], Some(4)), "a hit alone changes nothing there");
    }
}
