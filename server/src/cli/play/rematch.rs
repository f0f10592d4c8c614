//! Series of matches for the holder of a seat: the first as the command line says, then rematches with swapped sides,
//! and matches with other settings.

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use grandstand_matches::{LabelledValue, MatchSpec, SeatChoices, SeatReply, Seats};
use grandstand_protocol::{
    ChosenSettings, Game, Label, MatchHeader, Seat, SeatRequest, Setting, SettingValue,
};
use grandstand_story::format::capitalised;
use serde_json::{Map, Value};

use super::args::PlayArgs;
use super::description::MatchDescription;
use super::{map, single};
use crate::games;
use crate::locked::Locked as _;

/// Name of the setting of the person's opponent, and of that of the person's side.
const OPPONENT: &str = "OPPONENT";
const SIDE: &str = "SIDE";
/// Name of a player that is a person at a seat.
const SEAT: &str = "seat";

/// Plays the match `spec`, and with `further` others after it.
///
/// # Errors
/// If a file or connection fails.
pub(super) fn play(
    args: &PlayArgs,
    spec: &dyn MatchSpec,
    bridge: &str,
    abandoned: &AtomicBool,
    further: bool,
) -> anyhow::Result<ExitCode> {
    let mut match_setup = MatchSetup { players: args.players().map(str::to_owned), settings: Map::new() };
    let offer = further.then(|| RematchOffer::new(args.game, &match_setup, spec));
    let first = single::run(args, args.players(), spec, Some(bridge), abandoned, offer.as_ref())?;
    let mut last = (first.to_its_end, offer);
    for number in 1.. {
        let next = match last {
            (_, Some(offer)) if offer.is_accepted() => offer.accepted(),
            (true, Some(_)) => Some(match_setup.clone().swapped()),
            _ => None,
        };
        let Some(next) = next else { break };
        let spec = next.spec(args, args.seed().wrapping_add(number));
        let (spec, played) = match spec {
            Ok(spec) => (spec, next),
            // Settings that are valid one by one may be invalid together. The settings of the last match are kept
            // then.
            Err(error) => {
                tell!("{error:#}");
                (match_setup.spec(args, args.seed().wrapping_add(number))?, match_setup)
            }
        };
        match_setup = played;
        let offer = RematchOffer::new(args.game, &match_setup, &*spec);
        let players = match_setup.players();
        let ended = single::run(args, players, &*spec, Some(bridge), abandoned, Some(&offer))?;
        last = (ended.to_its_end, Some(offer));
    }
    Ok(first.status)
}

/// The part of a match's settings that may be changed for the next one.
#[derive(Debug, Clone, PartialEq)]
struct MatchSetup {
    /// The players as `play` takes them, the first side first.
    players: [String; 2],
    /// Settings in place of those of the command line.
    settings: Map<String, Value>,
}

impl MatchSetup {
    fn players(&self) -> [&str; 2] {
        self.players.each_ref().map(String::as_str)
    }

    /// The same with the players on the other sides.
    fn swapped(mut self) -> Self {
        self.players.reverse();
        self
    }

    fn spec(&self, args: &PlayArgs, seed: u64) -> anyhow::Result<Box<dyn MatchSpec>> {
        let description =
            MatchDescription { players: self.players(), seed, ..args.description(&self.settings) };
        games::from_description(&description).unwrap_or_else(|| Err(anyhow::anyhow!("no rules are known")))
    }

    /// Index of the only seat; `None` if both players have one.
    fn person(&self) -> Option<usize> {
        match self.players().map(|player| player.split(':').next() == Some(SEAT)) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }

