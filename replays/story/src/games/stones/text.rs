//! Words for a match of Gomoku or Pente.

use grandstand_protocol::stones::{self, Command, Point, Scene, Stone, Team};
use grandstand_protocol::{Command as AnyCommand, Game, Scene as AnyScene};

use super::super::turns;
use crate::format;
use crate::format::capitalised;
use crate::game::{Group, Line};

/// Lines for a group.
pub fn tell(before: &Scene, group: &Group<'_>) -> Vec<Line> {
    let AnyScene::Stones(after) = group.after else { return Vec::new() };
    let mut scene = before.clone();
    let mut lines = Vec::new();
    for (seq, t, command) in group.commands {
        let AnyCommand::Stones(command) = command else { continue };
        if let Some(text) = sentence(&scene, after, command) {
            let is_outcome = matches!(command, Command::Common(common) if turns::is_outcome(common));
            lines.push(Line { is_outcome, ..Line::new(*seq, text) });
        }
        scene.apply(*seq, *t, command);
    }
    let set = group.commands.iter().filter(|(.., command)| is_set(command)).count();
    // Stones without moves are a position, unless a capture removes them.
    if set > 8 || set > 0 && lines.is_empty() {
        let count = |team| after.stones().filter(|(_, stone)| stone.team == team).count();
        let text = format!("There are {} black and {} white stones.", count(Team::Black), count(Team::White));
        lines.push(Line::new(group.seq(), text));
    }
    lines
}

fn is_set(command: &AnyCommand) -> bool {
    matches!(command, AnyCommand::Stones(Command::Set { stone: Some(_), .. }))
}

/// Sentence for a command; `None` if other lines contain it. `scene` is the position before it, `after` the one after
/// its group.
fn sentence(scene: &Scene, after: &Scene, command: &Command) -> Option<String> {
    Some(match command {
        Command::Board { size } => format!("The board is set up: {size} by {size}.", size = size.get()),
        Command::Move { team, point } if scene.size().has(*point) => {
            format!("{} {point}.", capitalised(team.name()))
        }
        Command::Captures { team, pairs } if *pairs > scene.captures(*team) => {
            let by = format::count(u64::from(*pairs), "pair", "pairs");
            format!("{} captures: {by} in all.", capitalised(team.name()))
        }
        Command::Five { from, to } => match after.stone(*from) {
            Some(stone) => format!("{} has a row from {from} to {to}.", capitalised(stone.team.name())),
            None => format!("There is a row from {from} to {to}."),
        },
        Command::Common(common) => return turns::sentence(common),
        _ => return None,
    })
}

/// Name of the board in the accessibility tree.
pub fn summary(scene: &Scene) -> String {
    let count = |team| scene.stones().filter(|(_, stone)| stone.team == team).count();
    let size = scene.size().get();
    let last = match scene.last().map(|point| (point, scene.stone(point))) {
        Some((point, Some(stone))) => format!(", last {} {point}", stone.team),
        _ => String::new(),
    };
    let five = match scene.five() {
        Some([from, to]) => format!(", a row from {from} to {to}"),
        None => String::new(),
    };
    format!(
        "{} board, {size} by {size}: {} black and {} white stones{last}{five}",
        scene.game().title(),
        count(Team::Black),
        count(Team::White)
    )
}

/// `h8: black stone, move 1`
pub fn stone(point: Point, stone: Stone) -> String {
    let number = stone.number.map_or_else(String::new, |number| format!(", move {number}"));
    format!("{point}: {} stone{number}", stone.team)
}

/// Description of a point and its stone.
pub fn describe(scene: &Scene, point: Point) -> String {
    match scene.stone(point) {
        Some(found) => stone(point, found),
        None if scene.forbidden().contains(&point) => format!("{point}: forbidden to black"),
        None => format!("{point}: empty"),
    }
}

/// A team's captures, as shown beside its name.
pub fn captures(scene: &Scene, team: stones::Team) -> Option<String> {
    let pairs = u64::from(scene.captures(team));
    (scene.game() == Game::Pente).then(|| format::count(pairs, "captured pair", "captured pairs"))
}
