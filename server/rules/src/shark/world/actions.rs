//! Actions of robots: those of table 1, and their results.

use grandstand_protocol::clean_text;
use grandstand_protocol::shark::{Command, Heading, Team, Tile};

use super::{ActError, Kill, Weapon, World};
use crate::Pid;
use crate::shark::action::{Action, Answer, Object, Reply};
use crate::shark::board::{Bot, TileContent};
use crate::shark::draw;
use crate::shark::refusal::Failure;

impl World {
    /// Performs an action of the thread `pid` in `step` (section 3.2).
    ///
    /// # Errors
    /// [`ActError`] says why the thread can't act.
    pub fn act(&mut self, step: u64, pid: Pid, action: Action) -> Result<Reply, ActError> {
        let bot = self.begin(step, pid)?;
        self.failure = None;
        let rules = &self.rules;
        let (answer, delay) = match action {
            Action::Move => {
                let delay = rules.at_move;
                (self.try_move(&bot), delay)
            }
            Action::Face(heading) => {
                let delay = rules.at_face;
                self.face(&bot, heading);
                (Answer::Ok, delay)
            }
            Action::Shoot => {
                let delay = rules.at_shoot;
                self.shoot(&bot);
                (Answer::Ok, delay)
            }
            Action::Inspect { x, y } => {
                let place = u8::try_from(x).ok().zip(u8::try_from(y).ok());
                let place = place.and_then(|(x, y)| Tile::new(x, y));
                let tile = place.map_or(TileContent::Wall, |place| self.board.at(place));
                (Answer::Object(self.board.object(bot.team, tile)), rules.at_inspect)
            }
            Action::Look(heading) => {
                let (distance, _, tile) = self.board.first(bot.place, heading);
                let object = self.board.object(bot.team, tile);
                (Answer::Seen { distance, object }, rules.at_look)
            }
            Action::Nearest(object) => {
                let (answer, delay) = (self.nearest(&bot, object), rules.at_nearest);
                self.failure = (answer == Answer::Fail).then_some(Failure::NotFound(object));
                (answer, delay)
            }
            Action::MyStats => {
                let Bot { place, health, flag, heading, .. } = bot;
                (Answer::Bot { place, health, flag, heading }, rules.at_mystats)
            }
            Action::TeamStats => (self.team_stats(&bot), rules.at_teamstats),
            Action::FlagPos => {
                let [own, other] = [bot.team, bot.team.opponent()].map(|team| self.board.flag(team));
                (Answer::Flags { own, other }, rules.at_flagpos)
            }
            Action::Talk(text) => {
                let delay = rules.at_talk;
                self.talk(bot.team, &text);
                (Answer::Ok, delay)
            }
        };
        if let Some(bot) = self.board.bot_mut(pid) {
            bot.ready = self.step + 1 + delay;
        }
        Ok(Reply { answer, delay })
    }

    /// Tries to move the robot ahead (sections 2.7 to 2.9 and 2.12.1).
    fn try_move(&mut self, bot: &Bot) -> Answer {
        let (next, tile) = self.board.ahead(bot.place, bot.heading);
        match (tile, next) {
            (TileContent::Empty | TileContent::Powerup, Some(next)) => {
                self.board.shift(bot.pid, next);
                self.show(bot.place);
                self.show(next);
                if tile == TileContent::Powerup {
                    let credits = &mut self.credits[bot.team.index()];
                    *credits = credits.saturating_add(1);
                    self.push(draw::credits(self));
                }
                return Answer::Ok;
            }
            (TileContent::Stand(owner), next) if owner == bot.team => {
                self.failure = next.filter(|_| !bot.flag).map(Failure::OwnStand);
                self.bring_home(bot);
            }
            (TileContent::Stand(owner), next) => {
                self.failure = next.filter(|_| !self.is_home(owner)).map(Failure::NoFlag);
                self.take_flag(bot, owner);
            }
            (TileContent::Bot(other, team), _) if team != bot.team => {
                self.hurt(other, self.rules.melee_damage, bot, Weapon::Melee);
            }
            (TileContent::Bot(..), next) => self.failure = next.map(Failure::Teammate),
            (_, next) => self.failure = Some(next.map_or(Failure::Edge, Failure::Wall)),
        }
        Answer::Fail
    }

