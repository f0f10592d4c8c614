//! Trait that a game implements to be told of.

use grandstand_protocol::talk::Talk;
use grandstand_protocol::team::TwoTeams;
use grandstand_protocol::{Command, Micros, Place, Scene, TeamInfo};
use serde::Serialize;
use serde_json::Value;

use crate::distance::{self, Distance};
use crate::findings::Findings;
use crate::plots::Plot;
use crate::sides::Side;

/// What a game's commands mean. Each game implements it for its scene, the picture that its commands have drawn so far.
pub trait GameStory {
    /// The teams, in the order in which they play. `teams` is what the header says of them.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side>;

    /// What stands beside the board, where two teams move by turns.
    fn turns(&self) -> Option<&dyn TurnState> {
        None
    }

    /// What was said, the oldest first.
    fn talk(&self) -> Vec<Said<'_>> {
        self.turns().map_or_else(Vec::new, TurnState::talk)
    }

    /// How far the match is, in the game's own measure: `Turn 12`.
    fn moment(&self) -> String;

    /// Which of the sides is to move, where they move by turns.
    fn mover(&self) -> Option<usize> {
        self.turns()?.mover()
    }

    /// Who has won, where the picture says it: the rest of the match may still be on its way.
    fn verdict(&self) -> Option<Verdict> {
        self.turns()?.verdict()
    }

    /// Whether the match goes by turns, each of which takes its time.
    fn has_turns(&self) -> bool {
        self.turns().is_some()
    }

    /// What a person does on the board to move, as an instruction: `click a point`. `None` where nobody moves by hand.
    fn how_to_move(&self) -> Option<&'static str> {
        None
    }

    /// How many moves the picture shows, where they move by turns.
    fn ply(&self) -> u32 {
        0
    }

    /// The teams' names and scores, as they are read out; none where nothing is counted.
    fn scores(&self) -> Vec<(String, i32)>;

    /// What scores count: one of it, and several.
    fn counted(&self) -> (&'static str, &'static str) {
        ("point", "points")
    }

    /// Whether something beside the board changes as time goes by.
    fn is_ticking(&self) -> bool {
        self.turns().is_some_and(TurnState::is_ticking)
    }

    /// The variant of the game: its map, its size, its opening, by the rules in the header.
    fn variant(&self, rules: Option<&Value>) -> Vec<String> {
        let _ = rules;
        Vec::new()
    }

    /// How many points win, by the rules in the header.
    fn goal(&self, rules: Option<&Value>) -> Option<i32> {
        let _ = rules;
        None
    }

    /// The plots that the game has, with nothing in them.
    fn plots(&self) -> Vec<Plot> {
        vec![Plot::steps("Score", &[])]
    }

    /// What the events are called that the viewer can go to.
    fn events(&self) -> &'static EventNames;

    /// Notes what commands that came together mean for the plots and the timeline. This scene is the one before them.
    fn record(&self, group: &Group<'_>, findings: &mut Findings);

    /// What commands that came together did, in words, besides talk and scores. This scene is the one before them.
    fn tell(&self, group: &Group<'_>) -> Vec<Line> {
        let _ = group;
        Vec::new()
    }

    /// A place and what is there, in words: its name, a colon, and the rest. `None` when it is not on the board.
    fn describe(&self, place: Place) -> Option<String>;

    /// What a place is by itself, whatever is on it, as a number that says no more; `None` where all are alike.
    fn terrain(&self, place: Place) -> Option<u8> {
        let _ = place;
        None
    }

    /// How far two places of the board are from each other; `None` when one is not on it.
    fn distance(&self, from: Place, to: Place) -> Option<Distance> {
        distance::between(from, to)
    }

    /// The place whose name is longest; `None` on a board without places.
    fn widest(&self) -> Option<Place>;

    /// The team that talks by the command, and what it says.
    fn said(&self, command: &Command) -> Option<(String, String)>;

    /// A label of a game server, with places as they are read out.
    fn label(&self, label: &str) -> String {
        label.to_owned()
    }

    /// How far apart the parts of one change of the picture may come.
    fn together(&self) -> Micros {
        // The commands of one move have the same time.
        Micros(if self.turns().is_some() { 1_000 } else { 20_000 })
    }

    /// What a command does with one of the things that are drawn again to move them, on a board where that is how they move. This scene
    /// is the one before it.
    fn passing(&self, command: &Command) -> Passing {
        let _ = command;
        Passing::None
    }
}

