//! Sprites on tiles: the images of the handout's table 3.

use serde::{Deserialize, Serialize};

use super::{Heading, Team, Tile};
use crate::text::shorten;

/// A drawing on a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Look", into = "Look")]
pub enum Sprite {
    /// `WALL`
    Wall,
    /// `POWERUP_SPAWN`: a spawn credit to be picked up.
    Powerup,
    /// A robot: `RED_LEFT` and the like.
    Bot(Bot),
}

/// A robot on a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bot {
    /// The robot's team.
    pub team: Team,
    /// The robot's heading.
    pub heading: Heading,
    /// Whether the robot carries the other team's flag.
    pub flag: bool,
    /// Identity and health; `None` unless the game server sends them.
    pub who: Option<BotStatus>,
}

/// Identity and health of a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BotStatus {
    /// The pid of the robot's program.
    pub pid: u32,
    /// The robot's health points.
    pub health: u8,
}

/// A command to draw a sprite on a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Draw {
    /// The tile.
    pub at: Tile,
    /// The sprite.
    pub sprite: Sprite,
}

impl Sprite {
    /// The name of the sprite's image.
    pub fn image(&self) -> String {
        match self {
            Sprite::Wall => "WALL".to_owned(),
            Sprite::Powerup => "POWERUP_SPAWN".to_owned(),
            Sprite::Bot(Bot { team, heading, flag, .. }) => {
                let team = if *team == Team::Red { "RED" } else { "BLUE" };
                format!("{team}_{}{}", heading.name(), if *flag { "_FLAG" } else { "" })
            }
        }
    }

    /// The sprite with that image; a robot has no pid and no health.
    pub fn from_image(image: &str) -> Option<Sprite> {
        let (team, rest) = match image.split_once('_') {
            Some(("RED", rest)) => (Team::Red, rest),
            Some(("BLUE", rest)) => (Team::Blue, rest),
            Some(("POWERUP", "SPAWN")) => return Some(Sprite::Powerup),
            _ => return (image == "WALL").then_some(Sprite::Wall),
        };
        let bare = rest.strip_suffix("_FLAG");
        let heading = Heading::named(bare.unwrap_or(rest))?;
        Some(Sprite::Bot(Bot { team, heading, flag: bare.is_some(), who: None }))
    }
}

/// The members of a sprite in JSON, and of a `draw` command, which contains them.
#[derive(Serialize, Deserialize)]
struct Look {
    image: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bot: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    health: Option<u8>,
}

#[derive(Serialize, Deserialize)]
struct Raw {
    image: String,
    x: u8,
    y: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bot: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    health: Option<u8>,
}

impl From<Sprite> for Look {
    fn from(sprite: Sprite) -> Look {
        let who = match sprite {
            Sprite::Bot(bot) => bot.who,
            Sprite::Wall | Sprite::Powerup => None,
        };
        Look { image: sprite.image(), bot: who.map(|who| who.pid), health: who.map(|who| who.health) }
    }
}

impl TryFrom<Look> for Sprite {
    type Error = String;

    fn try_from(Look { image, bot, health }: Look) -> Result<Sprite, String> {
        let sprite = Sprite::from_image(&image);
        let mut sprite = sprite.ok_or_else(|| format!("`{}` is no image", shorten(&image, 40)))?;
        match (&mut sprite, bot, health) {
            (_, None, None) => {}
            (Sprite::Bot(drawn), Some(pid), Some(health)) => drawn.who = Some(BotStatus { pid, health }),
            (Sprite::Bot(_), ..) => return Err("`bot` and `health` go together".to_owned()),
            (Sprite::Wall | Sprite::Powerup, ..) => return Err(format!("{image} has no `bot`, no `health`")),
        }
        Ok(sprite)
    }
}

impl From<Draw> for Raw {
    fn from(Draw { at, sprite }: Draw) -> Raw {
        let Look { image, bot, health } = sprite.into();
        Raw { image, x: at.x(), y: at.y(), bot, health }
    }
}

impl TryFrom<Raw> for Draw {
    type Error = String;

    fn try_from(Raw { image, x, y, bot, health }: Raw) -> Result<Draw, String> {
        let at = Tile::new(x, y).ok_or_else(|| format!("{x},{y} is off the board"))?;
        Ok(Draw { at, sprite: Look { image, bot, health }.try_into()? })
    }
}
