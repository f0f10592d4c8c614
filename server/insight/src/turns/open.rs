//! Opening of a review: the moves of a recording, checked by the rules.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use grandstand_matches::header::{HeaderError, take_clock};
use grandstand_matches::settings::SettingsError;
use grandstand_matches::turns::game::{Beginning, TurnGame};
use grandstand_matches::turns::settings::read_settings;
use grandstand_protocol::{Command, Game, MatchHeader, MatchResult};
use grandstand_replays::Log;
use grandstand_rules::turn::{Drawn as _, Outcome, Position as _, Side};
use grandstand_search::review::{Expert, Judged, Review as Search, chance};
use grandstand_story::sides::teams_of_sides;
use serde_json::{Map, Value};

use super::cause::Cause;
use super::{MoveReview, Review};

/// Number of reviewed moves at most, counted from the end.
pub const MOVES_MAX: usize = 1_000;
/// Number of moves of a match at most.
const MOVES_READ: usize = 1 << 20;

/// Errors of a review.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The game has no engine.
    #[error(
        "no engine reviews matches of {0}: only those of Gomoku, Pente and Riskless have moves that an engine judges"
    )]
    Game(Game),
    /// The header doesn't describe a match.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The rules are invalid.
    #[error("the match's rules: {0}")]
    Settings(#[from] SettingsError),
    /// The match has no moves.
    #[error("the match has no moves")]
    Empty,
    /// The first move is illegal.
    #[error("the match can't be followed by its rules: {0}")]
    Illegal(String),
    /// A resource of the system is missing.
    #[error("the engine can't be started: {0}")]
    Engine(String),
}

/// A recorded match.
pub(super) struct Recorded<'a> {
    pub(super) game: Game,
    pub(super) header: &'a MatchHeader,
    pub(super) log: &'a Log,
    pub(super) result: Option<&'a MatchResult>,
    pub(super) nodes: u64,
}

/// Meaning of a command for a review.
pub(super) enum RecordedStep<M> {
    /// A new game on an empty board, with its size if it was drawn.
    NewBoard(Option<u16>),
    /// A move of a side.
    Move(usize, M),
    /// Names of the players.
    Names([String; 2]),
}

/// Position of a game.
pub(super) type At<G> = <G as TurnGame>::Position;
/// Move of a game.
pub(super) type MoveOf<G> = <At<G> as grandstand_rules::turn::Position>::Move;

/// A game with reviews.
pub(super) trait ReviewableGame: TurnGame {
    /// Engine of the game.
    type Expert: Expert<At<Self>> + Send + 'static;

    /// Creates an engine.
    fn expert(&self) -> Result<Self::Expert, ReviewError>;

    /// Meaning of a command.
    fn step_of(command: &Command) -> Option<RecordedStep<MoveOf<Self>>>;

    /// Rules of a match without rules in its header, if the board suffices.
    fn default_rules(game: Game, size: Option<u16>) -> Option<Map<String, Value>>;

    /// Move in the notation of the list of moves.
    fn text(position: &At<Self>, mv: MoveOf<Self>) -> String;

    /// Cause of a bad move; `before` is the position before it.
    fn cause(expert: &mut Self::Expert, before: &At<Self>, judged: &Judged<MoveOf<Self>>) -> Cause;
}

/// A review under way, of any game.
pub(super) trait ReviewTask: Send {
    fn work(&mut self, stop: &AtomicBool) -> bool;
    fn progress(&self) -> (usize, usize);
    fn take_changed(&mut self) -> Vec<MoveReview>;
    fn review(&self) -> Review;
    fn remark(&mut self, remark: String);
}

struct RunningReview<G: ReviewableGame> {
    search: Search<At<G>, G::Expert>,
    /// Numbers of the moves' commands.
    seqs: Vec<u64>,
    /// The review without its moves.
    about: Review,
    /// Reviewed moves, the last one first.
    found: Vec<MoveReview>,
    /// Those that are new or changed and not taken yet.
    changed: Vec<MoveReview>,
}

