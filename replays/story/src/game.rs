//! Trait of a game for events, figures and words.

use grandstand_protocol::talk::Talk;
use grandstand_protocol::team::TwoTeams;
use grandstand_protocol::turn::FORCED;
use grandstand_protocol::{Command, Game, Micros, Place, Scene, TeamInfo};
use serde::Serialize;
use serde_json::Value;

use crate::distance::{self, Distance};
use crate::evaluation;
use crate::findings::Findings;
use crate::format;
use crate::format::capitalised;
use crate::games::story;
use crate::plots::Plot;
use crate::sides::Side;

/// Meaning of a game's commands. Each game implements it for its scene, the position that its commands have drawn so
/// far.
pub trait GameStory {
    /// Teams in the order of play. `teams` comes from the header.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side>;

    /// State beside the board, if two teams move by turns.
    fn turns(&self) -> Option<&dyn TurnState> {
        None
    }

    /// Talk, the oldest line first.
    fn talk(&self) -> Vec<ChatLine<'_>> {
        self.turns().map_or_else(Vec::new, TurnState::talk)
    }

    /// Progress of the match in the game's own measure: `Turn 12`.
    fn progress_text(&self) -> String;

    /// Name and number of the current turn or move, `Turn` and 12; `None` in games without turns.
    fn turn_counter(&self) -> Option<(&'static str, u64)> {
        self.turns().map(|_| ("Move", self.ply().into()))
    }

    /// Length of a match that is over, in turns or moves; empty in games without turns, whose progress is the time that was left.
    fn length_text(&self) -> String {
        self.turn_counter().map_or_else(String::new, |_| self.progress_text())
    }

    /// Index of the side to move, in games with turns.
    fn mover(&self) -> Option<usize> {
        self.turns()?.mover()
    }

    /// Winner, if the scene shows it. Further commands may follow.
    fn verdict(&self) -> Option<SceneResult> {
        self.turns()?.verdict()
    }

    /// Whether the match has turns with thinking times.
    fn has_turns(&self) -> bool {
        self.turns().is_some()
    }

    /// Instruction for a person who moves on the board: `click a point`. `None` if nobody moves by hand.
    fn how_to_move(&self) -> Option<&'static str> {
        None
    }

    /// What the rules demand of the next move alone, as a sentence.
    fn demand(&self, rules: Option<&Value>) -> Option<String> {
        let _ = rules;
        None
    }

    /// Number of moves so far, in games with turns.
    fn ply(&self) -> u32 {
        0
    }

    /// How a move is typed.
    fn move_form(&self) -> MoveForm {
        MoveForm { hint: "move", example: String::new() }
    }

    /// Names and scores of the teams for the words; empty without scores.
    fn scores(&self) -> Vec<(String, i32)>;

    /// Unit of the scores: singular and plural.
    fn score_unit(&self) -> (&'static str, &'static str) {
        ("point", "points")
    }

    /// Whether a value beside the board changes with time.
    fn is_ticking(&self) -> bool {
        self.turns().is_some_and(TurnState::is_ticking)
    }

    /// Variant of the game by the header's rules: map, size, opening.
    fn variant(&self, rules: Option<&Value>) -> Vec<String> {
        let _ = rules;
        Vec::new()
    }

    /// Number of points that win, by the header's rules.
    fn winning_score(&self, rules: Option<&Value>) -> Option<i32> {
        let _ = rules;
        None
    }

    /// Empty plots of the game.
    fn plots(&self) -> Vec<Plot> {
        vec![Plot::steps("Score", &[])]
    }

    /// Figure of a team in a plot over time, by the plot's index, as the scene has it now. The score above the board is
    /// read from the scene too, so a plot that shows this figure never disagrees with it. `None` if the plot has none.
    fn figure(&self, plot: usize, team: &str) -> Option<i32> {
        let _ = (plot, team);
        None
    }

    /// Names of the game's events.
    fn events(&self) -> &'static EventNames;

    /// Records the plots and markers of a group. `self` is the scene before it.
    fn record(&self, group: &Group<'_>, findings: &mut Findings);

    /// Lines for a group, without talk and scores. `self` is the scene before it.
    fn narrate(&self, group: &Group<'_>) -> Vec<Line> {
        let _ = group;
        Vec::new()
    }

    /// Description of a place: its name, a colon, and its contents. `None` if it is not on the board.
    fn describe(&self, place: Place) -> Option<String>;

    /// Contents of a place, without its name and what never changes there; `None` if it is not on the board.
    fn contents(&self, place: Place) -> Option<String> {
        let words = self.describe(place)?;
        Some(words.split_once(": ").map_or(&*words, |(_, contents)| contents).to_owned())
    }

    /// Whether a command is a whole event, which a [line](GameStory::narrate) tells. Others are parts of one, such as the
    /// contents of one place.
    fn is_event(&self, command: &Command) -> bool {
        command.is_of_whole_board()
    }

    /// What a group of one command did at a place, as a sentence; `None` if nothing. `self` is the scene before it.
    fn deed(&self, group: &Group<'_>, place: Place) -> Option<String> {
        let now = story(group.after).contents(place);
        // What is told of the whole board says nothing of a place.
        if group.commands.iter().all(|(.., command)| command.is_of_whole_board())
            && let Some(now) = &now
        {
            return Some(format!("Set up: {now}."));
        }
        let is_event = group.commands.iter().all(|(.., command)| self.is_event(command));
        if let Some(line) = self.narrate(group).into_iter().next().filter(|_| is_event) {
            return Some(line.text);
        }
        match (self.contents(place), now) {
            (was, now) if was == now => None,
            (_, Some(now)) => Some(self.became(place, &now)),
            (_, None) => Some("Not on the board.".to_owned()),
        }
    }

    /// What a line without words of its own has made of a place, whose contents are `now` after it.
    fn became(&self, place: Place, now: &str) -> String {
        let _ = place;
        format!("{}.", capitalised(now))
    }

    /// Whether the game tells its units apart, so that one can be followed.
    fn has_units(&self) -> bool {
        false
    }

    /// The numbers of the units on a place, where the game tells its units apart.
    fn units_at(&self, place: Place) -> Vec<u32> {
        let _ = place;
        Vec::new()
    }

    /// The place of a unit and its name, `red soldier 3`; `None` while it is not on the board.
    fn unit(&self, id: u32) -> Option<(Place, String)> {
        let _ = id;
        None
    }

    /// The state of a unit on the board, in words: its health, and what it carries.
    fn unit_state(&self, id: u32) -> Option<String> {
        let _ = id;
        None
    }

    /// Seconds after which a fallen unit comes back, at a time in seconds since the start of the match; `None` if that is
    /// not known, or it doesn't.
    fn unit_returns(&self, id: u32, secs: f64, rules: Option<&Value>) -> Option<f64> {
        let _ = (id, secs, rules);
        None
    }

    /// Kind of the ground at a place, as a number without further meaning; `None` if all places are alike.
    fn terrain(&self, place: Place) -> Option<u8> {
        let _ = place;
        None
    }

    /// Distance of two places; `None` if one of them is not on the board.
    fn distance(&self, from: Place, to: Place) -> Option<Distance> {
        distance::between(from, to)
    }

    /// Place with the longest name; `None` on a board without places.
    fn widest_place(&self) -> Option<Place>;

    /// Team and text of a command that talks.
    fn chat_message(&self, command: &Command) -> Option<(String, String)>;

    /// Label of a game server, with places in the form for people.
    fn label(&self, label: &str) -> String {
        label.to_owned()
    }

    /// Plies in which an evaluation says that the end is forced, 0 if it does not count them; `None` if no end is forced.
    fn forced_in(&self, score: i32) -> Option<u32> {
        (score.unsigned_abs() >= FORCED.unsigned_abs()).then_some(0)
    }

    /// A team's evaluation of a position from its own point of view: `+120`, `−35`, `wins` or `wins in 13`.
    fn score_text(&self, score: i32) -> String {
        evaluation::score_text(score, self.forced_in(score))
    }

    /// A recorded match of the scene's game, for viewers who have nothing else to watch.
    fn sample(&self) -> Option<Sample> {
        None
    }

    /// Maximum time between the commands of one change.
    fn group_window(&self) -> Micros {
        // The commands of a move have the same time.
        Micros(if self.turns().is_some() { 1_000 } else { 20_000 })
    }

    /// Effect of a command on objects that move by being erased and drawn again. `self` is the scene before it.
    fn redraw(&self, command: &Command) -> Redraw {
        let _ = command;
        Redraw::None
    }
}

