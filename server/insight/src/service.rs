//! Message interface of a match, for a thread or a worker. It works in short slices, so that no question delays the
//! others for long.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::heat::Heat;
use crate::insight::Insight;
use crate::json;
use crate::open::OpenError;
use crate::printing::Printing;
use crate::question::{Asked, HeatOf, Question, direction, moment, prints};
use crate::scan::{Found, Scan};
use crate::search::Moment;
use crate::view::AskError;

/// Cycles played in one slice.
const SLICE: u64 = 8_192;
/// Rows in the answer to a print at most.
const ROWS: usize = 2_000;
/// Lines in the answer to a heat question at most.
const LINES: usize = 2_000;

/// A match that answers messages; `server/INSIGHT.md` lists them.
///
/// [`ask`](Self::ask) takes a question. [`work`](Self::work) gives the answers: it takes some milliseconds and is
/// called again until the service [is idle](Self::is_idle).
#[derive(Debug)]
pub struct InsightService {
    insight: Result<Insight, String>,
    waiting: VecDeque<Asked>,
    job: Option<(u64, Job)>,
    heat: Option<Heat>,
}

/// A question that takes many slices.
#[derive(Debug)]
enum Job {
    Find(Scan),
    Print(Printing),
    Heat(Heat, Option<HeatOf>),
}

/// Why a question has no answer.
enum Silence {
    /// The match has not been played that far yet.
    NotYet,
    /// There is none; the reason in words.
    Never(String),
}

impl From<AskError> for Silence {
    fn from(error: AskError) -> Self {
        match error {
            AskError::NotPlayed { .. } => Silence::NotYet,
            error => Silence::Never(error.to_string()),
        }
    }
}

impl InsightService {
    /// A service for a match. If it could not be opened, every question is answered by the error.
    pub fn new(insight: Result<Insight, OpenError>) -> Self {
        Self {
            insight: insight.map_err(|error| error.to_string()),
            waiting: VecDeque::new(),
            job: None,
            heat: None,
        }
    }

    /// Takes a question. Returns an answer only if the text is not a question.
    pub fn ask(&mut self, question: &str) -> Option<String> {
        let asked: Asked = match serde_json::from_str(question) {
            Ok(asked) => asked,
            Err(error) => {
                return Some(json!({ "error": format!("this is no question: {error}") }).to_string());
            }
        };
        if let Question::Cancel = asked.question {
            self.waiting.retain(|other| other.id != asked.id);
            self.job.take_if(|(id, _)| *id == asked.id);
            return None;
        }
        self.waiting.push_back(asked);
        None
    }

    /// Whether nothing is left to do until the next question.
    pub fn is_idle(&self) -> bool {
        let plays = self.insight.as_ref().is_ok_and(|insight| !insight.is_over());
        self.waiting.is_empty() && self.job.is_none() && !plays
    }

    /// Works for one slice. Returns answers and progress, each as a JSON object.
    pub fn work(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        let insight = match &mut self.insight {
            Ok(insight) => insight,
            Err(error) => {
                let refused = self.waiting.drain(..).map(|asked| json!({ "id": asked.id, "error": error }));
                return refused.map(|answer| answer.to_string()).collect();
            }
        };
        for asked in std::mem::take(&mut self.waiting) {
            let id = asked.id;
            match answer(insight, &asked.question) {
                Some(Ok(answer)) => told.push(json!({ "id": id, "answer": answer })),
                Some(Err(Silence::Never(error))) => told.push(json!({ "id": id, "error": error })),
                Some(Err(Silence::NotYet)) | None => self.waiting.push_back(asked),
            }
        }
        if !insight.is_over() {
            insight.play_on(SLICE);
            let asked = self.waiting.iter().find(|asked| matches!(asked.question, Question::Played));
            told.extend(asked.map(|asked| json!({ "id": asked.id, "progress": insight.progress() })));
        } else if let Some((id, job)) = self.job.take() {
            self.work_on(id, job, &mut told);
        } else if let Some(asked) = self.waiting.pop_front() {
            self.begin(asked, &mut told);
        }
        told.iter().map(Value::to_string).collect()
    }

    /// Starts a question that takes many slices.
    fn begin(&mut self, asked: Asked, told: &mut Vec<Value>) {
        let Ok(insight) = &mut self.insight else { return };
        let id = asked.id;
        let job = match asked.question {
            Question::Find { cycle, within, back, what } => {
                Scan::new(insight, what.sought(), moment(cycle, within), direction(back))
                    .map(Job::Find)
                    .map_err(|error| error.to_string())
            }
            Question::Print { file, line, expression, bot } => {
                Printing::new(insight, &prints(file, line, expression, bot), ROWS)
                    .map(Job::Print)
                    .map_err(|error| error.to_string())
            }
            Question::Heat { of } => {
                Ok(Job::Heat(self.heat.take().unwrap_or_else(|| Heat::new(insight)), of))
            }
            // The other kinds have been answered in `work`.
            _ => return,
        };
        match job {
            Ok(job) => self.job = Some((id, job)),
            Err(error) => told.push(json!({ "id": id, "error": error })),
        }
    }

