//! λ-Shark in the spectator: how it is told, what its plots and its timeline show, and what moves on its board.

mod bot;
mod changes;
mod paint;
mod words;

use eframe::egui::{Painter, Pos2, Rect, Ui};
use grandstand_protocol::shark::{Heading, Scene, Sprite, Squad};
use grandstand_protocol::{Command, Micros, Place, Scene as AnyScene, TeamInfo, shark};

use self::changes::{Change, changes};
use super::still::Still;
use super::tiles::{Movers, Token};
use super::{
    Board, Circumstances, Distance, EventWords, GameView, Group, Intent, Options, Passing, Picture, Said,
    Step, Tally, Verdict, distance,
};
use crate::annals::{Plot, Records};
use crate::markers::kind;
use crate::narration::Line;
use crate::sides::{Badge, Side, capitalised, two_sides};
use crate::theme::Palette;
use crate::words as write;

/// How many commands a change of the picture may take and still be seen as moves.
const COMMANDS_MAX: u64 = 400;
/// How long a beam is seen, in seconds.
const BEAM_SECS: f64 = 0.55;
/// The plots, by their numbers.
const FLAGS: usize = 0;
const ROBOTS: usize = 1;

impl GameView for Scene {
    fn name(&self) -> &'static str {
        "λ-Shark"
    }

    fn shape(&self) -> f32 {
        2.0
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn board(&self) -> Box<dyn Board> {
        Box::new(SharkBoard::default())
    }

    /// The header's names, else those that were sent to the board.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let own = |team: Squad| (team.color(), team.name(), Badge::Squad(team), self.score(team));
        let mut sides = two_sides(teams, Squad::ALL.map(own));
        for (side, team) in sides.iter_mut().zip(Squad::ALL) {
            if let Some(name) = self.name(team)
                && side.name == capitalised(team.name())
            {
                side.name = name.replace('_', " ");
            }
        }
        sides
    }

    fn talk(&self) -> Vec<Said<'_>> {
        let lines = self.talk().iter();
        lines
            .map(|line| Said { seq: line.seq, t: line.t, team: line.team.name(), text: &line.text })
            .collect()
    }

    fn verdict(&self) -> Option<Verdict> {
        match self.winner() {
            Some(verdict) => Some(verdict.winner().map(Squad::index).into()),
            None => self.won().map(|words| Verdict::Said(words.to_string())),
        }
    }

    fn moment(&self) -> String {
        match self.steps() {
            Some(steps) => write::count(steps, "step", "steps"),
            None if self.time().is_empty() => "Start".to_owned(),
            None => self.time().to_string(),
        }
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Squad::ALL.map(|team| (capitalised(team.name()), self.score(team))).into()
    }

    fn tally(&self, side: usize, _: &Circumstances<'_>) -> Vec<Tally> {
        let team = Squad::ALL[side.min(1)];
        let (robots, credits) = (robots(self)[team.index()], self.credits(team));
        let robots_text = write::count(robots.into(), "robot", "robots");
        let credits_text = write::count(credits.into(), "spawn credit", "spawn credits");
        vec![
            words::counted(robots, robots_text, move |painter, palette, at, size| {
                bot::paint_emblem(painter, palette, at, size, team);
            }),
            words::counted(credits, credits_text, |painter, palette, at, size| {
                bot::paint_powerup(painter, palette, at, size * 0.36);
            }),
        ]
    }

    fn plots(&self) -> Vec<Plot> {
        let teams = Squad::ALL.map(Squad::name);
        vec![Plot::steps("Flags", &teams), Plot::steps("Robots", &teams)]
    }

    fn events(&self) -> &'static EventWords {
        &EventWords {
            next: "Next flag, point or lost robot",
            previous: "Previous flag, point or lost robot",
            none_after: "No flag, point or lost robot after this",
            none_before: "No flag, point or lost robot before this",
        }
    }

    fn record(&self, group: &Group<'_>, records: &mut Records) {
        let AnyScene::Shark(after) = group.after else { return };
        let t = group.t();
        for team in Squad::ALL {
            records.put(FLAGS, team.name(), t, after.score(team));
            records.put(ROBOTS, team.name(), t, robots(after)[team.index()] as i32);
        }
        for (seq, change) in changes(self, group) {
            match change {
                Change::Point(team) => records.event((seq, t), kind::SCORE, team.index(), "Point for", true),
                Change::Taken { flag, .. } => {
                    records.event((seq, t), kind::FLAG, flag.opponent().index(), "Flag taken by", false);
                }
                Change::Returned(flag) => {
                    records.event((seq, t), kind::FLAG, flag.index(), "Flag back with", false)
                }
                Change::Lost { bot, .. } => {
                    records.event((seq, t), kind::DEATH, bot.team.index(), "Robot lost by", false)
                }
                _ => {}
            }
        }
    }

    fn tell(&self, group: &Group<'_>) -> Vec<Line> {
        changes(self, group)
            .into_iter()
            .filter_map(|(seq, change)| Some(Line { seq, text: words::sentence(&change)? }))
            .collect()
    }

    fn describe(&self, place: Place) -> Option<String> {
        let Place::Tile(at) = place else { return None };
        Some(words::describe(self, at))
    }

    fn distance(&self, from: Place, to: Place) -> Option<Distance> {
        let (Place::Tile(from), Place::Tile(to)) = (from, to) else { return None };
        Some(distance::squares(
            [Place::Tile(from), Place::Tile(to)],
            from.x().abs_diff(to.x()).into(),
            from.y().abs_diff(to.y()).into(),
        ))
    }

    fn widest(&self) -> Option<Place> {
        "31,15".parse().ok().map(Place::Tile)
    }

    fn said(&self, command: &Command) -> Option<(String, String)> {
        match command {
            Command::Shark(shark::Command::Say { team, text }) => {
                Some((capitalised(team.name()), text.to_string()))
            }
            _ => None,
        }
    }

    /// A step of the game is one moment; what the network makes of it is little.
    fn together(&self) -> Micros {
        Micros(1_000)
    }

    /// An old server erases a robot and draws it again in lines that may be far apart.
    fn passing(&self, command: &Command) -> Passing {
        let robot = |sprite: Sprite| match sprite {
            // Past all pids: those without one are known by their team alone.
            Sprite::Bot(bot) => {
                Some(bot.who.map_or(u64::MAX - bot.team.index() as u64, |who| u64::from(who.pid)))
            }
            Sprite::Wall | Sprite::Powerup => None,
        };
        let Command::Shark(command) = command else { return Passing::None };
        match command {
            shark::Command::Erase(at) => self.get(*at).and_then(robot).map_or(Passing::None, Passing::Taken),
            shark::Command::Draw(draw) => robot(draw.sprite).map_or(Passing::None, Passing::Put),
            shark::Command::Map { .. } | shark::Command::Time { .. } | shark::Command::Win(_) => {
                Passing::Anew
            }
            _ => Passing::None,
        }
    }
}