/// Opens a review.
pub(super) fn open<G: ReviewableGame>(recorded: &Recorded<'_>) -> Result<Box<dyn ReviewTask>, ReviewError> {
    let Recorded { game, header, log, result, nodes } = *recorded;
    let mut remarks = Vec::new();
    let drawn = read_moves::<G>(log);
    let rules = match &header.rules {
        Some(Value::Object(rules)) => rules.clone(),
        _ => {
            let guessed = G::default_rules(game, drawn.size).ok_or(HeaderError::Missing("rules"))?;
            remarks.push("the header has no rules: the usual ones are assumed".to_owned());
            guessed
        }
    };
    let mut rules = rules;
    take_clock(&mut rules);
    let settings = read_settings::<G>(game, rules)?.game;
    let Beginning { position, moves: given, .. } = settings.beginning();
    let played = follow::<G>(&position, &given, &drawn.moves, &mut remarks)?;
    let mut last = position.clone();
    played.iter().for_each(|&(_, mv)| last.advance(mv));
    if played.is_empty() {
        return Err(ReviewError::Empty);
    }
    if let Some(changed) = grandstand_matches::games::changed(game, header) {
        remarks.push(changed);
    }
    let sides = settings.sides();
    let teams = teams_of_sides(&header.teams, [sides[0].color, sides[1].color]);
    let named = |side: usize| {
        let drawn = drawn.names.as_ref().map(|names| names[side].clone());
        let known = teams[side].map(|team| team.name.to_string());
        // Names on the board have underscores in place of blanks.
        let whole = header.teams.iter().map(|team| team.name.to_string());
        let whole =
            drawn.map(|drawn| whole.clone().find(|name| name.replace(' ', "_") == drawn).unwrap_or(drawn));
        whole.or(known).filter(|name| !name.is_empty()).unwrap_or_else(|| sides[side].name.to_owned())
    };
    let end = last.end();
    let winner = match (result, end) {
        (Some(result), _) => {
            result.winner.as_deref().and_then(|winner| sides.iter().position(|side| side.name == winner))
        }
        (None, Some(end)) => match end.outcome {
            Outcome::Win(side) => Some(side.index()),
            Outcome::Draw => None,
        },
        (None, None) => None,
    };
    let termination = result
        .map(|result| result.termination.to_string())
        .or_else(|| end.map(|end| end.termination.to_owned()));
    let from = played.len().saturating_sub(MOVES_MAX);
    if from > 0 {
        remarks.push(format!("only the last {MOVES_MAX} moves are reviewed"));
    }
    let mut start = position;
    played[..from].iter().for_each(|&(_, mv)| start.advance(mv));
    let length = given.len() + played.len();
    let (seqs, moves): (Vec<u64>, Vec<_>) = played.into_iter().skip(from).unzip();
    let about = Review {
        game,
        players: [0, 1].map(|side| (sides[side].name.to_owned(), named(side))),
        winner,
        termination,
        by_rules: end.is_some(),
        length,
        nodes,
        progress: (0, moves.len() + 1),
        moves: Vec::new(),
        last: None,
        remarks,
    };
    let expert = settings.expert()?;
    let search = Search::new(expert, start, moves, nodes);
    Ok(Box::new(RunningReview::<G> { search, seqs, about, found: Vec::new(), changed: Vec::new() }))
}

/// Drawn moves of a log.
struct DrawnMoves<M> {
    moves: Vec<(u64, usize, M)>,
    size: Option<u16>,
    names: Option<[String; 2]>,
}

fn read_moves<G: ReviewableGame>(log: &Log) -> DrawnMoves<MoveOf<G>> {
    let mut drawn = DrawnMoves { moves: Vec::new(), size: None, names: None };
    for seq in 1..=log.last_seq() {
        match log.command(seq).as_ref().and_then(G::step_of) {
            Some(RecordedStep::NewBoard(size)) => {
                drawn.moves.clear();
                drawn.size = size;
            }
            Some(RecordedStep::Move(side, mv)) if drawn.moves.len() < MOVES_READ => {
                drawn.moves.push((seq, side, mv))
            }
            Some(RecordedStep::Names(names)) => drawn.names = Some(names),
            Some(RecordedStep::Move(..)) | None => {}
        }
    }
    drawn
}

