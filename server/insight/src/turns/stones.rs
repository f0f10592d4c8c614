//! Gomoku and Pente: reading of their moves, and causes of bad ones.

use grandstand_matches::games::stones::Stones;
use grandstand_protocol::stones::{Command as Drawing, Common, Team};
use grandstand_protocol::{Command, Game};
use grandstand_rules::stones::{Point, Position, Rule};
use grandstand_rules::turn::{Position as _, Side};
use grandstand_search::gomoku::{Means, Win};
use grandstand_search::review::{Judged, SURE, Stones as Expert, WON};
use serde_json::{Map, Value};

use super::cause::{Cause, Kind};
use super::open::{RecordedStep, ReviewError, ReviewableGame, names};

/// Number of moves of a line in words at most.
const LINE: usize = 9;

impl ReviewableGame for Stones {
    type Expert = Expert;

    fn expert(&self) -> Result<Expert, ReviewError> {
        Ok(Expert::new(self.rules().size.try_into().unwrap_or(u16::MAX), self.rules().rule))
    }

    fn step_of(command: &Command) -> Option<RecordedStep<Point>> {
        let Command::Stones(command) = command else { return None };
        match command {
            Drawing::Board { size } => Some(RecordedStep::NewBoard(Some(size.get()))),
            Drawing::Move { team, point } => Some(RecordedStep::Move(team.index(), *point)),
            Drawing::Common(Common::Names(names)) => {
                Some(RecordedStep::Names(Team::ALL.map(|team| names[team].to_string())))
            }
            _ => None,
        }
    }

    fn default_rules(_: Game, size: Option<u16>) -> Option<Map<String, Value>> {
        let rules = [("SIZE".to_owned(), Value::from(size?)), ("OPENING".to_owned(), "free".into())];
        Some(rules.into_iter().collect())
    }

    fn text(position: &Position, point: Point) -> String {
        position.move_text(point)
    }

    fn cause(expert: &mut Expert, before: &Position, judged: &Judged<Point>) -> Cause {
        let [own, other] = names::<Position>(judged.side);
        let best = judged.better.first().copied().unwrap_or(judged.played);
        if judged.before >= SURE {
            let shown = expert.win(before, false);
            let text = match shown {
                Some(win) => format!("{own} had {}", of_win(&win)),
                None => format!("{own} had {} from {best}", forced(judged.before)),
            };
            return Cause::new(Kind::MissedWin, text);
        }
        let mut after = before.clone();
        after.advance(judged.played);
        if let Some(win) = expert.win(&after, false) {
            return lets_win(expert, before, other, &win);
        }
        if judged.after <= -SURE {
            let text = format!("it lets {other} win by force, in {} moves at most", moves(judged.after));
            return Cause::new(Kind::WinAllowed, text);
        }
        if before.rule() == Rule::Pente
            && let Some(cause) = of_captures(before, &after, judged, own, other)
        {
            return cause;
        }
        let text = match judged.reply.first() {
            Some(answer) => format!("{other} stands better after {answer}; {best} was better"),
            None => format!("{best} was better"),
        };
        Cause::new(Kind::Worse, text)
    }
}

/// Cause for a win of the other side, which may be an older threat.
fn lets_win(expert: &mut Expert, before: &Position, other: &str, win: &Win) -> Cause {
    let at = first(win);
    let Some(threat) = expert.win(before, true) else {
        return Cause::new(Kind::WinAllowed, format!("it gave {other} {}", of_win(win)));
    };
    let text = match threat.means {
        Means::Five => format!("{other}'s four was not blocked: {at} makes a row of five"),
        Means::Captures => {
            format!("{other}'s threat to take the fifth pair was not met: it is taken by {at}")
        }
        Means::OpenFour if win.means == Means::OpenFour => {
            format!("{other}'s open three was not answered: {at} makes an open four")
        }
        Means::OpenFour => {
            format!("{other}'s open three was not answered well: {other} has {}", of_win(win))
        }
        Means::Fours | Means::Threats => {
            format!("{other}'s threat was not answered: {other} has {}", of_win(win))
        }
    };
    Cause::new(Kind::Threat, text)
}

/// Pente: cause from captured pairs or missed captures.
fn of_captures(
    before: &Position,
    after: &Position,
    judged: &Judged<Point>,
    own: &str,
    other: &str,
) -> Option<Cause> {
    let taken = |position: &Position, side: Side, point: Point| {
        let stones = position.captured_by(side, point);
        let names: Vec<String> = stones.iter().map(Point::to_string).collect();
        (!names.is_empty()).then(|| names.join(" "))
    };
    if let Some(&answer) = judged.reply.first()
        && let Some(stones) = taken(after, judged.side.opponent(), answer)
    {
        let threatened = taken(before, judged.side.opponent(), answer).is_some();
        let text = if threatened {
            format!("{other}'s threat to capture was not met: {answer} takes {stones}")
        } else {
            format!("it lets {other} capture: {answer} takes {stones}")
        };
        return Some(Cause::new(Kind::Capture, text));
    }
    let &best = judged.better.first()?;
    let stones = taken(before, judged.side, best)?;
    Some(Cause::new(Kind::CaptureMissed, format!("{own} could capture: {best} takes {stones}")))
}

/// Win in words: `a win by fours from h8: h8 h9 k8`.
fn of_win(win: &Win) -> String {
    let at = first(win);
    match win.means {
        Means::Five => format!("a row of five at {at}"),
        Means::Captures => format!("the fifth pair by {at}"),
        Means::OpenFour => format!("an open four at {at}"),
        Means::Fours => format!("a win by fours from {at}{}", line(win)),
        Means::Threats => format!("a win by fours and open threes from {at}{}", line(win)),
    }
}

fn first(win: &Win) -> String {
    win.line.first().map_or_else(String::new, |&point| text(point))
}

fn text((x, y): (u16, u16)) -> String {
    Point::new(x, y).map_or_else(String::new, |point| point.to_string())
}

fn line(win: &Win) -> String {
    if win.line.len() < 2 {
        return String::new();
    }
    let shown: Vec<String> = win.line.iter().take(LINE).map(|&point| text(point)).collect();
    format!(": {}{}", shown.join(" "), if win.line.len() > LINE { " …" } else { "" })
}

fn forced(score: i32) -> String {
    format!("a forced win in {} moves at most", moves(score))
}

/// Number of the winner's moves up to a forced end.
pub(super) fn moves(score: i32) -> i32 {
    (WON - score.abs() + 1) / 2
}
