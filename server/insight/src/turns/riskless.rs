//! Riskless: reading of its moves, and causes of bad ones.

use grandstand_matches::games::riskless::Riskless;
use grandstand_matches::turns::game::TurnGame as _;
use grandstand_protocol::riskless::{Command as Drawing, Common, Team};
use grandstand_protocol::{Command, Game};
use grandstand_rules::riskless::{Move, Position};
use grandstand_rules::turn::Position as _;
use grandstand_search::review::{Judged, Riskless as Expert, SURE};
use serde_json::{Map, Value};

use super::cause::{Cause, Kind};
use super::open::{RecordedStep, ReviewError, ReviewableGame, names};
use super::stones::moves;

impl ReviewableGame for Riskless {
    type Expert = Expert;

    fn expert(&self) -> Result<Expert, ReviewError> {
        Expert::new(self.beginning().position.map()).map_err(|error| ReviewError::Engine(error.to_string()))
    }

    fn step_of(command: &Command) -> Option<RecordedStep<Move>> {
        let Command::Riskless(command) = command else { return None };
        match command {
            Drawing::Map(_) => Some(RecordedStep::NewBoard(None)),
            Drawing::Move(march) => {
                Some(RecordedStep::Move(march.team.index(), Move { from: march.from, to: march.to }))
            }
            Drawing::Common(Common::Names(names)) => {
                Some(RecordedStep::Names(Team::ALL.map(|team| names[team].to_string())))
            }
            _ => None,
        }
    }

    fn default_rules(_: Game, _: Option<u16>) -> Option<Map<String, Value>> {
        None
    }

    fn text(position: &Position, mv: Move) -> String {
        let name = |territory| position.map().name(territory);
        format!("{} → {}", name(mv.from), name(mv.to))
    }

    fn cause(_: &mut Expert, before: &Position, judged: &Judged<Move>) -> Cause {
        let [own, other] = names::<Position>(judged.side);
        let name = |territory| before.map().name(territory).to_owned();
        let played = judged.played;
        let best = judged.better.first().copied().unwrap_or(played);
        if judged.before >= SURE {
            let text = format!(
                "{own} had a forced win in {} moves at most from {}",
                moves(judged.before),
                Self::text(before, best)
            );
            return Cause::new(Kind::MissedWin, text);
        }
        let mut after = before.clone();
        after.advance(played);
        if let Some(battle) = before.battle(played).filter(|battle| !battle.is_won()) {
            let text = format!(
                "the attack on {} failed, {} against {}",
                name(played.to),
                battle.attackers,
                battle.defenders
            );
            return Cause::new(Kind::AttackFailed, text);
        }
        let attack = before.battle(best).filter(|battle| battle.is_won());
        let loss = judged.reply.first().and_then(|&answer| of_answer(before, &after, played, answer, other));
        match (loss, attack) {
            (Some(loss), None) => loss,
            (Some(loss), Some(_)) if loss.kind != Kind::WinAllowed => loss,
            (_, Some(battle)) => {
                let text = format!(
                    "the attack {} was missed, {} against {}",
                    Self::text(before, best),
                    battle.attackers,
                    battle.defenders
                );
                Cause::new(Kind::AttackMissed, text)
            }
            (None, None) => of_best(before, best, judged),
        }
    }
}

/// Cause from the territory that the other side's answer takes.
fn of_answer(before: &Position, after: &Position, played: Move, answer: Move, other: &str) -> Option<Cause> {
    let battle = after.battle(answer).filter(|battle| battle.is_won())?;
    let name = |territory| before.map().name(territory);
    let (at, from) = (name(answer.to), name(answer.from));
    let numbers = format!("{} against {}", battle.attackers, battle.defenders);
    if answer.to == played.from {
        let text = format!("it left {at} with few armies: {other} takes it from {from}, {numbers}");
        return Some(Cause::new(Kind::LeftOpen, text));
    }
    let side = after.to_move();
    let threatens = |&&near: &&u8| {
        let armies = |at| before.holding(at);
        matches!((armies(near), armies(answer.to)), (Some((holder, attackers)), Some((owner, defenders)))
            if holder == side && owner != side && attackers >= defenders)
    };
    if before.map().neighbours(answer.to).iter().any(|near| threatens(&near)) {
        let text =
            format!("{at} was threatened and got no reinforcement: {other} takes it from {from}, {numbers}");
        return Some(Cause::new(Kind::NotReinforced, text));
    }
    Some(Cause::new(Kind::WinAllowed, format!("it lets {other} take {at} from {from}, {numbers}")))
}

/// Cause from the effect of the better move.
fn of_best(before: &Position, best: Move, judged: &Judged<Move>) -> Cause {
    let name = |territory| before.map().name(territory);
    match before.holding(best.to) {
        None => Cause::new(Kind::LandMissed, format!("{} was free and was not taken", name(best.to))),
        Some((holder, _)) if holder == judged.side => {
            let armies = before.holding(best.from).map_or(0, |(_, armies)| armies);
            let text =
                format!("the {armies} armies of {} were not brought to {}", name(best.from), name(best.to));
            Cause::new(Kind::ArmiesIdle, text)
        }
        Some(_) => Cause::new(
            Kind::Worse,
            format!("{} was better", <Riskless as ReviewableGame>::text(before, best)),
        ),
    }
}
