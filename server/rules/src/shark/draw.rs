//! State of a match as graphics commands.

use grandstand_protocol::shark::{
    self, BotStatus, Command, Draw, Heading, Shot, Sprite, Team, Tile, TimeText,
};
use grandstand_protocol::team::ByTeam;
use grandstand_protocol::{self as protocol};

use super::board::{Bot, TileContent};
use super::world::World;

/// The commands that draw the whole state on any board.
pub(super) fn all(world: &World) -> Vec<protocol::Command> {
    let mut commands = vec![Command::Map { rows: world.field.map().clone() }.into()];
    commands.extend(world.names.iter().map(|names| Command::Names(names.clone()).into()));
    commands.extend(Team::ALL.map(|team| stand(world, team)));
    commands.extend([credits(world), score(world), time(world)]);
    let bots = world.board.bots().iter().map(|bot| bot.place);
    commands.extend(bots.chain(world.board.powerups().iter().copied()).map(|place| tile(world, place)));
    let winner = world.finish.as_ref().map(|finish| finish.outcome);
    commands.extend(winner.map(|winner| Command::Win(winner.into()).into()));
    commands
}

/// The command for the content of a tile.
pub(super) fn tile(world: &World, at: Tile) -> protocol::Command {
    let sprite = match world.board.at(at) {
        TileContent::Bot(..) => world.board.bot_at(at).map(bot),
        TileContent::Powerup => Some(Sprite::Powerup),
        TileContent::Empty | TileContent::Wall | TileContent::Stand(_) => None,
    };
    sprite.map_or(Command::Erase(at), |sprite| Command::Draw(Draw { at, sprite })).into()
}

fn bot(bot: &Bot) -> Sprite {
    let who = Some(BotStatus { pid: bot.pid.0, health: bot.health });
    Sprite::Bot(shark::Bot { team: bot.team, heading: bot.heading, flag: bot.flag, who })
}

/// The command for a beam over `length` tiles.
pub(super) fn shot(from: Tile, heading: Heading, length: u32) -> Option<protocol::Command> {
    let to = (0..length).try_fold(from, |place, _| place.neighbour(heading))?;
    Some(Command::Shot(Shot::new(from, to)?).into())
}

/// The command that tells whether a team's flag is on its stand.
pub(super) fn stand(world: &World, team: Team) -> protocol::Command {
    Command::Stand { team, full: world.is_home(team) }.into()
}

/// The command for both teams' credits.
pub(super) fn credits(world: &World) -> protocol::Command {
    Command::Spawn(ByTeam::new(world.credits[0], world.credits[1])).into()
}

/// The command for both teams' points.
pub(super) fn score(world: &World) -> protocol::Command {
    let points = |score: u32| i32::try_from(score).unwrap_or(i32::MAX);
    Command::Score(ByTeam::new(points(world.score[0]), points(world.score[1]))).into()
}

/// The command for the time: the number of steps that was reported last.
pub(super) fn time(world: &World) -> protocol::Command {
    Command::Time { text: TimeText::steps(world.shown_step) }.into()
}