/// The bytes of a file of `replays/samples`, from the source of a game; empty in a page, whose module would carry them to everybody.
macro_rules! recording {
    ($file:literal) => {{
        #[cfg(not(target_arch = "wasm32"))]
        let bytes: &'static [u8] = include_bytes!(concat!("../../../../samples/", $file));
        #[cfg(target_arch = "wasm32")]
        let bytes: &'static [u8] = &[];
        bytes
    }};
}
pub(crate) use recording;

/// A recorded match that programs bring along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The game.
    pub game: Game,
    /// The file, compressed or not; empty in a page, which fetches it when it is watched.
    pub recording: &'static [u8],
    /// Its best picture, in hundredths of its commands.
    pub poster: u64,
}

/// How a move is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveForm {
    /// Its form in a word.
    pub hint: &'static str,
    /// A sentence with an example.
    pub example: String,
}

/// State of a turn game beside its board, without the types of its teams and moves.
pub trait TurnState {
    /// Side to move, until the match is won.
    fn mover(&self) -> Option<usize>;

    /// Winner, if the scene shows it.
    fn verdict(&self) -> Option<SceneResult>;

    /// Whether a clock runs.
    fn is_ticking(&self) -> bool;

    /// Time left on the running clock of a side at `t`, in milliseconds; `None` if it is stopped.
    fn ticking_clock(&self, side: usize, t: Micros) -> Option<i64>;

