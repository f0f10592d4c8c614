//! A program that speaks the Gomocup protocol, at Gomoku or Pente.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_rules::stones::{Point, Position, Rule};
use grandstand_rules::turn::Thought;
use grandstand_rules::turn::{Drawn, Side};

use crate::gomocup::Pair;
use crate::gomocup::manager::{At, Event, Fault, Opponent, Question, Setup, reserve};
use crate::gomocup::process::{Engine, Options, Waited};
use crate::sandbox;
use crate::turns::entrant::Entrant;
use crate::turns::player::{Player, Preparation, Turn};
use crate::turns::reports::Reports;

/// How it is written.
pub const USAGE: &str = "engine:COMMAND";

/// Engines of one command that wait for their next match. What is left of them ends with this.
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
            // Nobody is left to be told how.
            engine.leave();
        }
    }
}

/// Who plays when `engine:` is followed by this command.
///
/// # Errors
/// If it is none, or this program's own file can't be found.
pub fn enter(command: Option<&str>) -> Result<Entrant<Position>, String> {
    let command = sandbox::split(command.unwrap_or_default());
    let command = command.map_err(|error| format!("{error}; expected {USAGE}"))?;
    let grandstand = std::env::current_exe().map_err(|error| format!("where this program is: {error}"))?;
    let options = Options::new(grandstand);
    let pool = Arc::new(EnginePool::default());
    // The program's file, and what else it was told, without its directories.
    let words = command.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
    let name = words.collect::<Vec<_>>().join(" ");
    Ok(Entrant::of_program(name, move |programs| {
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

/// A player that is a program under the Gomocup protocol, run in the box. `server/GOMOCUP.md` says how.
#[derive(Debug)]
pub struct EnginePlayer {
    command: Vec<String>,
    options: Options,
    /// Where what it writes to its standard error is kept, in a file for its side.
    logs: Option<PathBuf>,
    pool: Option<Arc<EnginePool>>,
    engine: Option<Engine>,
    /// What it has said ahead, in an opening: where to move after these.
    ahead: Option<(Vec<At>, At)>,
    reports: Option<Reports<Point>>,
}

impl EnginePlayer {
    /// Starts `command` for a match, and ends it after that.
    pub fn new(command: Vec<String>, options: Options) -> Self {
        Self { command, options, logs: None, pool: None, engine: None, ahead: None, reports: None }
    }

    /// Takes one of `pool` for a match, if there is one, and leaves it there after that.
    #[must_use]
    pub fn reusing(self, pool: Arc<EnginePool>) -> Self {
        Self { pool: Some(pool), ..self }
    }

    /// An engine that is ready.
    fn ready(&mut self, setup: &Setup, game: &Preparation<Position>) -> Result<Engine, Forfeit> {
        let wait = |engine: &mut Engine| {
            let stopper = engine.stopper();
            game.stop.when_set(move || stopper.stop());
            engine.wait(&mut |event| tell(&game.reports, event))
        };
        if let Some(mut engine) = self.pool.as_ref().and_then(|pool| pool.take()) {
            engine.again(setup.clone(), game.deadline);
            match wait(&mut engine) {
                Waited::For(Event::Ready) => return Ok(engine),
                Waited::Stopped => return Err(stopped()),
                // It can't begin anew, or is no more: another one can.
                Waited::For(_) => drop(engine.leave()),
            }
        }
        let startup = |why: String| Forfeit::new(Forfeit::STARTUP, why);
        let seat = game.side.index();
        if let Some(logs) = &self.logs {
            self.options.log = Some(logs.join(format!("{}.log", Position::team_name(game.side))));
        }
        let engine = Engine::start(&self.command, &self.options, setup.clone(), game.deadline, seat);
        let mut engine = engine.map_err(|why| Forfeit::of_machine(&why))?;
        match wait(&mut engine) {
            Waited::For(Event::Ready) => Ok(engine),
            Waited::For(Event::Fault(fault)) => Err(forfeit(&fault, &engine)),
            Waited::For(other) => Err(startup(format!("it was to begin and answered {other:?}"))),
            Waited::Stopped => Err(stopped()),
        }
    }

    /// Asks, and waits for the answer.
    fn ask(&mut self, question: Question, turn: &Turn<'_, Position>) -> Result<Event, Forfeit> {
        let Some(mut engine) = self.engine.take() else {
            return Err(Forfeit::new(Forfeit::CRASH, "it is gone"));
        };
        let stopper = engine.stopper();
        turn.stop.when_set(move || stopper.stop());
        // It was told of less time than there is. When most of the difference has passed too, the cause is what it has said
        // until then, rather than that its clock has run out.
        let deadline = turn.deadline.map(|deadline| {
            let reserve = reserve(deadline.saturating_duration_since(turn.began));
            // It has not been asked yet.
            deadline - reserve / 4 + turn.began.elapsed()
        });
        engine.ask(question, turn.left[turn.side.index()], deadline);
        let waited = engine.wait(&mut |event| tell(turn.reports, event));
        let timing = engine.timing();
        // What our side took is not its time.
        turn.answered_at(turn.began + timing.answered.saturating_duration_since(timing.asked));
        match waited {
            Waited::For(Event::Fault(fault)) => Err(forfeit(&fault, &engine)),
            Waited::For(event) => {
                self.engine = Some(engine);
                Ok(event)
            }
            Waited::Stopped => Err(stopped()),
        }
    }
}

impl Player<Position> for EnginePlayer {
    fn prepare(&mut self, game: &Preparation<Position>) -> Result<(), Forfeit> {
        let size = game.start.size().get();
        let setup = Setup {
            size: (size, size),
            rule: game.start.rule(),
            time: game.time,
            memory_bytes: self.options.limits.memory_bytes,
            opponent: Opponent::Program,
            folder: None,
        };
        (self.reports, self.ahead) = (Some(game.reports.clone()), None);
        let engine = self.ready(&setup, game)?;
        self.engine = Some(engine);
        Ok(())
    }

    /// Its time is kept here, by the moments at which bytes left and came; so it is never waited for in vain.
    fn grace(&self) -> Duration {
        Duration::from_millis(800)
    }

    fn choose(&mut self, turn: &Turn<'_, Position>) -> Result<Answer<Point>, Forfeit> {
        let moves = told(turn.moves);
        if let Some((_, at)) = self.ahead.take_if(|(after, _)| *after == moves) {
            return point(turn.position, (at.0.into(), at.1.into())).map(Answer::Move);
        }
        match self.ask(Question::Move(moves), turn)? {
            Event::Points(points) if points.len() == 1 => point(turn.position, points[0]).map(Answer::Move),
            other => Err(Forfeit::new(Forfeit::RUBBISH, format!("it was to move and answered {other:?}"))),
        }
    }

    fn answer_opening(
        &mut self,
        asked: OpeningQuestion,
        turn: &Turn<'_, Position>,
    ) -> Result<Answer<Point>, Forfeit> {
        if turn.position.rule() == Rule::Pente {
            return Err(Forfeit::new(Forfeit::ILLEGAL, "its protocol has no such openings in Pente"));
        }
        let moves = told(turn.moves);
        // A move is one of the side that moves next, the second one in every stage; who makes it has that side.
        let taken = match self.ask(Question::Swap2(moves.clone()), turn)? {
            Event::Swap => Side::First,
            Event::Points(points) => {
                let stones: Vec<Point> =
                    points.iter().map(|at| point(turn.position, *at)).collect::<Result<_, _>>()?;
                if asked.stones() == Some(stones.len()) {
                    return Ok(Answer::Place(stones));
                }
                self.ahead = stones.first().map(|stone| (moves, (stone.x(), stone.y())));
                Side::Second
            }
            other => {
                return Err(Forfeit::new(Forfeit::RUBBISH, format!("it was to open and answered {other:?}")));
            }
        };
        Ok(if taken == turn.side { Answer::Stay } else { Answer::Swap })
    }

    fn finish(&mut self) {
        let Some(engine) = self.engine.take() else { return };
        if let Some(pool) = &self.pool {
            pool.keep(engine);
        } else if let (Some(last), Some(reports)) = (engine.leave(), &self.reports) {
            reports.note(&last);
        }
    }
}

fn told(moves: &[Point]) -> Vec<At> {
    moves.iter().map(|point| (point.x(), point.y())).collect()
}

/// What an engine says is a point of the board, or nothing legal. Whether it is free is for the referee to say.
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
    let last = engine.last_words();
    let last =
        last.lines().last().map(|line| format!("; the last of its errors: {line}")).unwrap_or_default();
    Forfeit::new(fault.termination(), format!("{fault}{last}"))
}

/// Passes on what an engine says besides its answers.
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