    /// The same with other settings, by their names in an offer.
    fn with(mut self, game: Game, chosen: &ChosenSettings, sides: [&str; 2]) -> Result<Self, String> {
        for (name, value) in chosen {
            match &**name {
                OPPONENT => {
                    let Some(person) = self.person() else { continue };
                    self.players[1 - person] = value.to_string();
                }
                SIDE => {}
                "SIZE" => {
                    let size: u32 = value.parse().map_err(|_error| format!("`{}` is no size", &**value))?;
                    self.settings.insert("SIZE".to_owned(), size.into());
                }
                "MAP" => {
                    let shipped = map::setting(game, value).map_err(|error| format!("{error:#}"))?;
                    self.settings.insert("MAP".to_owned(), shipped);
                }
                name => drop(self.settings.insert(name.to_owned(), Value::from(&**value))),
            }
        }
        // The side is applied last, because the opponent above is the player at the other side.
        if let (Some(side), Some(person)) = (chosen.get(&Label::from(SIDE)), self.person())
            && sides.iter().position(|name| *name == &**side).is_some_and(|wanted| wanted != person)
        {
            return Ok(self.swapped());
        }
        Ok(self)
    }
}

/// Offer of other settings to the holder of a match's seat, and the accepted choice. Clones share both.
#[derive(Debug, Clone)]
pub(super) struct RematchOffer {
    game: Game,
    sides: [&'static str; 2],
    match_setup: MatchSetup,
    setup: Vec<Setting>,
    taken: Arc<Mutex<Option<MatchSetup>>>,
}

impl RematchOffer {
    /// The offer in the match of `spec`.
    fn new(game: Game, match_setup: &MatchSetup, spec: &dyn MatchSpec) -> Self {
        let sides = spec.sides().map(|side| side.name);
        Self {
            game,
            sides,
            match_setup: match_setup.clone(),
            setup: setup(spec.seat_choices(), match_setup, sides, &spec.header(None)),
            taken: Arc::default(),
        }
    }

    /// The settings to choose from.
    pub(super) fn setup(&self) -> &[Setting] {
        &self.setup
    }

    /// The seats with this offer.
    pub(super) fn at(&self, seats: Arc<dyn Seats>) -> Arc<dyn Seats> {
        Arc::new(OfferingSeats { seats, offer: self.clone() })
    }

    /// Whether somebody has accepted it.
    pub(super) fn is_accepted(&self) -> bool {
        self.taken.locked().is_some()
    }

    fn accepted(&self) -> Option<MatchSetup> {
        self.taken.locked().clone()
    }

    /// Accepts the offer, or returns the reason for a refusal.
    fn take(&self, chosen: &ChosenSettings) -> Result<(), String> {
        for (name, value) in chosen {
            let setting = self.setup.iter().find(|setting| setting.name == *name);
            let setting = setting.ok_or_else(|| format!("there is no setting `{}` to choose", &**name))?;
            if !setting.values.iter().any(|known| known.value == *value) {
                return Err(format!("`{}` is not offered for {}", &**value, &*setting.label));
            }
        }
        let next = self.match_setup.clone().with(self.game, chosen, self.sides)?;
        *self.taken.locked() = Some(next);
        Ok(())
    }
}

/// Seats of a match whose holders may choose settings for another one.
#[derive(Debug)]
struct OfferingSeats {
    seats: Arc<dyn Seats>,
    offer: RematchOffer,
}

impl Seats for OfferingSeats {
    fn list(&self) -> Vec<Seat> {
        self.seats.list()
    }

