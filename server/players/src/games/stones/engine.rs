//! Player of Gomoku and Pente that is a program under the Gomocup protocol.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_rules::stones::{Point, Position, Rule};
use grandstand_rules::turn::Thought;
use grandstand_rules::turn::{Drawn, Side};

use crate::gomocup::Pair;
use crate::gomocup::manager::{BoardPoint, Event, Fault, Opponent, Question, Setup, reserve};
use crate::gomocup::process::{Engine, Options, Waited};
use crate::sandbox;
use crate::turns::player::{DirectPlayer, Player, Preparation, Turn};
use crate::turns::player_factory::PlayerFactory;
use crate::turns::reports::Reports;

/// Syntax of the player.
pub const USAGE: &str = "engine:COMMAND";

/// Engines of one command that wait for their next match. Dropping the pool ends them.
#[derive(Debug, Default)]
pub struct EnginePool {
    engines: Mutex<Vec<Engine>>,
}

impl EnginePool {
    fn take(&self) -> Option<Engine> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn keep(&self, engine: Engine) {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
    }
}

impl Drop for EnginePool {
    fn drop(&mut self) {
        for engine in self.engines.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // Nobody is left to read the note.
            engine.leave();
        }
    }
}

/// Creates the factory for the command after `engine:`.
///
/// # Errors
/// If the command can't be split, or this program's own executable can't be found.
pub fn create(command: Option<&str>) -> Result<PlayerFactory<Position>, String> {
    let command = sandbox::split(command.unwrap_or_default());
    let command = command.map_err(|error| format!("{error}; expected {USAGE}"))?;
    let grandstand = std::env::current_exe().map_err(|error| format!("where this program is: {error}"))?;
    let options = Options::new(grandstand);
    let pool = Arc::new(EnginePool::default());
    // The name is the command without directories.
    let words = command.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
    let name = words.collect::<Vec<_>>().join(" ");
    Ok(PlayerFactory::of_program(name, move |programs| {
        let options = Options {
            limits: programs.limits.clone(),
            isolation: programs.isolation,
            readable: programs.readable.clone(),
            ..options.clone()
        };
        let player =
            EnginePlayer { logs: programs.logs.clone(), ..EnginePlayer::new(command.clone(), options) };
        if programs.several { player.reusing(Arc::clone(&pool)) } else { player }
    }))
}

/// Player that is a program under the Gomocup protocol, run in the sandbox. `server/GOMOCUP.md` describes it.
#[derive(Debug)]
pub struct EnginePlayer {
    command: Vec<String>,
    options: Options,
    /// Directory for the engine's standard error, with a file for its side.
    logs: Option<PathBuf>,
    pool: Option<Arc<EnginePool>>,
    engine: Option<Engine>,
    /// Whether the engine has played an earlier match.
    reused: bool,
    /// Whether a question is open.
    asked: bool,
    /// Move that the engine answered ahead of time in an opening, with the moves after which it holds.
    ahead: Option<(Vec<BoardPoint>, BoardPoint)>,
    reports: Option<Reports<Point>>,
}

impl EnginePlayer {
    /// A player that starts `command` for each match, and ends it afterwards.
    pub fn new(command: Vec<String>, options: Options) -> Self {
        Self {
            command,
            options,
            logs: None,
            pool: None,
            engine: None,
            reused: false,
            asked: false,
            ahead: None,
            reports: None,
        }
    }

    /// Makes the player take an engine of `pool` for a match if there is one, and return it afterwards.
    #[must_use]
    pub fn reusing(self, pool: Arc<EnginePool>) -> Self {
        Self { pool: Some(pool), ..self }
    }

    /// An engine that begins the match; one of the pool, unless `new` is set.
    fn begin(&mut self, game: &Preparation<Position>, new: bool) -> Result<Engine, Forfeit> {
        let size = game.start.size().get();
        let setup = Setup {
            size: (size, size),
            rule: game.start.rule(),
            time: game.time,
            memory_bytes: self.options.limits.memory_bytes,
            opponent: Opponent::Program,
            folder: None,
        };
        let pooled = self.pool.as_ref().filter(|_| !new).and_then(|pool| pool.take());
        self.reused = pooled.is_some();
        let engine = match pooled {
            Some(mut engine) => {
                engine.restart(setup, game.deadline);
                engine
            }
            None => {
                let seat = game.side.index();
                if let Some(logs) = &self.logs {
                    self.options.log = Some(logs.join(format!("{}.log", Position::team_name(game.side))));
                }
                let engine = Engine::start(&self.command, &self.options, setup, game.deadline, seat);
                engine.map_err(|why| Forfeit::of_machine(Forfeit::STARTUP, &why))?
            }
        };
        let stopper = engine.stopper();
        game.stop.when_set(move || stopper.stop());
        Ok(engine)
    }

