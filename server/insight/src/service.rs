//! Message interface of a match, for a thread or a worker. It works in short slices, so that no question delays the
//! others for long.

use std::collections::VecDeque;

use grandstand_languages::Line;
use grandstand_protocol::insight::{
    BotAnswer, BotLife, Found, HeatMap, HotBot, MatchFacts, NumberedQuestion, PlayedFacts, PresentBot,
    PresentBots, PrintRow, PrintTable, Question, Reply, ReplyContent, SideFacts, SideLine, SourceFile,
};
use serde_json::{Value, json};

use crate::heat::Heat;
use crate::insight::Insight;
use crate::logpoint::Logpoint;
use crate::logpoint_scan::LogpointScan;
use crate::messages::bot_state;
use crate::open::OpenError;
use crate::reporting::Reporting;
use crate::scan::{self, Scan};
use crate::search::{Direction, Moment};
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
    waiting: VecDeque<NumberedQuestion>,
    job: Option<(u64, Job)>,
    heat: Option<Heat>,
}

/// A question that takes many slices.
#[derive(Debug)]
enum Job {
    Find(Scan),
    Print(LogpointScan),
    Heat(Heat, Option<SideLine>),
    Report(Reporting),
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
        let asked: NumberedQuestion = match serde_json::from_str(question) {
            Ok(asked) => asked,
            Err(error) => {
                let content = ReplyContent::Error(format!("this is no question: {error}"));
                return Some(json!(Reply { id: None, content }).to_string());
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
                let refused = self.waiting.drain(..).map(|asked| reply(asked.id, Err(error.clone())));
                return refused.map(|reply| json!(reply).to_string()).collect();
            }
        };
        for asked in std::mem::take(&mut self.waiting) {
            match answer(insight, &asked.question) {
                Some(Ok(answer)) => told.push(reply(asked.id, Ok(answer))),
                Some(Err(Silence::Never(error))) => told.push(reply(asked.id, Err(error))),
                Some(Err(Silence::NotYet)) | None => self.waiting.push_back(asked),
            }
        }
        if !insight.is_over() {
            insight.play_on(SLICE);
            let asked = self.waiting.iter().find(|asked| matches!(asked.question, Question::Played));
            told.extend(asked.map(|asked| progress(asked.id, insight.progress())));
        } else if let Some((id, job)) = self.job.take() {
            told.extend(self.work_on(id, job));
        } else if let Some(asked) = self.waiting.pop_front() {
            told.extend(self.begin(asked));
        }
        told.iter().map(|reply| json!(reply).to_string()).collect()
    }

    /// Starts a question that takes many slices. Returns why it can't be answered.
    fn begin(&mut self, asked: NumberedQuestion) -> Option<Reply> {
        let insight = self.insight.as_mut().ok()?;
        let job = match asked.question {
            Question::Find { cycle, within, back, what } => {
                Scan::new(insight, what, Moment { cycle, within }, direction(back))
                    .map(Job::Find)
                    .map_err(|error| error.to_string())
            }
            Question::Print { file, line, expression, bot } => {
                let prints = Logpoint { line: Line { file, line }, expression, bot };
                LogpointScan::new(insight, &prints, ROWS).map(Job::Print).map_err(|error| error.to_string())
            }
            Question::Heat { of } => {
                Ok(Job::Heat(self.heat.take().unwrap_or_else(|| Heat::new(insight)), of))
            }
            Question::Report => Ok(Job::Report(Reporting::new(insight))),
            // The other kinds have been answered in `work`.
            _ => return None,
        };
        match job {
            Ok(job) => {
                self.job = Some((asked.id, job));
                None
            }
            Err(error) => Some(reply(asked.id, Err(error))),
        }
    }

    fn work_on(&mut self, id: u64, job: Job) -> Option<Reply> {
        let insight = self.insight.as_mut().ok()?;
        let (share, job) = match job {
            Job::Find(mut scan) => match scan.go_on(insight) {
                Err(error) => return Some(reply(id, Err(error.to_string()))),
                Ok(scan::Found::NotYet) => (scan.progress(insight), Job::Find(scan)),
                Ok(scan::Found::Nowhere) => return Some(reply(id, Ok(json!(Found { found: None })))),
                Ok(scan::Found::At(moment, bot)) => {
                    let found = bot_answer(insight, moment, bot).map(|bot| json!(Found { found: Some(bot) }));
                    return Some(reply(id, found.map_err(|error| error.to_string())));
                }
            },
            Job::Print(mut printing) => match printing.go_on(insight) {
                Err(error) => return Some(reply(id, Err(error.to_string()))),
                Ok(true) => (printing.progress(insight), Job::Print(printing)),
                Ok(false) => return Some(reply(id, Ok(json!(print_table(insight, &printing))))),
            },
            Job::Heat(mut heat, of) => {
                if heat.progress(insight) < 1.0 && heat.go_on(insight) {
                    (heat.progress(insight), Job::Heat(heat, of))
                } else {
                    let answer = json!(heat_map(insight, &heat, of.as_ref()));
                    self.heat = Some(heat);
                    return Some(reply(id, Ok(answer)));
                }
            }
            Job::Report(mut reporting) => {
                if !reporting.go_on(insight) {
                    let report = reporting.finish(insight);
                    return Some(reply(id, Ok(json!(report.message(insight)))));
                }
                (reporting.progress(), Job::Report(reporting))
            }
        };
        self.job = Some((id, job));
        Some(progress(id, share))
    }
}

