//! Text of teams, clocks, thoughts and lists of moves.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use super::{Clock, LINE_MAX, LateThought, Thought};
use crate::line::{Cursor, Line};
use crate::problem::Fault;
use crate::team::TwoTeams;

pub(crate) fn team<T: TwoTeams>(cursor: &mut Cursor<'_>) -> Result<T, Fault> {
    let word = cursor.word();
    let team = str::from_utf8(word.bytes).ok().and_then(T::named);
    team.ok_or_else(|| word.fault(format!("{} or {}", T::ALL[0].name(), T::ALL[1].name())))
}

pub(crate) fn clock<T: TwoTeams>(cursor: &mut Cursor<'_>) -> Result<Clock<T>, Fault> {
    let (team, millis) = (team(cursor)?, cursor.int()?);
    let running = cursor.word().one_of(&[("running", true), ("stopped", false)], "running or stopped")?;
    Ok(Clock { team, millis, running })
}

pub(crate) fn thought<T: TwoTeams, M: FromStr>(
    cursor: &mut Cursor<'_>,
    expected: &'static str,
) -> Result<Thought<T, M>, Fault> {
    let (team, score, depth) = (team(cursor)?, cursor.int()?, cursor.int()?);
    let word = cursor.word();
    let nodes = Some(word).filter(|word| word.bytes.iter().all(u8::is_ascii_digit));
    let nodes = nodes.and_then(|word| str::from_utf8(word.bytes).ok()?.parse().ok());
    let nodes = nodes.ok_or_else(|| word.fault("a whole number from 0 to 18446744073709551615"))?;
    let line = several(cursor, LINE_MAX, expected)?;
    Ok(Thought { team, score, depth, nodes, line })
}

pub(crate) fn late_thought<T: TwoTeams, M: FromStr>(
    cursor: &mut Cursor<'_>,
    expected: &'static str,
) -> Result<LateThought<T, M>, Fault> {
    Ok(LateThought { ply: cursor.int()?, thought: thought(cursor, expected)? })
}

/// Parses the remaining words of the line, at most `most` of them.
pub(crate) fn several<M: FromStr>(
    cursor: &mut Cursor<'_>,
    most: usize,
    expected: &'static str,
) -> Result<Arc<[M]>, Fault> {
    let mut items = Vec::new();
    loop {
        let word = cursor.word();
        if word.bytes.is_empty() {
            return Ok(items.into());
        }
        if items.len() >= most {
            return Err(word.fault(format!("the end of the line after {most} of them")));
        }
        items.push(word.parse(expected)?);
    }
}

impl Line<'_> {
    pub(crate) fn clock<T: TwoTeams>(self, clock: &Clock<T>) -> Self {
        let line = self.begin("clock").word(clock.team.name()).number(clock.millis);
        line.word(if clock.running { "running" } else { "stopped" })
    }

    pub(crate) fn thought<T: TwoTeams, M: Display>(self, thought: &Thought<T, M>) -> Self {
        self.begin("thought").thought_words(thought)
    }

    pub(crate) fn late_thought<T: TwoTeams, M: Display>(self, late: &LateThought<T, M>) -> Self {
        self.begin("thought@").number(late.ply).thought_words(&late.thought)
    }

    fn thought_words<T: TwoTeams, M: Display>(self, thought: &Thought<T, M>) -> Self {
        let line = self.word(thought.team.name()).number(thought.score);
        thought.line.iter().fold(line.number(thought.depth).display(thought.nodes), Line::display)
    }
}