    /// Handles a robot that runs into its own stand: if it carries the flag, its team scores (section 2.8).
    fn bring_home(&mut self, bot: &Bot) {
        if !bot.flag {
            return;
        }
        if let Some(bot) = self.board.bot_mut(bot.pid) {
            bot.flag = false;
        }
        self.score[bot.team.index()] += 1;
        self.show(bot.place);
        self.push(draw::stand(self, bot.team.opponent()));
        self.push(draw::score(self));
    }

    /// Handles a robot that runs into the other team's stand: it takes the flag if it is there (section 2.8).
    fn take_flag(&mut self, bot: &Bot, owner: Team) {
        if !self.is_home(owner) {
            return;
        }
        if let Some(bot) = self.board.bot_mut(bot.pid) {
            bot.flag = true;
        }
        self.show(bot.place);
        self.push(draw::stand(self, owner));
    }

    fn face(&mut self, bot: &Bot, heading: Heading) {
        if bot.heading != heading {
            if let Some(bot) = self.board.bot_mut(bot.pid) {
                bot.heading = heading;
            }
            self.show(bot.place);
        }
    }

    /// Fires the laser. The beam ends in the first tile that is not empty, or at the edge of the board (section 2.12.2).
    fn shoot(&mut self, bot: &Bot) {
        let (distance, hit, tile) = self.board.first(bot.place, bot.heading);
        if let Some(shot) = draw::shot(bot.place, bot.heading, hit.map_or(distance - 1, |_| distance)) {
            self.push(shot);
        }
        if let TileContent::Bot(other, _) = tile {
            self.hurt(other, self.rules.laser_damage, bot, Weapon::Laser);
        }
    }

    fn hurt(&mut self, pid: Pid, damage: u8, by: &Bot, weapon: Weapon) {
        let Some(bot) = self.board.bot_mut(pid) else { return };
        bot.health = bot.health.saturating_sub(damage);
        let bot = *bot;
        if bot.health == 0 {
            self.destroy(pid);
            self.kills.push(Kill { step: self.step, bot, by: *by, weapon });
        } else if damage > 0 {
            self.show(bot.place);
        }
    }

    /// Removes a robot from the board; a flag that it carried returns to its stand (section 2.11).
    pub(super) fn destroy(&mut self, pid: Pid) -> Option<Bot> {
        let bot = self.board.remove(pid)?;
        self.show(bot.place);
        if bot.flag {
            let flag = bot.team.opponent();
            self.push(draw::stand(self, flag));
        }
        Some(bot)
    }

    fn nearest(&self, bot: &Bot, object: Object) -> Answer {
        self.board.nearest(bot, object).map_or(Answer::Fail, |(x, y)| Answer::Found { x, y })
    }

    fn team_stats(&self, bot: &Bot) -> Answer {
        let both = [bot.team, bot.team.opponent()];
        let others = self.board.bots().iter().filter(|other| other.team == bot.team && other.pid != bot.pid);
        Answer::Teams {
            credits: self.credits(bot.team),
            bots: both.map(|team| self.board.count(team)),
            score: both.map(|team| self.score(team)),
            teammates: others.map(|other| other.pid).collect(),
        }
    }

    fn talk(&mut self, team: Team, text: &str) {
        let period = (self.step - 1) / self.rules.talk_period;
        if period != self.talk_period {
            self.talk_period = period;
            self.talks = [0; 2];
        }
        let said = &mut self.talks[team.index()];
        if *said >= self.rules.talk_limit {
            self.dropped_talks[team.index()] += 1;
            return;
        }
        *said += 1;
        self.push(Command::Say { team, text: clean_text(text).into() }.into());
    }
}