    fn request(&self, team: &str, request: SeatRequest, reply: SeatReply) {
        let SeatRequest::New { settings } = request else { return self.seats.request(team, request, reply) };
        let seats = self.list();
        let holds = seats.iter().any(|seat| seat.team == *team && seat.taken);
        let other = seats.iter().find(|seat| seat.team != *team && seat.taken);
        reply(match other {
            _ if !holds => Err(format!("nobody has the seat of {team}")),
            // A person may not end the match of another person.
            Some(_) => Err("somebody else has the other seat".to_owned()),
            None => self.offer.take(&settings),
        });
    }
}

/// The settings of a match that may be chosen. A present value comes first if it is not among the usual ones.
fn setup(
    choices: Option<&SeatChoices>,
    match_setup: &MatchSetup,
    sides: [&str; 2],
    header: &MatchHeader,
) -> Vec<Setting> {
    let Some(choices) = choices else { return Vec::new() };
    let rule = |name: &str| {
        match header.rules.as_ref()?.get(name)? {
            // A map that is not shipped has no name in the list of choices.
            Value::Object(_) | Value::Array(_) => None,
            Value::String(text) => Some(text.clone()),
            value => Some(value.to_string()),
        }
    };
    let mut settings = Vec::new();
    let mut add = |name: &str, label: &str, present: Option<String>, values: &[(&str, &str)]| {
        let Some(present) = present else { return };
        let value =
            |(value, label): &(&str, &str)| SettingValue { value: (*value).into(), label: (*label).into() };
        let mut values: Vec<SettingValue> = values.iter().map(value).collect();
        if !values.iter().any(|value| value.value == present.as_str()) {
            let words = if name == "TIME" { clock_words(&present) } else { present.clone() };
            values.insert(0, value(&(&present, &words)));
        }
        settings.push(Setting { name: name.into(), label: label.into(), value: present.into(), values });
    };
    let person = match_setup.person();
    let opponent = person.map(|person| match_setup.players[1 - person].clone());
    add(OPPONENT, "Opponent", opponent, choices.opponents);
    for (name, label, values) in choices.settings {
        add(name, label, rule(name), values);
    }
    add("TIME", "Clock", rule("TIME"), TIMES);
    // As the board shows them: red and blue in Riskless, whose teams have names of their own.
    let name = |index: usize| header.teams.get(index).map_or(sides[index], |team| team.color.name());
    let names = [0, 1].map(|index| capitalised(name(index)));
    let both: Vec<(&str, &str)> = sides.into_iter().zip(names.iter().map(String::as_str)).collect();
    add(SIDE, "You play", person.map(|person| sides[person].to_owned()), &both);
    settings
}

/// A clock in words, as the choices have them: `2 s a move` for `/2s`.
fn clock_words(clock: &str) -> String {
    let spoken = |time: &str| match time.find(|letter: char| letter.is_ascii_alphabetic()) {
        Some(at) if &time[at..] == "m" => format!("{} min", &time[..at]),
        Some(at) => format!("{} {}", &time[..at], &time[at..]),
        None => time.to_owned(),
    };
    let (of_match, of_move) = clock.split_once('/').map_or((clock, None), |(all, each)| (all, Some(each)));
    let of_match: Vec<String> = of_match.split('+').filter(|time| !time.is_empty()).map(spoken).collect();
    let of_match = Some(of_match.join(" + ")).filter(|words| !words.is_empty());
    let of_move = of_move.map(|each| format!("{} a move", spoken(each)));
    of_match.into_iter().chain(of_move).collect::<Vec<_>>().join(", ")
}

const TIMES: &[LabelledValue] = &[
    ("1m", "1 min"),
    ("3m+2s", "3 min + 2 s"),
    ("5m", "5 min"),
    ("10m", "10 min"),
    ("30m", "30 min"),
    ("none", "No clock"),
];

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct CommandLine {
        #[command(flatten)]
        play: PlayArgs,
    }

    fn args(words: &[&str]) -> PlayArgs {
        CommandLine::try_parse_from([&["play"], words].concat()).expect("arguments").play
    }

    fn offer(args: &PlayArgs) -> RematchOffer {
        let match_setup = MatchSetup { players: args.players().map(str::to_owned), settings: Map::new() };
        let spec = match_setup.spec(args, 1).expect("a match");
        RematchOffer::new(args.game, &match_setup, &*spec)
    }

    fn chosen(pairs: &[(&str, &str)]) -> ChosenSettings {
        pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
    }

