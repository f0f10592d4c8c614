//! Words for a λ-Shark match.

use grandstand_protocol::shark::{Bot, Ground, Heading, Scene, Sprite, Team, Tile};
use grandstand_protocol::team::Outcome;

use super::changes::Change;
use crate::format::capitalised;
use crate::game::Line;

/// More robots than this that appear at once are counted.
const APPEARING_MAX: usize = 2;

/// Lines for the changes of a group. `is_told`: whether the loss of a robot there has a line of its own.
pub(super) fn tell(changes: &[(u64, Change)], is_told: impl Fn(Tile) -> bool) -> Vec<Line> {
    let appears = |change: &Change| match change {
        Change::Joined { bot, .. } => Some(bot.team),
        _ => None,
    };
    let new: Vec<Team> = changes.iter().filter_map(|(_, change)| appears(change)).collect();
    let are_many = new.len() > APPEARING_MAX;
    let mut lines = Vec::new();
    for (seq, change) in changes {
        if appears(change).is_some() && are_many || matches!(change, Change::Lost { at, .. } if is_told(*at))
        {
            continue;
        }
        if let Some(text) = sentence(change) {
            lines.push(Line { is_outcome: matches!(change, Change::Won(..)), ..Line::new(*seq, text) });
        }
    }
    if let Some((seq, _)) = changes.iter().rfind(|(_, change)| appears(change).is_some()).filter(|_| are_many)
    {
        let count = |team| (team, new.iter().filter(|other| **other == team).count());
        let counts = Team::ALL.map(count).into_iter().filter(|(_, count)| *count > 0);
        let words: Vec<String> = counts.map(|(team, count)| format!("{count} {team}")).collect();
        lines.push(Line::new(*seq, format!("{} robots appear.", words.join(" and "))));
    }
    lines
}

/// Sentence for a change; `None` if other lines contain it.
pub(super) fn sentence(change: &Change) -> Option<String> {
    Some(match change {
        Change::Map => "The board is set up.".to_owned(),
        // The score has a line of its own.
        Change::Point(_) => return None,
        Change::Taken { flag, by: Some(by) } => format!("{} takes the {flag} flag.", capitalised(&name(by))),
        Change::Taken { flag, by: None } => format!("The {flag} flag is taken."),
        Change::Returned(flag) => format!("The {flag} flag is back."),
        Change::Joined { bot, at } => format!("{} appears at {at}.", capitalised(&name(bot))),
        Change::Lost { bot, at } => format!("{} dies at {at}.", capitalised(&name(bot))),
        Change::Hurt { bot, at } => {
            let health = bot.who.map_or(0, |who| who.health);
            format!("{} is hit at {at}: health {health}.", capitalised(&name(bot)))
        }
        Change::Credit { team, credits } => {
            format!("{} picks up a spawn credit: {credits}.", capitalised(team.name()))
        }
        Change::Won(Some(Outcome::Draw), _) => "The game is a draw.".to_owned(),
        Change::Won(Some(verdict), _) => format!("{} wins.", capitalised(verdict.name())),
        Change::Won(None, words) => format!("{words} wins."),
    })
}

/// `red 17`, or `a red robot` without a pid.
pub fn name(bot: &Bot) -> String {
    match bot.who {
        Some(who) => format!("{} {}", bot.team, who.pid),
        None => format!("a {} robot", bot.team),
    }
}

/// Description of a tile and its contents.
pub fn describe(scene: &Scene, at: Tile) -> String {
    let ground = scene.map().map_or(Ground::Empty, |map| map.get(at));
    let what = match (scene.get(at), ground) {
        (Some(Sprite::Bot(bot)), _) => describe_bot(&bot),
        (Some(Sprite::Powerup), _) => "a powerup, worth a spawn credit".to_owned(),
        (Some(Sprite::Wall), _) | (None, Ground::Wall) => "wall".to_owned(),
        (None, Ground::Stand(team)) => describe_stand(scene, team),
        (None, Ground::Spawn(team)) => format!("open water, where {team} robots appear"),
        (None, Ground::Drop) => "open water, where powerups appear".to_owned(),
        (None, Ground::Empty) => "open water".to_owned(),
    };
    format!("{at}: {what}")
}

/// `red robot 17, facing up, health 2 of 3, carries the blue flag`
pub fn describe_bot(bot: &Bot) -> String {
    let facing = match bot.heading {
        Heading::Up => "up",
        Heading::Down => "down",
        Heading::Left => "left",
        Heading::Right => "right",
    };
    let pid = bot.who.map_or_else(String::new, |who| format!(" {}", who.pid));
    let robot = format!("{} robot{pid}, facing {facing}", bot.team);
    let state = state(bot);
    if state.is_empty() { robot } else { format!("{robot}, {state}") }
}

/// `health 2 of 3, carries the blue flag`; empty where neither is known.
pub fn state(bot: &Bot) -> String {
    let health = bot.who.map(|who| format!("health {} of {HEALTH}", who.health));
    let flag = bot.flag.then(|| format!("carries the {} flag", bot.team.opponent()));
    health.into_iter().chain(flag).collect::<Vec<_>>().join(", ")
}

/// Description of a flag stand and the state of its flag.
pub fn describe_stand(scene: &Scene, team: Team) -> String {
    let flag = if scene.is_full(team) { "the flag is here" } else { "the flag is away" };
    format!("{team} flag stand, {flag}")
}

/// Health of a new robot (section 2.6 of the handout).
pub const HEALTH: u8 = 3;
