//! Report of a match, which explains its result: losses, deadlocks, and the cost of mistakes.

use std::sync::Arc;

use grandstand_languages::view::{State, ViewLimits};
use grandstand_languages::{Cause, LockWait};
use grandstand_matches::machine::{Account, LogEntry, LogEvent};
use serde_json::{Value, json};

use crate::insight::Insight;
use crate::messages::source_place;
use crate::playing::fate;
use crate::reporting::Reporting;
use crate::search::Moment;
use crate::view::BotView;

/// The report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Names by side: the side's and the player's.
    pub players: [(&'static str, String); 2],
    /// Index of the winner.
    pub winner: Option<usize>,
    /// Points of the two sides, in games with points.
    pub score: Option<[u64; 2]>,
    /// The game's word for the termination; `None` if the match was not played to its end.
    pub termination: Option<&'static str>,
    /// The turning point.
    pub turned: Option<Turned>,
    /// Losses of each side.
    pub lost: [Vec<Loss>; 2],
    /// Deadlocks by side: the cycle, and the circle of waits.
    pub deadlocks: [Vec<(u64, Vec<LockWait>)>; 2],
    /// Cost of each side's mistakes, the highest first.
    pub accounts: [Vec<Account>; 2],
    /// Differences from the recording, in words.
    pub remarks: Vec<String>,
}

/// Turning point: from here on the winner led.
#[derive(Debug, Clone, PartialEq)]
pub struct Turned {
    /// The cycle.
    pub cycle: u64,
    /// The turn, or the game's beat.
    pub turn: u64,
    /// The other side's loss at that point.
    pub loss: Option<Loss>,
}

/// Loss of a bot.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// The cycle.
    pub cycle: u64,
    /// The turn, or the game's beat.
    pub turn: u64,
    /// The bot.
    pub bot: u32,
    /// Cause of the loss: `it was pushed off`.
    pub how: String,
    /// The program's activity then, `while it waited …`; empty if the program itself ended.
    pub doing: String,
    /// File and line of the source.
    pub place: Option<(String, u32)>,
}

impl Insight {
    /// The report, once the match has been played.
    pub fn report(&mut self) -> Report {
        let mut reporting = Reporting::new(self);
        while reporting.go_on(self) {}
        reporting.finish(self)
    }

    /// Differences from the recording, in words.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let compared = self.compared();
        let mut remarks = Vec::new();
        if let Some(difference) = &compared.difference {
            remarks.push(format!("{difference}; what follows is about the match up to there"));
        }
        if let Some(cycle) = compared.cut {
            remarks.push(format!(
                "the recording was cut in cycle {cycle}; what came after is played from the programs, and was compared with nothing"
            ));
        }
        remarks
    }

    pub(crate) fn loss(&mut self, entry: &Arc<LogEntry>) -> Loss {
        let (cycle, bot) = (entry.cycle, entry.pid.0);
        let (mut doing, mut at) = (String::new(), None);
        match &entry.event {
            LogEvent::Ended(end) => {
                if let Cause::Stuck { place, .. } | Cause::Limit { place, .. } = &end.cause {
                    at = Some((place.file.clone(), place.line));
                }
            }
            _ => {
                let extent = ViewLimits { calls: 1, elements: 0, depth: 0 };
                if let Ok(view) = self.bot_at(Moment::end_of(cycle.saturating_sub(1)), bot, extent) {
                    doing = format!("while it {}", self.doing(&view));
                    at = view.thread.calls.first().map(|call| (call.place.file.clone(), call.place.line));
                }
            }
        }
        Loss { cycle, turn: self.turn_of(cycle), bot, how: fate(entry), doing, place: at }
    }

    /// Activity of a bot at a moment: `waited for the lock that …`.
    pub fn doing(&self, view: &BotView) -> String {
        let call = view.thread.calls.first();
        let line = call.map(|call| format!("{}:{}", call.place.file, call.place.line)).unwrap_or_default();
        match &view.thread.state {
            State::WaitsForLock { holder, taken, taken_at, .. } => format!(
                "waited at {line} for the lock that {} {holder} has held since {} ({}:{})",
                self.bot_word(),
                self.moment_words(*taken_at),
                taken.file,
                taken.line
            ),
            State::Runs { .. } => format!("was computing, at {line}"),
            State::InAction { .. } | State::Waits { .. } => {
                let tried = view.past_actions.iter().rev().find_map(|action| match &action.event {
                    LogEvent::Moved { refused: Some(refused), .. } => {
                        Some(format!("; its last move failed: {}", refused.words))
                    }
                    LogEvent::Moved { .. } => Some(String::new()),
                    LogEvent::NoMove { .. } => Some("; it had committed no move".to_owned()),
                    _ => None,
                });
                let action = view.action().and_then(|entry| match &entry.event {
                    LogEvent::Acted { action, .. } => Some(action.clone()),
                    _ => None,
                });
                let action = action.unwrap_or_else(|| "an action".to_owned());
                format!("was in {action} at {line}{}", tried.unwrap_or_default())
            }
        }
    }
}

impl Report {
    /// Points from a side's point of view: its own first.
    pub fn score_of(&self, side: usize) -> Option<[u64; 2]> {
        self.score.map(|score| [score[side], score[1 - side]])
    }

    /// The report as a JSON object; `server/INSIGHT.md` lists the fields.
    pub fn json(&self) -> Value {
        let sides = [0, 1].map(|side| {
            json!({
                "team": self.players[side].0,
                "player": self.players[side].1,
                "lost": self.lost[side].iter().map(loss_json).collect::<Vec<_>>(),
                "deadlocks": self.deadlocks[side].iter().map(|(cycle, circle)| json!({
                    "cycle": cycle,
                    "waits": circle.iter().map(|wait| json!({
                        "bot": wait.pid.0,
                        "place": source_place(&wait.place),
                        "holder": wait.holder.0,
                        "taken": source_place(&wait.taken),
                    })).collect::<Vec<_>>(),
                })).collect::<Vec<_>>(),
                "costs": self.accounts[side].iter().map(account_json).collect::<Vec<_>>(),
            })
        });
        json!({
            "winner": self.winner.map(|side| self.players[side].0),
            "score": self.score,
            "termination": self.termination,
            "turned": self.turned.as_ref().map(|turned| json!({
                "cycle": turned.cycle,
                "turn": turned.turn,
                "loss": turned.loss.as_ref().map(loss_json),
            })),
            "sides": sides,
            "remarks": self.remarks,
        })
    }
}

fn loss_json(loss: &Loss) -> Value {
    let Loss { cycle, turn, bot, how, doing, place } = loss;
    json!({
        "cycle": cycle,
        "turn": turn,
        "bot": bot,
        "how": how,
        "doing": doing,
        "file": place.as_ref().map(|(file, _)| file),
        "line": place.as_ref().map(|(_, line)| line),
    })
}

/// Cost of a mistake, as JSON.
pub(crate) fn account_json(account: &Account) -> Value {
    json!({
        "kind": account.kind,
        "action": account.action,
        "why": account.why,
        "file": account.place.as_ref().map(|(file, _)| file),
        "line": account.place.as_ref().map(|(_, line)| line),
        "bots": account.bots.iter().map(|bot| bot.0).collect::<Vec<_>>(),
        "times": account.times,
        "moves": account.moves,
        "text": account.words,
    })
}
