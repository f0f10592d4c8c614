//! Robot Abalone in the spectator: how it is told, what its timeline shows, and what moves on its board.

mod motion;
mod paint;
mod words;

use eframe::egui::{Painter, Pos2, Rect, Ui};
use grandstand_protocol::abalone::{self, Scene, Team};
use grandstand_protocol::{Command, Micros, Place, Scene as AnyScene, TeamInfo};
use grandstand_replays::Log;
use serde_json::Value;

use self::motion::Motion;
use self::paint::{Change, Geometry};
use super::still::Still;
use super::{
    Board, Circumstances, Distance, EventWords, GameView, Group, Intent, Options, Passing, Picture, Said,
    Step, Tally, distance,
};
use crate::annals::{Plot, Records};
use crate::markers::kind;
use crate::narration::Line;
use crate::sides::{Badge, Side, two_sides};
use crate::theme::Palette;
use crate::words as write;

pub(crate) use self::paint::paint_badge;

/// Moves that begin within this time of each other are shown as one, in seconds.
const TOGETHER_SECS: f64 = 0.05;
/// Sets that came within this time belong to the same moves.
const SAME_MOVES: Micros = Micros(20_000);
/// How many commands are looked at to see what moved.
const LOOK_BACK: u64 = 600;

impl GameView for Scene {
    fn name(&self) -> &'static str {
        "Robot Abalone"
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn board(&self) -> Box<dyn Board> {
        Box::new(AbaloneBoard::default())
    }

    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        two_sides(
            teams,
            Team::ALL.map(|team| (team.color(), team.name(), Badge::Piece(team), self.score(team))),
        )
    }

    fn talk(&self) -> Vec<Said<'_>> {
        let lines = self.talk().iter();
        lines
            .map(|line| Said { seq: line.seq, t: line.t, team: line.team.name(), text: &line.text })
            .collect()
    }

    fn moment(&self) -> String {
        format!("Turn {}", write::number(u64::from(self.turns())))
    }

    /// Black's in odd turns (section 2.7).
    fn mover(&self) -> Option<usize> {
        let team = if self.turns() % 2 == 1 { Team::Black } else { Team::White };
        (self.turns() > 0).then_some(team.index())
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Team::ALL.map(|team| (words::name(team).to_owned(), self.score(team))).into()
    }

    fn goal(&self, rules: Option<&Value>) -> Option<i32> {
        let value = rules?.get("WINNING_SCORE")?.as_i64()?;
        i32::try_from(value).ok().filter(|score| (1..=100).contains(score))
    }

    /// The pieces that the team has taken, and those that are missing to win.
    fn tally(&self, side: usize, about: &Circumstances<'_>) -> Vec<Tally> {
        let team = Team::ALL[side.min(1)];
        let have = self.score(team).max(0) as u32;
        let of = (self.goal(about.rules).unwrap_or(0).max(0) as u32).max(have);
        let pieces = self.pieces().filter(|(_, piece)| piece.team == team).count();
        let mut tally = Vec::new();
        if of > 0 {
            tally.push(Tally::Pips { badge: Badge::Piece(team.opponent()), have, of });
        }
        tally.push(Tally::Words(write::count(pieces as u64, "piece", "pieces")));
        tally
    }

    fn plots(&self) -> Vec<Plot> {
        vec![Plot::steps("Score", &Team::ALL.map(Team::name)).that_wins()]
    }

    fn events(&self) -> &'static EventWords {
        &EventWords {
            next: "Next piece off the board",
            previous: "Previous piece off the board",
            none_after: "No piece goes off the board after this",
            none_before: "No piece went off the board before this",
        }
    }

    fn record(&self, group: &Group<'_>, records: &mut Records) {
        let mut scores = Team::ALL.map(|team| self.score(team));
        let mut turns = self.turns();
        let mut scored = false;
        for (seq, t, command) in group.commands {
            match command {
                Command::Abalone(abalone::Command::Score { team, value }) => {
                    records.put(0, team.name(), *t, *value);
                    if *value > scores[team.index()] {
                        records.event((*seq, *t), kind::SCORE, team.index(), "Point for", true);
                        scored = true;
                    }
                    scores[team.index()] = *value;
                }
                Command::Abalone(abalone::Command::Turns { value }) if *value != turns => {
                    // The turn that ends was the mover's before it.
                    let mover = if turns % 2 == 1 { Team::Black } else { Team::White };
                    records.turn(*seq, *t, (turns > 0).then_some(mover.index()));
                    turns = *value;
                }
                _ => {}
            }
        }
        if scored {
            for (piece, how) in words::losses(self, group) {
                let (kind, what) = match how {
                    words::Loss::Pushed => (kind::LOSS, "Piece pushed off:"),
                    words::Loss::Died => (kind::DEATH, "Bot died:"),
                };
                records.event((group.seq(), group.t()), kind, piece.team.index(), what, false);
            }
        }
    }

    fn tell(&self, group: &Group<'_>) -> Vec<Line> {
        words::tell(self, group)
    }

    fn describe(&self, place: Place) -> Option<String> {
        let Place::Hex(hex) = place else { return None };
        Some(paint::describe(hex, self.get(hex)))
    }

    fn distance(&self, from: Place, to: Place) -> Option<Distance> {
        let (Place::Hex(from), Place::Hex(to)) = (from, to) else { return None };
        Some(distance::hexes(from, to))
    }

    /// A piece that moves is taken from one hex and put on another, in lines that an old server may send far apart.
    fn passing(&self, command: &Command) -> Passing {
        let Command::Abalone(command) = command else { return Passing::None };
        match command {
            abalone::Command::Set { hex, piece } => match (self.get(*hex), piece) {
                (Some(was), None) => Passing::Taken(was.team.index() as u64),
                (None, Some(piece)) => Passing::Put(piece.team.index() as u64),
                // One takes the place of another, or turns.
                _ => Passing::None,
            },
            abalone::Command::Turns { .. } => Passing::Anew,
            _ => Passing::None,
        }
    }

    fn widest(&self) -> Option<Place> {
        "A-4".parse().ok().map(Place::Hex)
    }

    fn said(&self, command: &Command) -> Option<(String, String)> {
        match command {
            Command::Abalone(abalone::Command::Say { team, text }) => {
                Some((words::name(*team).to_owned(), text.to_string()))
            }
            _ => None,
        }
    }
}

