//! The report of a match in words, and as the message of `grandstand_protocol::insight`.

use std::fmt::Write as _;

use grandstand_protocol::insight::{BotLoss, Deadlock, MatchReport, Mistake, SideReport, TurningPoint};

use crate::insight::Insight;
use crate::report::{Loss, Report};

/// Cost below which a mistake is not told, in moves of one bot.
pub const LEAST_COST: f64 = 0.1;
/// Losses, deadlocks and mistakes of a side in a message at most.
const MOST: usize = 500;

impl Report {
    /// Result and turning point: `black (mybot) lost 3–6. It turned at turn 41: bot 17 was pushed off while …`.
    pub fn summary(&self, insight: &Insight) -> String {
        let player = |side: usize| format!("{} ({})", self.players[side].0, self.players[side].1);
        let score = |side: usize| {
            self.score_of(side).map(|[own, other]| format!(" {own}–{other}")).unwrap_or_default()
        };
        let ended = self.termination.map_or(String::new(), |word| format!(", by {word}"));
        let Some(winner) = self.winner else {
            return match self.termination {
                Some(_) => format!("{} and {} drew{}{ended}.", player(0), player(1), score(0)),
                None => format!("{} against {}, up to cycle {}.", player(0), player(1), insight.cycle()),
            };
        };
        let loser = 1 - winner;
        let mut text = format!("{} lost{} against {}{ended}.", player(loser), score(loser), player(winner));
        if let Some(turned) = &self.turned {
            let _ = write!(text, " It turned at {}", insight.moment_words(turned.cycle));
            match &turned.loss {
                Some(loss) => {
                    let _ = write!(text, ": {}.", loss.words(insight));
                }
                None => {
                    let _ = write!(text, ": from there on {} led.", self.players[winner].0);
                }
            }
        }
        text
    }

    /// The report as a message.
    pub(crate) fn message(&self, insight: &Insight) -> MatchReport {
        let side = |side: usize| SideReport {
            lost: self.lost[side].iter().take(MOST).map(|loss| loss.message(insight)).collect(),
            deadlocks: self.deadlocks[side]
                .iter()
                .take(MOST)
                .map(|(cycle, circle)| Deadlock {
                    bot: circle.first().map_or(0, |wait| wait.pid.0),
                    cycle: *cycle,
                    turn: insight.turn_of(*cycle),
                    waits: circle.iter().map(ToString::to_string).collect(),
                })
                .collect(),
            mistakes: self.accounts[side]
                .iter()
                .filter(|account| account.moves >= LEAST_COST)
                .take(MOST)
                .map(|account| {
                    let (cycle, bot) = account.first.map_or((0, None), |(cycle, bot)| (cycle, Some(bot.0)));
                    let (moves, text) = (account.moves, account.words.clone());
                    Mistake { moves, text, bot, cycle, turn: insight.turn_of(cycle) }
                })
                .collect(),
        };
        MatchReport {
            summary: self.summary(insight),
            loser: self.winner.map(|winner| 1 - winner),
            turned: self.turned.as_ref().map(|turned| TurningPoint {
                cycle: turned.cycle,
                turn: turned.turn,
                bot: turned.loss.as_ref().map(|loss| loss.bot),
            }),
            sides: [side(0), side(1)],
        }
    }
}

impl Loss {
    /// The loss in words: `bot 17 was pushed off while it waited …`.
    pub fn words(&self, insight: &Insight) -> String {
        let how =
            self.how.strip_prefix("it ").map_or_else(|| format!(": {}", self.how), |how| format!(" {how}"));
        let doing = if self.doing.is_empty() { String::new() } else { format!(" {}", self.doing) };
        format!("{} {}{how}{doing}", insight.bot_word(), self.bot)
    }

    fn message(&self, insight: &Insight) -> BotLoss {
        BotLoss { bot: self.bot, cycle: self.cycle, turn: self.turn, text: self.words(insight) }
    }
}