/// Drawn moves after the given ones, as long as they are legal.
fn follow<G: ReviewableGame>(
    start: &At<G>,
    given: &[MoveOf<G>],
    drawn: &[(u64, usize, MoveOf<G>)],
    remarks: &mut Vec<String>,
) -> Result<Vec<(u64, MoveOf<G>)>, ReviewError> {
    let count = given.iter().zip(drawn).take_while(|(given, (_, _, mv))| *given == mv).count();
    if count < given.len() {
        return Err(ReviewError::Illegal("the moves of START are not drawn".to_owned()));
    }
    let mut position = start.clone();
    let mut played = Vec::new();
    for &(seq, side, mv) in &drawn[count..] {
        let number = count + played.len() + 1;
        let wrong = if position.end().is_some() {
            Some("the game is over before it".to_owned())
        } else if side != position.to_move().index() {
            Some(format!("it is {}'s turn", At::<G>::team_name(position.to_move())))
        } else {
            position.check(mv).err().map(|illegal| illegal.to_string())
        };
        if let Some(wrong) = wrong {
            let wrong = format!("move {number}, {}, is illegal: {wrong}", position.move_text(mv));
            if played.is_empty() {
                return Err(ReviewError::Illegal(wrong));
            }
            remarks.push(format!("{wrong}; the match is reviewed up to there"));
            break;
        }
        position.advance(mv);
        played.push((seq, mv));
    }
    Ok(played)
}

impl<G: ReviewableGame> ReviewTask for RunningReview<G> {
    fn work(&mut self, stop: &AtomicBool) -> bool {
        let more = self.search.work(stop);
        for (ply, judged) in self.search.take_changed() {
            let made = self.told(ply, &judged);
            match self.found.binary_search_by_key(&Reverse(made.number), |found| Reverse(found.number)) {
                Ok(known) => self.found[known] = made.clone(),
                Err(at) => self.found.insert(at, made.clone()),
            }
            self.changed.push(made);
        }
        more
    }

    fn progress(&self) -> (usize, usize) {
        self.search.progress()
    }

    fn take_changed(&mut self) -> Vec<MoveReview> {
        std::mem::take(&mut self.changed)
    }

    fn review(&self) -> Review {
        let scale = G::Expert::scale(self.search.expert());
        Review {
            progress: self.search.progress(),
            moves: self.found.iter().rev().cloned().collect(),
            last: self.search.last().map(|score| chance(score, scale)),
            ..self.about.clone()
        }
    }

    fn remark(&mut self, remark: String) {
        self.about.remarks.push(remark);
    }
}

impl<G: ReviewableGame> RunningReview<G> {
    /// Converts a judged move.
    fn told(&mut self, ply: usize, judged: &Judged<MoveOf<G>>) -> MoveReview {
        let before = self.search.position(ply);
        let scale = self.search.expert().scale();
        let line = |from: &At<G>, line: &[MoveOf<G>]| {
            let mut position = from.clone();
            let mut texts = Vec::new();
            for &mv in line {
                if position.check(mv).is_err() {
                    break;
                }
                texts.push(G::text(&position, mv));
                position.advance(mv);
            }
            texts
        };
        let mut after = before.clone();
        after.advance(judged.played);
        let cause = judged.grade().map(|_| G::cause(self.search.expert_mut(), &before, judged));
        MoveReview {
            number: before.ply() + 1,
            seq: self.seqs.get(ply).copied().unwrap_or_default(),
            side: judged.side.index(),
            text: G::text(&before, judged.played),
            before: judged.before,
            after: judged.after,
            chances: [judged.before, judged.after].map(|score| chance(score, scale)),
            grade: judged.grade(),
            better: line(&before, &judged.better),
            reply: line(&after, &judged.reply),
            cause,
            depth: judged.depth,
        }
    }
}

/// Names of the other side and of the side itself.
pub(super) fn names<P: grandstand_rules::turn::Drawn>(side: Side) -> [&'static str; 2] {
    [P::team_name(side), P::team_name(side.opponent())]
}
