//! Text of teams, clocks, thoughts and lists of moves.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use super::{Clock, LINE_MAX, Thought};
use crate::line::{Cursor, Line};
use crate::problem::Fault;
use crate::team::TwoTeams;

pub(crate) fn team<T: TwoTeams>(cursor: &mut Cursor<'_>) -> Result<T, Fault> {
    let word = cursor.word();
    let team = str::from_utf8(word.bytes).ok().and_then(T::named);
    team.ok_or_else(|| word.fault(format!("{} or {}", T::ALL[0].name(), T::ALL[1].name())))
}

pub(crate) fn clock<T: TwoTeams>(cursor: &mut Cursor<'_>) -> Result<Clock<T>, Fault> {
    let team = team(cursor)?;
    let millis = cursor.word().number(i64::from(i32::MIN)..=i64::from(i32::MAX))? as i32;
    let word = cursor.word();
    let running = match word.bytes {
        b"running" => true,
        b"stopped" => false,
        _ => return Err(word.fault("running or stopped")),
    };
    Ok(Clock { team, millis, running })
}

pub(crate) fn thought<T: TwoTeams, M: FromStr>(
    cursor: &mut Cursor<'_>,
    expected: &'static str,
) -> Result<Thought<T, M>, Fault> {
    let team = team(cursor)?;
    let score = cursor.word().number(i64::from(i32::MIN)..=i64::from(i32::MAX))? as i32;
    let depth = cursor.word().number(0..=i64::from(u32::MAX))? as u32;
    let word = cursor.word();
    let nodes = Some(word).filter(|word| word.bytes.iter().all(u8::is_ascii_digit));
    let nodes = nodes.and_then(|word| str::from_utf8(word.bytes).ok()?.parse().ok());
    let nodes = nodes.ok_or_else(|| word.fault("a whole number from 0 to 18446744073709551615"))?;
    let line = several(cursor, LINE_MAX, expected)?;
    Ok(Thought { team, score, depth, nodes, line })
}

/// The rest of the words of the line, at most so many.
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
    pub(crate) fn clock<T: TwoTeams>(&mut self, clock: &Clock<T>) {
        self.begin("clock");
        self.word(clock.team.name());
        self.number(clock.millis);
        self.word(if clock.running { "running" } else { "stopped" });
    }

    pub(crate) fn thought<T: TwoTeams, M: Display>(&mut self, thought: &Thought<T, M>) {
        self.begin("thought");
        self.word(thought.team.name());
        self.number(thought.score);
        self.number(thought.depth);
        self.display(thought.nodes);
        for mv in &*thought.line {
            self.display(mv);
        }
    }
}