/// How many robots the teams have.
fn robots(scene: &Scene) -> [u32; 2] {
    let mut count = [0; 2];
    for (_, sprite) in scene.sprites() {
        if let Sprite::Bot(bot) = sprite {
            count[bot.team.index()] += 1;
        }
    }
    count
}

/// The robots, as they move over the tiles.
fn tokens(scene: &Scene) -> Vec<Token> {
    let token = |(place, sprite): (shark::Place, Sprite)| match sprite {
        Sprite::Bot(bot) => Some(token(place, &bot)),
        Sprite::Wall | Sprite::Powerup => None,
    };
    scene.sprites().filter_map(token).collect()
}

fn token(place: shark::Place, bot: &shark::Bot) -> Token {
    let quarter = match bot.heading {
        Heading::Right => 0,
        Heading::Down => 1,
        Heading::Left => 2,
        Heading::Up => 3,
    };
    let id = bot.who.map(|who| who.pid);
    Token { id, team: bot.team.index(), column: place.x(), row: place.y(), quarter }
}

/// What of the board stands still.
#[derive(Debug, Default)]
struct Stills {
    ground: Still,
    labels: Still,
}

/// The board, with the robots that are on their way.
#[derive(Debug, Default)]
struct SharkBoard {
    movers: Movers,
    stills: Stills,
}

impl Board for SharkBoard {
    fn advance(&mut self, step: &Step<'_>) {
        let (AnyScene::Shark(before), AnyScene::Shark(after)) = (step.before, step.after) else { return };
        if before.map() != after.map() {
            self.movers.settle();
            return;
        }
        let secs = step.secs_of_moves(COMMANDS_MAX);
        self.movers.advance(step.now, secs, step.plays, &tokens(before), &tokens(after));
    }

    fn settle(&mut self) {
        self.movers.settle();
    }

    fn is_moving(&self, picture: &Picture<'_>) -> bool {
        let AnyScene::Shark(scene) = picture.scene else { return false };
        let beams = || scene.shots().rev().any(|line| picture.age(line.t, BEAM_SECS).is_some());
        self.movers.is_moving(picture.now) || picture.pace > 0.0 && beams()
    }

    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options) -> Option<Intent> {
        if let AnyScene::Shark(scene) = picture.scene {
            paint::show(ui, rect, scene, (&self.movers, &self.stills), picture, options);
        }
        None
    }

    fn place_at(&self, rect: Rect, picture: &Picture<'_>, options: Options, at: Pos2) -> Option<Place> {
        paint::place_at(&paint::tiles(rect, picture, options), at).map(Place::Tile)
    }

    fn area_of(&self, rect: Rect, picture: &Picture<'_>, options: Options, place: Place) -> Option<Rect> {
        let Place::Tile(at) = place else { return None };
        Some(paint::tiles(rect, picture, options).tile(at.x(), at.y()))
    }
}