/// What is on its way between two pictures.
#[derive(Debug)]
struct Transition {
    motions: Vec<Motion>,
    /// The picture that it began with, and the command that this was after.
    from: (u64, Box<Scene>),
    began: f64,
    secs: f64,
}

/// What of the board stands still.
#[derive(Debug, Default)]
struct Stills {
    cells: Still,
    pieces: Still,
    labels: Still,
}

/// The board, with the move that is being shown.
#[derive(Debug, Default)]
struct AbaloneBoard {
    stills: Stills,
    transition: Option<Transition>,
    /// The last moves before the picture.
    last_moves: Vec<Motion>,
    /// The picture that they lead to, for showing them once more.
    shown: Option<(u64, Box<Scene>)>,
}

impl Board for AbaloneBoard {
    fn advance(&mut self, step: &Step<'_>) {
        let (AnyScene::Abalone(before), AnyScene::Abalone(after)) = (step.before, step.after) else { return };
        self.last_moves = last_moves(step.log, step.to);
        self.shown = Some((step.to, Box::new(after.clone())));
        let running = self.transition.take();
        let secs = step.secs_of_moves(LOOK_BACK).filter(|secs| *secs >= TOGETHER_SECS);
        let Some(secs) = secs else { return };
        let running = running.filter(|t| step.now - t.began < TOGETHER_SECS && t.from.0 < step.to);
        let fresh = || ((step.from, Box::new(before.clone())), step.now);
        let (from, began) = running.map_or_else(fresh, |t| (t.from, t.began));
        let commands: Vec<abalone::Command> =
            (from.0 + 1..=step.to).filter_map(|seq| set_command(step.log, seq)).collect();
        let motions = motion::while_drawing(&from.1, &commands);
        if !motions.is_empty() {
            self.transition = Some(Transition { motions, from, began, secs });
        }
    }

    fn settle(&mut self) {
        self.transition = None;
    }

    fn replay(&mut self, now: f64, secs: f64) {
        if let Some(from) = self.shown.clone() {
            let motions = self.last_moves.clone();
            self.transition = Some(Transition { motions, from, began: now, secs });
        }
    }

    fn is_moving(&self, picture: &Picture<'_>) -> bool {
        self.transition.as_ref().is_some_and(|t| picture.now - t.began < t.secs)
    }

    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options) -> Option<Intent> {
        let AnyScene::Abalone(scene) = picture.scene else { return None };
        let (motions, progress) = match &self.transition {
            Some(t) => (&*t.motions, ((picture.now - t.began) / t.secs).clamp(0.0, 1.0) as f32),
            None => (&[][..], 1.0),
        };
        let change = Change { motions, progress, last: &self.last_moves };
        paint::show(ui, rect, scene, (change, &self.stills), picture, options);
        None
    }

    fn place_at(&self, rect: Rect, _: &Picture<'_>, options: Options, at: Pos2) -> Option<Place> {
        Geometry::fit(rect, options.coordinates).hex_at(at).map(Place::Hex)
    }

    fn area_of(&self, rect: Rect, _: &Picture<'_>, options: Options, place: Place) -> Option<Rect> {
        let Place::Hex(hex) = place else { return None };
        Some(Geometry::fit(rect, options.coordinates).area(hex))
    }
}

fn set_command(log: &Log, seq: u64) -> Option<abalone::Command> {
    match log.command(seq) {
        Some(Command::Abalone(command @ abalone::Command::Set { .. })) => Some(command),
        _ => None,
    }
}

/// The last moves at or before a command: sets that moved pieces, and came together.
fn last_moves(log: &Log, seq: u64) -> Vec<Motion> {
    let two_turns = log.previous_turn(seq).and_then(|turn| log.previous_turn(turn)).unwrap_or(0);
    let start = log.known(two_turns.max(seq.saturating_sub(LOOK_BACK)));
    let AnyScene::Abalone(mut scene) = log.scene_at(start) else { return Vec::new() };
    let mut before = scene.clone();
    let mut together: Vec<abalone::Command> = Vec::new();
    let mut last = None::<Micros>;
    for seq in start + 1..=seq {
        let Some(command) = set_command(log, seq) else { continue };
        let abalone::Command::Set { hex, piece } = &command else { continue };
        let t = log.time_of(seq);
        if scene.get(*hex).map(|p| p.team) != piece.map(|p| p.team) {
            if last.is_none_or(|last| t.since(last) > SAME_MOVES) {
                before = scene.clone();
                together.clear();
            }
            last = Some(t);
        }
        scene.apply(seq, t, &command);
        together.push(command);
    }
    motion::while_drawing(&before, &together)
}