fn reply(id: u64, answer: Result<Value, String>) -> Reply {
    Reply { id: Some(id), content: answer.map_or_else(ReplyContent::Error, ReplyContent::Answer) }
}

fn progress(id: u64, share: f32) -> Reply {
    Reply { id: Some(id), content: ReplyContent::Progress(share) }
}

fn direction(back: bool) -> Direction {
    if back { Direction::Backward } else { Direction::Forward }
}

/// Answer to a short question. `None` for a long one, and for one about the whole match while it is still played.
fn answer(insight: &mut Insight, question: &Question) -> Option<Result<Value, Silence>> {
    Some(match *question {
        Question::Match => Ok(json!(match_facts(insight))),
        Question::Played if insight.is_over() => Ok(json!(played_facts(insight))),
        Question::Moment { seq } => present_bots(insight, seq).map(|present| json!(present)),
        Question::At { bot, cycle, within } => {
            let answer = bot_answer(insight, Moment { cycle, within }, bot);
            answer.map(|bot| json!(bot)).map_err(Silence::from)
        }
        Question::Step { bot, cycle, within, by, back } => {
            let step = insight.step(Moment { cycle, within }, bot, by, direction(back));
            let found = step.and_then(|step| step.map(|step| bot_answer(insight, step, bot)).transpose());
            found.map(|found| json!(Found { found })).map_err(Silence::from)
        }
        _ => return None,
    })
}

fn bot_answer(insight: &mut Insight, moment: Moment, bot: u32) -> Result<Box<BotAnswer>, AskError> {
    let view = insight.at(moment, bot)?;
    Ok(Box::new(BotAnswer {
        state: bot_state(&view),
        doing: insight.doing(&view),
        seq: insight.seq_at(moment.cycle),
        turn: insight.turn_of(moment.cycle),
    }))
}

fn match_facts(insight: &Insight) -> MatchFacts {
    let (sides, names, tempo) = (insight.sides(), insight.names(), insight.tempo());
    let side_facts = |side: usize| {
        let program = insight.program(side);
        let files = program.map_or(&[][..], |program| program.sources().files()).iter();
        let lines = program.map(|program| {
            let mut lines = program.lines();
            lines.sort_unstable();
            lines.dedup();
            lines
        });
        SideFacts {
            team: sides[side].name.to_owned(),
            player: names[side].clone(),
            files: files
                .map(|file| SourceFile { name: file.name.clone(), text: file.text.to_string() })
                .collect(),
            lines,
        }
    };
    MatchFacts {
        sides: [side_facts(0), side_facts(1)],
        beat: tempo.beat.to_owned(),
        ticks: tempo.ticks,
        word: insight.bot_word().to_owned(),
    }
}

fn played_facts(insight: &Insight) -> PlayedFacts {
    let bots = insight.bots().into_iter().map(|bot| BotLife {
        bot: bot.bot,
        side: bot.side,
        born: bot.born,
        gone: bot.gone.as_ref().map(|entry| entry.cycle),
        fate: bot.gone.as_ref().map(ToString::to_string),
    });
    PlayedFacts { bots: bots.collect(), cycles: insight.last_cycle(), remarks: insight.remarks() }
}

/// The cycle of a command, and the bots alive then.
fn present_bots(insight: &mut Insight, seq: u64) -> Result<PresentBots, Silence> {
    let Some(cycle) = insight.cycle_of(seq) else {
        return Err(match insight.is_over() {
            false => Silence::NotYet,
            true => Silence::Never(match &insight.compared().difference {
                Some(difference) => difference.to_string(),
                None => format!("the match was not played as far as command {seq}"),
            }),
        });
    };
    let bots = insight.bots_at(cycle)?.into_iter();
    let bots =
        bots.map(|bot| PresentBot { bot: bot.pid.0, side: bot.side, who: bot.who, at: bot.at }).collect();
    Ok(PresentBots { seq, cycle, turn: insight.turn_of(cycle), bots })
}

fn print_table(insight: &Insight, printing: &LogpointScan) -> PrintTable {
    let rows = printing.printed.iter().map(|row| {
        // The row's moment is the end of the cycle before.
        let cycle = row.cycle.saturating_sub(1);
        PrintRow {
            bot: row.bot,
            side: row.side,
            cycle,
            turn: insight.turn_of(row.cycle),
            seq: insight.seq_at(cycle),
            text: row.value.as_ref().map_or_else(Clone::clone, ToString::to_string),
            failed: row.value.is_err(),
        }
    });
    PrintTable { rows: rows.collect(), count: printing.count }
}

fn heat_map(insight: &Insight, heat: &Heat, of: Option<&SideLine>) -> HeatMap {
    let of = of.map(|of| (of.side, of.file.as_str(), of.line));
    let bots = heat.bots(insight, of).into_iter();
    HeatMap {
        lines: heat.lines(insight).into_iter().take(LINES).collect(),
        bots: bots.map(|(bot, reductions)| HotBot { bot, side: insight.side_of(bot), reductions }).collect(),
        turns: heat.turns,
    }
}