    #[test]
    fn what_is_offered_has_the_values_of_this_match() {
        let offer = offer(&args(&[
            "gomoku",
            "seat",
            "search",
            "--size",
            "11",
            "--set",
            "RULE=renju",
            "--opening",
            "swap2",
        ]));
        let known = |name: &str| {
            let setting = offer.setup.iter().find(|setting| setting.name == name).expect(name);
            (setting.value.to_string(), setting.values[0].label.to_string())
        };
        assert_eq!(known("SIZE"), ("11".to_owned(), "11".to_owned()));
        assert_eq!(known("RULE"), ("renju".to_owned(), "Five or more".to_owned()));
        assert_eq!(known(OPPONENT), ("search".to_owned(), "Beginner".to_owned()));
        assert_eq!(known(SIDE), ("black".to_owned(), "Black".to_owned()));
    }

    #[test]
    fn the_clock_of_this_match_is_offered_in_words() {
        for (clock, words) in [
            ("/2s", "2 s a move"),
            ("/500ms", "500 ms a move"),
            ("2m", "2 min"),
            ("2m+1s", "2 min + 1 s"),
            ("5m/30s", "5 min, 30 s a move"),
        ] {
            assert_eq!(clock_words(clock), words);
        }
        let offer = offer(&args(&["gomoku", "seat", "search", "--time", "/2s"]));
        let clock = offer.setup.iter().find(|setting| setting.name == "TIME").expect("the clock");
        assert_eq!((&*clock.values[0].value, &*clock.values[0].label), ("/2s", "2 s a move"));
    }

    #[test]
    fn sides_are_offered_by_their_colours() {
        let offer = offer(&args(&["riskless", "seat", "random", "--map", "earth"]));
        let sides = offer.setup.iter().find(|setting| setting.name == SIDE).expect("the sides");
        let sides: Vec<(&str, &str)> =
            sides.values.iter().map(|value| (&*value.value, &*value.label)).collect();
        assert_eq!(sides, [("maxie", "Red"), ("minnie", "Blue")]);
    }

    #[test]
    fn two_people_choose_neither_opponent_nor_side() {
        let offer = offer(&args(&["riskless", "seat", "seat:wait=1m", "--map", "earth"]));
        let names: Vec<&str> = offer.setup.iter().map(|setting| &*setting.name).collect();
        assert_eq!(names, ["MAP", "TIME"]);
    }

    #[test]
    fn what_was_chosen_makes_the_next_match() {
        let offer = offer(&args(&["gomoku", "seat", "search"]));
        assert!(!offer.is_accepted());
        let wanted = chosen(&[("SIZE", "19"), ("TIME", "none"), (OPPONENT, "stupid"), (SIDE, "white")]);
        assert_eq!(offer.take(&wanted), Ok(()));
        let next = offer.accepted().expect("it is taken");
        assert_eq!(next.players(), ["stupid", "seat"]);
        assert_eq!(Value::Object(next.settings), serde_json::json!({"SIZE": 19, "TIME": "none"}));
    }

    #[test]
    fn all_that_is_offered_makes_a_match() {
        for words in
            [&["gomoku", "seat", "search"], &["pente", "search", "seat"], &["riskless", "seat", "random"]]
        {
            let args = args(words);
            let offer = offer(&args);
            assert!(offer.setup.len() >= 4, "{words:?}: {:?}", offer.setup);
            for setting in &offer.setup {
                for value in &setting.values {
                    let pair = [(setting.name.clone(), value.value.clone())];
                    assert_eq!(offer.take(&pair.into_iter().collect()), Ok(()), "{words:?} {value:?}");
                    let next = offer.accepted().expect("it is taken");
                    if let Err(error) = next.spec(&args, 2) {
                        panic!("{words:?} {value:?}: {error:#}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_offered_is_refused_in_words() {
        let offer = offer(&args(&["gomoku", "seat", "search"]));
        let refused = |pairs| offer.take(&chosen(pairs)).expect_err("refused");
        assert_eq!(refused(&[("SIZE", "999")]), "`999` is not offered for Board");
        assert_eq!(refused(&[(OPPONENT, "engine:rm")]), "`engine:rm` is not offered for Opponent");
        assert_eq!(refused(&[("MAP", "earth")]), "there is no setting `MAP` to choose");
        assert!(!offer.is_accepted());
    }
}