/// State of a turn game beside its board, whatever its teams and moves are.
pub trait TurnState {
    /// Whose turn it is, as long as nobody has won.
    fn mover(&self) -> Option<usize>;

    /// Who has won, as the picture says it.
    fn verdict(&self) -> Option<Verdict>;

    /// Whether a clock counts down.
    fn is_ticking(&self) -> bool;

    /// What the clock of a side shows at `t`, in milliseconds, while it counts down; `None` otherwise.
    fn ticking_clock(&self, side: usize, t: Micros) -> Option<i64>;

    /// What was said, the oldest first.
    fn talk(&self) -> Vec<Said<'_>>;
}

/// What a command does with a thing that moves by being erased and drawn again. A number says which thing, or of which kind where they
/// are not told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// It is erased: it may be drawn again.
    Taken(u64),
    /// It is drawn, again or for the first time.
    Put(u64),
    /// A moment or a turn begins or ends: what was erased before and not drawn again is gone.
    Anew,
    /// Nothing.
    None,
}

/// Who has won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// One of the sides, by its number.
    Won(usize),
    /// Nobody.
    Drawn,
    /// Whom the game server calls so; which of the sides that is can't be told.
    Said(String),
}

impl Verdict {
    /// `Reds wins`
    pub fn words(&self, sides: &[Side]) -> String {
        match self {
            Verdict::Won(side) => {
                format!("{} wins", sides.get(*side).map_or("Somebody", |side| side.name.as_str()))
            }
            Verdict::Drawn => "Draw".to_owned(),
            Verdict::Said(words) => format!("{words} wins"),
        }
    }
}

impl From<Option<usize>> for Verdict {
    fn from(winner: Option<usize>) -> Verdict {
        winner.map_or(Verdict::Drawn, Verdict::Won)
    }
}

/// Commands that came together.
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    /// The scene that they lead to.
    pub after: &'a Scene,
    /// With their numbers and times; never empty.
    pub commands: &'a [(u64, Micros, Command)],
}

impl Group<'_> {
    /// When it began.
    pub fn t(&self) -> Micros {
        self.commands.first().map_or(Micros(0), |(_, t, _)| *t)
    }

    /// The number of the last command.
    pub fn seq(&self) -> u64 {
        self.commands.last().map_or(0, |(seq, ..)| *seq)
    }
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The command that shows it whole.
    pub seq: u64,
    /// What happened, as a sentence.
    pub text: String,
}

/// One thing that somebody said.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// The command that says it.
    pub seq: u64,
    /// When.
    pub t: Micros,
    /// As the dialect names the team.
    pub team: &'a str,
    /// What.
    pub text: &'a str,
}

impl<'a> Said<'a> {
    /// All of the talk of two teams, the oldest first.
    pub fn all<T: TwoTeams>(talk: &'a Talk<T>) -> Vec<Said<'a>> {
        let lines = talk.iter();
        lines
            .map(|line| Said { seq: line.seq, t: line.t, team: line.team.name(), text: &line.text })
            .collect()
    }
}

/// What the events are called that the keys for the next and the previous one go to.
#[derive(Debug)]
pub struct EventNames {
    /// `Next point`
    pub next: &'static str,
    /// `Previous point`
    pub previous: &'static str,
    /// What is said where there is no next one.
    pub none_after: &'static str,
    /// What is said where there is no previous one.
    pub none_before: &'static str,
}

impl EventNames {
    /// For games in which the events are points.
    pub const POINTS: EventNames = EventNames {
        next: "Next point",
        previous: "Previous point",
        none_after: "No point is made after this",
        none_before: "No point was made before this",
    };
}