    /// Gets ready, at most until `until`; `None` while the engine is not ready.
    fn ready(&mut self, game: &Preparation<Position>, until: Option<Instant>) -> Option<Result<(), Forfeit>> {
        let mut new = false;
        loop {
            let mut engine = match self.engine.take() {
                Some(engine) => engine,
                None => match self.begin(game, new) {
                    Ok(engine) => engine,
                    Err(why) => return Some(Err(why)),
                },
            };
            let waited = engine.wait_until(until, &mut |event| tell(&game.reports, event));
            return Some(Err(match waited {
                None | Some(Waited::For(Event::Ready)) => {
                    self.engine = Some(engine);
                    return waited.map(|_| Ok(()));
                }
                Some(Waited::Stopped) => stopped(),
                Some(Waited::For(_)) if self.reused => {
                    // The engine can't begin another match, or has ended: a new one takes its place.
                    drop(engine.leave());
                    new = true;
                    continue;
                }
                Some(Waited::For(Event::Fault(fault))) => forfeit(&fault, &engine),
                Some(Waited::For(other)) => {
                    Forfeit::new(Forfeit::STARTUP, format!("it was to begin and answered {other:?}"))
                }
            }));
        }
    }

    /// Asks the question, unless that is done, and waits for the answer, at most until `until`; `None` while there is
    /// no answer.
    fn ask(
        &mut self,
        question: impl FnOnce() -> Question,
        turn: &Turn<'_, Position>,
        until: Option<Instant>,
    ) -> Option<Result<Event, Forfeit>> {
        let Some(engine) = &mut self.engine else {
            return Some(Err(Forfeit::new(Forfeit::CRASH, "it is gone")));
        };
        if !std::mem::replace(&mut self.asked, true) {
            // The engine's stated time is shorter than its real time. If it exceeds the stated time by most of the
            // difference, the cause of its loss is its output so far, rather than its clock.
            let deadline = turn.deadline.map(|deadline| {
                let reserve = reserve(deadline.saturating_duration_since(turn.began));
                // The question leaves only now, later than `began`.
                deadline - reserve / 4 + turn.began.elapsed()
            });
            engine.ask(question(), turn.left[turn.side.index()], deadline);
        }
        let waited = engine.wait_until(until, &mut |event| tell(turn.reports, event))?;
        self.asked = false;
        let timing = engine.timing();
        // Delays of this program do not count as the engine's time.
        turn.answered_at(turn.began + timing.answered.saturating_duration_since(timing.asked));
        Some(match waited {
            Waited::For(Event::Fault(fault)) => {
                let why = forfeit(&fault, engine);
                self.engine = None;
                Err(why)
            }
            Waited::For(event) => Ok(event),
            Waited::Stopped => {
                self.engine = None;
                Err(stopped())
            }
        })
    }

    /// Answers the question for a move, waiting at most until `until`.
    fn move_by(
        &mut self,
        turn: &Turn<'_, Position>,
        until: Option<Instant>,
    ) -> Option<Result<Answer<Point>, Forfeit>> {
        if let Some((after, at)) = self.ahead.take() {
            if after == told(turn.moves) {
                return Some(point(turn.position, (at.0.into(), at.1.into())).map(Answer::Move));
            }
            self.ahead = Some((after, at));
        }
        let answer = self.ask(|| Question::Move(told(turn.moves)), turn, until)?;
        Some(answer.and_then(|event| match event {
            Event::Points(points) if points.len() == 1 => point(turn.position, points[0]).map(Answer::Move),
            other => Err(Forfeit::new(Forfeit::RUBBISH, format!("it was to move and answered {other:?}"))),
        }))
    }

    /// Answers a question of an opening, waiting at most until `until`.
    fn open_by(
        &mut self,
        asked: OpeningQuestion,
        turn: &Turn<'_, Position>,
        until: Option<Instant>,
    ) -> Option<Result<Answer<Point>, Forfeit>> {
        if turn.position.rule() == Rule::Pente {
            let why = Forfeit::new(Forfeit::ILLEGAL, "its protocol has no such openings in Pente");
            return Some(Err(why));
        }
        let answer = self.ask(|| Question::Swap2(told(turn.moves)), turn, until)?;
        Some(answer.and_then(|event| {
            // A single move is one of the side that moves next, which is the second side in every stage; making it
            // takes that side.
            let taken = match event {
                Event::Swap => Side::First,
                Event::Points(points) => {
                    let stones: Vec<Point> =
                        points.iter().map(|at| point(turn.position, *at)).collect::<Result<_, _>>()?;
                    if asked.stones() == Some(stones.len()) {
                        return Ok(Answer::Place(stones));
                    }
                    self.ahead = stones.first().map(|stone| (told(turn.moves), (stone.x(), stone.y())));
                    Side::Second
                }
                other => {
                    let why = format!("it was to open and answered {other:?}");
                    return Err(Forfeit::new(Forfeit::RUBBISH, why));
                }
            };
            Ok(if taken == turn.side { Answer::Stay } else { Answer::Swap })
        }))
    }
}