    /// Talk, the oldest line first.
    fn talk(&self) -> Vec<ChatLine<'_>>;
}

/// Effect of a command on an object that moves by being erased and drawn again. The number identifies the object, or
/// its kind if objects of the kind can't be distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redraw {
    /// Erased; it may be drawn again.
    Erased(u64),
    /// Drawn, again or for the first time.
    Drawn(u64),
    /// A moment or a turn begins or ends: objects that were erased and not drawn again are gone.
    Boundary,
    /// No effect.
    None,
}

/// Winner of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SceneResult {
    /// A side, by index.
    Won(usize),
    /// No winner.
    Drawn,
    /// Name from the game server that matches no side.
    Said(String),
}

impl SceneResult {
    /// `Reds wins`
    pub fn words(&self, sides: &[Side]) -> String {
        match self {
            SceneResult::Won(side) => {
                format::wins(sides.get(*side).map_or("Somebody", |side| side.name.as_str()))
            }
            SceneResult::Drawn => "Draw".to_owned(),
            SceneResult::Said(words) => format!("{words} wins"),
        }
    }
}

impl From<Option<usize>> for SceneResult {
    fn from(winner: Option<usize>) -> SceneResult {
        winner.map_or(SceneResult::Drawn, SceneResult::Won)
    }
}

/// Commands that came together.
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    /// Scene after the commands.
    pub after: &'a Scene,
    /// Commands with their numbers and times; never empty.
    pub commands: &'a [(u64, Micros, Command)],
}

impl Group<'_> {
    /// Time of the first command.
    pub fn t(&self) -> Micros {
        self.commands.first().map_or(Micros(0), |(_, t, _)| *t)
    }

    /// Number of the last command.
    pub fn seq(&self) -> u64 {
        self.commands.last().map_or(0, |(seq, ..)| *seq)
    }

    /// Whether a marker of the server says what happened at a place, which needs no second line.
    pub fn is_marked(&self, place: &str) -> bool {
        let names =
            |label: &str| label.split(' ').any(|word| word.trim_end_matches(['.', ':', ';', ')']) == place);
        self.commands.iter().any(|(.., command)| match command {
            Command::Marker(marker) => names(&marker.label),
            _ => false,
        })
    }
}

/// A line of the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Last command of the event.
    pub seq: u64,
    /// Event as a sentence.
    pub text: String,
    /// Whether it only says who has won: the result says it again, with the reason.
    #[serde(skip)]
    pub is_outcome: bool,
}

impl Line {
    /// A line of an event that is not the end.
    pub fn new(seq: u64, text: String) -> Line {
        Line { seq, text, is_outcome: false }
    }
}

/// A line of talk.
#[derive(Debug, Clone, Copy)]
pub struct ChatLine<'a> {
    /// Number of its command.
    pub seq: u64,
    /// Time.
    pub t: Micros,
    /// Name of the team in the dialect.
    pub team: &'a str,
    /// Text.
    pub text: &'a str,
}

impl<'a> ChatLine<'a> {
    /// Talk of two teams, the oldest line first.
    pub fn all<T: TwoTeams>(talk: &'a Talk<T>) -> Vec<ChatLine<'a>> {
        let lines = talk.iter();
        lines
            .map(|line| ChatLine { seq: line.seq, t: line.t, team: line.team.name(), text: &line.text })
            .collect()
    }
}

/// Names of the events for the keys that go to the next and the previous one.
#[derive(Debug)]
pub struct EventNames {
    /// `Next point`
    pub next: &'static str,
    /// `Previous point`
    pub previous: &'static str,
    /// Message if there is no next event.
    pub none_after: &'static str,
    /// Message if there is no previous event.
    pub none_before: &'static str,
}

/// The [`EventNames`] for events of one name.
macro_rules! event_names {
    ($event:literal) => {
        &EventNames {
            next: concat!("Next ", $event),
            previous: concat!("Previous ", $event),
            none_after: concat!("No ", $event, " after this"),
            none_before: concat!("No ", $event, " before this"),
        }
    };
}

pub(crate) use event_names;