    fn work_on(&mut self, id: u64, job: Job, told: &mut Vec<Value>) {
        let Ok(insight) = &mut self.insight else { return };
        let mut goes_on = |progress: f32, job: Job| {
            self.job = Some((id, job));
            json!({ "id": id, "progress": progress })
        };
        told.push(match job {
            Job::Find(mut scan) => match scan.go_on(insight) {
                Err(error) => json!({ "id": id, "error": error.to_string() }),
                Ok(Found::NotYet) => goes_on(scan.progress(insight), Job::Find(scan)),
                Ok(Found::Nowhere) => json!({ "id": id, "answer": { "found": null } }),
                Ok(Found::At(moment, bot)) => match view(insight, moment, bot) {
                    Ok(view) => json!({ "id": id, "answer": { "found": view } }),
                    Err(error) => json!({ "id": id, "error": error.to_string() }),
                },
            },
            Job::Print(mut printing) => match printing.go_on(insight) {
                Err(error) => json!({ "id": id, "error": error.to_string() }),
                Ok(true) => goes_on(printing.progress(insight), Job::Print(printing)),
                Ok(false) => json!({ "id": id, "answer": printed(insight, &printing) }),
            },
            Job::Heat(mut heat, of) => {
                if heat.progress(insight) < 1.0 && heat.go_on(insight) {
                    goes_on(heat.progress(insight), Job::Heat(heat, of))
                } else {
                    let answer = heat_json(insight, &heat, of.as_ref());
                    self.heat = Some(heat);
                    json!({ "id": id, "answer": answer })
                }
            }
        });
    }
}

/// Answer to a short question. `None` for a long one, and for one about the whole match while it is still played.
fn answer(insight: &mut Insight, question: &Question) -> Option<Result<Value, Silence>> {
    Some(match question {
        Question::Match => Ok(facts(insight)),
        Question::Played if insight.is_over() => Ok(played(insight)),
        Question::Moment { seq } => present(insight, *seq),
        Question::At { bot, cycle, within } => {
            view(insight, moment(*cycle, *within), *bot).map_err(Silence::from)
        }
        Question::Step { bot, cycle, within, by, back } => {
            let step = insight.step(moment(*cycle, *within), *bot, by.step(), direction(*back));
            let found = step.and_then(|step| step.map(|step| view(insight, step, *bot)).transpose());
            found.map(|found| json!({ "found": found })).map_err(Silence::from)
        }
        _ => return None,
    })
}

/// A bot at a moment, with the fields that the panel adds.
fn view(insight: &mut Insight, moment: Moment, bot: u32) -> Result<Value, AskError> {
    let view = insight.at(moment, bot)?;
    let mut object = json::view(&view);
    object["doing"] = insight.doing(&view).into();
    object["seq"] = insight.seq_at(moment.cycle).into();
    object["turn"] = insight.turn_of(moment.cycle).into();
    Ok(object)
}

/// Facts that are known before the match is played.
fn facts(insight: &Insight) -> Value {
    let (sides, names) = (insight.sides(), insight.names());
    let sides = [0, 1].map(|side| {
        let files = insight.program(side).map_or(&[][..], |program| program.sources().files());
        json!({
            "team": sides[side].name,
            "player": names[side],
            "files": files.iter().map(|file| json!({ "name": file.name, "text": file.text })).collect::<Vec<_>>(),
            "lines": insight.program(side).map(|program| {
                let mut lines = program.lines();
                lines.sort_unstable();
                lines.dedup();
                lines
            }),
        })
    });
    let tempo = insight.tempo();
    json!({ "sides": sides, "beat": tempo.beat, "ticks": tempo.ticks, "word": insight.bot_word() })
}

/// Facts that are known after it was played.
fn played(insight: &Insight) -> Value {
    let bots = insight.bots().into_iter().map(|bot| {
        json!({
            "bot": bot.bot,
            "side": bot.side,
            "born": bot.born,
            "gone": bot.gone.as_ref().map(|entry| entry.cycle),
            "fate": bot.gone.as_ref().map(ToString::to_string),
        })
    });
    json!({ "bots": bots.collect::<Vec<_>>(), "cycles": insight.last_cycle(), "remarks": insight.remarks() })
}

/// The cycle of a command, and the bots alive then.
fn present(insight: &mut Insight, seq: u64) -> Result<Value, Silence> {
    let Some(cycle) = insight.cycle_of(seq) else {
        return Err(match insight.is_over() {
            false => Silence::NotYet,
            true => Silence::Never(match &insight.compared().difference {
                Some(difference) => difference.to_string(),
                None => format!("the match was not played as far as command {seq}"),
            }),
        });
    };
    let bots = insight
        .present(cycle)?
        .into_iter()
        .map(|bot| json!({ "bot": bot.pid.0, "side": bot.side, "who": bot.who, "at": bot.at }));
    Ok(
        json!({ "seq": seq, "cycle": cycle, "turn": insight.turn_of(cycle), "bots": bots.collect::<Vec<_>>() }),
    )
}

fn printed(insight: &Insight, printing: &Printing) -> Value {
    let rows = printing.printed.iter().map(|row| {
        // The row's moment is the end of the cycle before.
        let cycle = row.cycle.saturating_sub(1);
        json!({
            "bot": row.bot,
            "side": row.side,
            "cycle": cycle,
            "turn": insight.turn_of(row.cycle),
            "seq": insight.seq_at(cycle),
            "text": row.value.as_ref().map_or_else(Clone::clone, ToString::to_string),
            "failed": row.value.is_err(),
        })
    });
    json!({ "rows": rows.collect::<Vec<_>>(), "count": printing.count })
}

fn heat_json(insight: &Insight, heat: &Heat, of: Option<&HeatOf>) -> Value {
    let lines = heat.lines(insight).into_iter().take(LINES).map(|line| {
        json!({ "side": line.side, "file": line.file, "line": line.line, "reductions": line.reductions })
    });
    let of = of.map(|of| (of.side, of.file.as_str(), of.line));
    let bots = heat
        .bots(insight, of)
        .into_iter()
        .map(|(bot, row)| json!({ "bot": bot, "side": insight.played.side_of(bot), "reductions": row }));
    json!({ "lines": lines.collect::<Vec<_>>(), "bots": bots.collect::<Vec<_>>(), "turns": heat.turns })
}