/// Result of a wait without a deadline, which has none only after a stop.
fn unless_stopped<T>(waited: Option<Result<T, Forfeit>>) -> Result<T, Forfeit> {
    waited.unwrap_or_else(|| Err(stopped()))
}

impl Player<Position> for EnginePlayer {
    fn prepare(&mut self, game: &Preparation<Position>) -> Result<(), Forfeit> {
        (self.reports, self.ahead) = (Some(game.reports.clone()), None);
        unless_stopped(self.ready(game, None))
    }

    /// The grace is long, since this player measures the engine's time itself, by the moments at which bytes left and
    /// arrived, and always ends the wait.
    fn grace(&self) -> Duration {
        Duration::from_millis(800)
    }

    fn choose(&mut self, turn: &Turn<'_, Position>) -> Result<Answer<Point>, Forfeit> {
        unless_stopped(self.move_by(turn, None))
    }

    fn answer_opening(
        &mut self,
        asked: OpeningQuestion,
        turn: &Turn<'_, Position>,
    ) -> Result<Answer<Point>, Forfeit> {
        unless_stopped(self.open_by(asked, turn, None))
    }

    fn finish(&mut self) {
        let Some(engine) = self.engine.take() else { return };
        if let Some(pool) = &self.pool {
            pool.keep(engine);
        } else if let (Some(last), Some(reports)) = (engine.leave(), &self.reports) {
            reports.note(&last);
        }
    }

    fn direct(&mut self) -> Option<&mut dyn DirectPlayer<Position>> {
        Some(self)
    }
}

impl DirectPlayer<Position> for EnginePlayer {
    fn get_ready(&mut self, game: &Preparation<Position>, until: Instant) -> Option<Result<(), Forfeit>> {
        if self.engine.is_none() {
            (self.reports, self.ahead) = (Some(game.reports.clone()), None);
        }
        self.ready(game, Some(until))
    }

    fn answer(
        &mut self,
        asked: Option<OpeningQuestion>,
        turn: &Turn<'_, Position>,
        until: Instant,
    ) -> Option<Result<Answer<Point>, Forfeit>> {
        match asked {
            None => self.move_by(turn, Some(until)),
            Some(asked) => self.open_by(asked, turn, Some(until)),
        }
    }

    /// An engine that goes back to the pool is not ended.
    fn lingers(&self) -> bool {
        self.pool.is_none()
    }
}

fn told(moves: &[Point]) -> Vec<BoardPoint> {
    moves.iter().map(|point| (point.x(), point.y())).collect()
}

/// Point of the board that the engine named. The referee checks whether it is free.
fn point(position: &Position, (x, y): Pair) -> Result<Point, Forfeit> {
    let coordinate = |n: i64| u16::try_from(n).ok();
    let point = coordinate(x).zip(coordinate(y)).and_then(|(x, y)| Point::new(x, y));
    point.filter(|point| position.size().has(*point)).ok_or_else(|| {
        Forfeit::new(Forfeit::ILLEGAL, format!("it moved to {x},{y}, which is not on the board"))
    })
}

fn stopped() -> Forfeit {
    Forfeit::new(Forfeit::TIME, "nobody waits for it any more")
}

fn forfeit(fault: &Fault, engine: &Engine) -> Forfeit {
    if engine.is_of_machine(fault) {
        return Forfeit::of_machine(fault.termination(), &fault.to_string());
    }
    let last = engine.last_words();
    let last =
        last.lines().last().map(|line| format!("; the last of its errors: {line}")).unwrap_or_default();
    Forfeit::new(fault.termination(), format!("{fault}{last}"))
}

/// Passes on an engine's reports besides its answers.
fn tell(reports: &Reports<Point>, event: Event) {
    match event {
        Event::Name(name) => reports.name(&name),
        Event::Thought(Thought { score, depth, nodes, line }) => {
            let line = line.into_iter().map_while(|(x, y)| Point::new(x, y)).collect();
            reports.thought(Thought { score, depth, nodes, line });
        }
        Event::Note(text) => reports.note(&text),
        _ => {}
    }
}
