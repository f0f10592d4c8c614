//! The strong team: it moves as a group to the next control point, shoots where it kills soonest, fires rockets into
//! clusters, heals, withdraws hurt units, and keeps away from axes.
//!
//! One message shows a unit the whole board (a scan has no range), so every unit decides on a full picture; the units
//! share their positions and the group's objective. Among equally good choices red and blue choose mirror images, so
//! that neither side has an advantage.

use grandstand_rules::SplitMix64;
use grandstand_rules::fortress::{
    Ability, Action, ActionResult, Direction, Elevation, Hand, Landing, Map, POINTS, PointStatus, Position,
    Rules, Sighting, Slot, Square, Team, UnitClass, fly, forward,
};

use super::super::team::{Briefing, LastAction, Step, TeamBot};
use super::field::Field;

/// Range of a scan of the whole board.
const EVERYTHING: i64 = 100;
/// Maximum age of the knowledge of the control points, in milliseconds.
const POINTS_FRESH: u64 = 200;
/// Longest wait of a unit before it decides again, in milliseconds.
const LOOK: u64 = 50;
/// Time for which a unit stays in place once it has decided to, in milliseconds.
const PAUSE: u64 = 100;
/// Health below which a unit withdraws from enemies.
const HURT: i32 = 300;
/// Minimum excess of a rocket's harm to enemies over that to friends: a direct hit has it.
const WORTH_A_ROCKET: i32 = 400;
/// Steps by which a unit may be ahead of its group.
const AHEAD: i32 = 3;

/// Differences between teams of this kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skill {
    /// Maximum age of a unit's picture of the board when it decides, in milliseconds.
    fresh: u64,
    /// Whether soldiers fire rockets.
    rockets: bool,
    /// Whether hurt units withdraw.
    withdraws: bool,
}

impl Skill {
    /// All skills of this team.
    pub(super) const FULL: Self = Self { fresh: 40, rockets: true, withdraws: true };
    /// The plan alone: the team moves as a group and shoots at the same enemy, with slower reactions.
    pub(super) const PLAN: Self = Self { fresh: 570, rockets: false, withdraws: false };
}

/// State of a unit, as far as the unit knows it.
#[derive(Debug, Clone)]
struct UnitMemory {
    class: UnitClass,
    living: bool,
    at: Option<Square>,
    facing: Direction,
    health: i32,
    /// All units on the board, and the time of that scan.
    seen: Vec<Sighting>,
    seen_at: u64,
    /// Time of its last message.
    sent: u64,
    moves_from: u64,
    acts_from: u64,
    cool_from: [u64; 2],
    /// End of the time during which it may step aside, after units were in each other's way.
    stray_until: u64,
}

/// The strong team.
#[derive(Debug)]
pub(super) struct Strong {
    team: Team,
    /// Directions in the order of preference.
    ways: [Direction; 4],
    skill: Skill,
    map: Map,
    rules: Rules,
    memories: Vec<UnitMemory>,
    points: Vec<PointStatus>,
    points_at: Option<u64>,
    /// For each control point, distances to the squares where a unit counts for it.
    fields: Vec<Field>,
    random: SplitMix64,
}

impl Strong {
    pub(super) fn new(briefing: Briefing, skill: Skill) -> Self {
        let Briefing { team, units, map, rules, seed } = briefing;
        let memory = |unit| UnitMemory {
            class: first_class(unit),
            living: true,
            at: None,
            facing: forward(team),
            health: 1,
            seen: Vec::new(),
            seen_at: 0,
            sent: 0,
            moves_from: 0,
            acts_from: 0,
            cool_from: [0; 2],
            stray_until: 0,
        };
        let radius = i64::from(rules.point_capture_radius.min(25));
        let fields = map.points().iter().map(|point| Field::around(&map, *point, radius)).collect();
        let memories = (0..units).map(memory).collect();
        let random = SplitMix64::new(seed);
        let ways = Direction::ALL.map(|way| if team == Team::Red { way } else { mirrored(way) });
        Self { team, ways, skill, map, rules, memories, points: Vec::new(), points_at: None, fields, random }
    }

    /// Handles the answer to the unit's last action.
    fn hear(&mut self, unit: usize, now: u64, news: LastAction<'_>) {
        let rules = &self.rules;
        let memory = &mut self.memories[unit];
        match (news.action, news.result) {
            (Action::Scan(_), ActionResult::ScanData { units: seen }) => {
                // The nearest unit comes first, which is the unit itself.
                if let Some(own) = seen.first() {
                    (memory.living, memory.at, memory.health) = (true, Some(own.at), own.health);
                }
                (memory.seen, memory.seen_at) = (seen.clone(), now);
            }
            (Action::Scan(_), _) => memory.living = false,
            (Action::GameStatus, ActionResult::GameData { points, .. }) => {
                (self.points, self.points_at) = (points.clone(), Some(now));
            }
            (Action::Move(hand), ActionResult::Success) => {
                let way = hand.map_or(memory.facing, |hand| hand.of(memory.facing));
                memory.at = memory.at.and_then(|at| at.step(way));
                memory.moves_from = memory.sent + rules.move_delay(memory.class);
            }
            (Action::Move(_), _) => memory.stray_until = now + 600,
            (Action::Turn(hand), ActionResult::Success) => {
                memory.facing = hand.of(memory.facing);
                memory.moves_from = memory.sent + rules.turn_delay(memory.class);
            }
            (Action::PrimaryAbility(_), ActionResult::Success) => memory.used(Slot::Primary, rules),
            (Action::SecondaryAbility(_), ActionResult::Success) => memory.used(Slot::Secondary, rules),
            (Action::Respawn(class), ActionResult::Success) => {
                let fresh = UnitMemory {
                    class: *class,
                    living: true,
                    at: None,
                    facing: forward(self.team),
                    moves_from: 0,
                    acts_from: 0,
                    cool_from: [0; 2],
                    ..memory.clone()
                };
                *memory = UnitMemory { seen_at: 0, ..fresh };
            }
            // The unit is alive after all.
            (Action::Respawn(_), _) => memory.living = true,
            _ => {}
        }
    }

    /// Class with which a destroyed unit comes back: a group of at least two others has one medic.
    fn next_class(&self, unit: usize) -> UnitClass {
        let others =
            || self.memories.iter().enumerate().filter(|(other, memory)| *other != unit && memory.living);
        let has_medic = others().any(|(_, memory)| memory.class == UnitClass::Medic);
        if has_medic || others().count() < 2 { UnitClass::Soldier } else { UnitClass::Medic }
    }

    /// Control point that the group goes to: the first that is not ours, unless enemies outnumber us at the one before
    /// it.
    fn objective(&self, seen: &[Sighting]) -> u8 {
        let ours = |point: &&PointStatus| point.ours == Some(true);
        let (first, last) = match self.team {
            Team::Red => {
                (self.points.iter().find(|point| !ours(point)), self.points.iter().take_while(ours).last())
            }
            Team::Blue => (
                self.points.iter().rev().find(|point| !ours(point)),
                self.points.iter().rev().take_while(ours).last(),
            ),
        };
        let middle = POINTS / 2;
        let next = first.map_or(middle, |point| point.point);
        let Some(last) = last else { return next };
        let radius = u8::try_from(self.rules.point_capture_radius).unwrap_or(u8::MAX);
        let near = |other: &&Sighting| other.at.steps_apart(last.at) <= radius;
        let around = |ally| seen.iter().filter(near).filter(|other| other.ally == ally).count();
        if around(false) > around(true) { last.point } else { next }
    }

    /// Ability that the unit uses now, if it can and that is worthwhile.
    fn fight(&self, unit: usize, now: u64) -> Option<Action> {
        let memory = &self.memories[unit];
        let at = memory.at?;
        if now < memory.acts_from {
            return None;
        }
        let ready = |slot: Slot| now >= memory.cool_from[slot as usize];
        match memory.class {
            UnitClass::Soldier => {
                let rocket =
                    if self.skill.rockets && ready(Slot::Secondary) { self.rocket(memory, at) } else { None };
                let rifle = || self.shot(memory, at, Ability::Rifle, |other| !other.ally);
                rocket.map(Action::SecondaryAbility).or_else(|| rifle().map(Action::PrimaryAbility))
            }
            UnitClass::Medic => {
                let most = |class| self.rules.health(class);
                let hurt =
                    |other: &Sighting| other.ally && other.at != at && other.health + 60 < most(other.class);
                let heal = self.shot(memory, at, Ability::Medigun, hurt).map(Action::PrimaryAbility);
                let pistol = || self.shot(memory, at, Ability::Pistol, |other| !other.ally);
                heal.or_else(|| pistol().map(Action::SecondaryAbility))
            }
            UnitClass::Pyro => {
                let before = at.step(memory.facing)?;
                let near = memory.seen.iter().any(|other| !other.ally && other.at.steps_apart(before) <= 1);
                near.then(|| Action::SecondaryAbility(before.into()))
            }
        }
    }

    /// Position of the unit with the least health that a shot from there would hit.
    fn shot(
        &self,
        memory: &UnitMemory,
        at: Square,
        ability: Ability,
        wanted: impl Fn(&Sighting) -> bool,
    ) -> Option<Position> {
        let hit = |other: &&Sighting| {
            let landing = self.fly(memory, at, other.at, ability);
            landing.hits && landing.stop == other.at
        };
        let targets = memory.seen.iter().filter(|other| other.at != at && wanted(other)).filter(hit);
        targets.min_by_key(|other| (other.health, other.at.distance_squared(at))).map(|other| other.at.into())
    }

    /// Target at which a rocket does the most harm, if that is enough.
    fn rocket(&self, memory: &UnitMemory, at: Square) -> Option<Position> {
        let targets = memory.seen.iter().filter(|other| !other.ally);
        let worth = targets.filter_map(|other| {
            let landing = self.fly(memory, at, other.at, Ability::Rocket);
            let worth = self.worth(memory, landing)?;
            (worth >= WORTH_A_ROCKET).then_some((worth, other.at))
        });
        let place = |at: Square| if self.team == Team::Red { at } else { at.mirrored() };
        worth.max_by_key(|(worth, target)| (*worth, place(*target))).map(|(_, target)| target.into())
    }

    /// Harm of a rocket to enemies, less twice that to friends; `None` if it kills a friend.
    fn worth(&self, memory: &UnitMemory, landing: Landing) -> Option<i32> {
        let radius = u8::try_from(self.rules.rocket_burst_radius).unwrap_or(u8::MAX);
        let mut worth = 0;
        for other in memory.seen.iter().filter(|other| other.at.steps_apart(landing.stop) <= radius) {
            let direct = if landing.hits && other.at == landing.stop { self.rules.rocket_damage } else { 0 };
            let harm = (direct + self.rules.rocket_burst_damage).min(other.health);
            match other.ally {
                true if harm == other.health => return None,
                true => worth -= 2 * harm,
                false => worth += harm,
            }
        }
        Some(worth)
    }

    fn fly(&self, memory: &UnitMemory, from: Square, target: Square, ability: Ability) -> Landing {
        let is_taken = |at| memory.seen.iter().any(|other| other.at == at);
        fly(&self.rules, &self.map, is_taken, from, target, self.rules.range(ability))
    }

    /// Step of the unit, if it can move and that is better than staying.
    fn walk(&mut self, unit: usize, now: u64) -> Option<Action> {
        let memory = &self.memories[unit];
        let at = memory.at?;
        if now < memory.moves_from {
            return None;
        }
        let goal = self.objective(&memory.seen);
        let view = self.view(unit, at, goal);
        let stay = self.value(&view, at);
        let free = |place: &Square| memory.seen.iter().all(|other| other.at != *place);
        let mut best: Option<(i32, Direction)> = None;
        for way in self.ways {
            let Some(to) = self.map.step(at, way).filter(free) else { continue };
            // A turn takes time.
            let turn = if way == memory.facing.opposite() { 2 } else { 0 };
            let value = self.value(&view, to) - turn;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, way));
            }
        }
        let (value, way) = best?;
        if value > stay {
            return Some(self.step_toward(memory.facing, way));
        }
        // In a queue that does not move, a random step finds the way around.
        let stuck = now < memory.stray_until && view.field.distance(at) > 0;
        self.memories[unit].moves_from = now + PAUSE;
        (stuck && self.random.below(4) == 0).then(|| Action::Move(self.random.choose(&Hand::ALL)))
    }

    /// Action that moves a unit one step in a direction: sideways, unless it has to turn around.
    fn step_toward(&self, facing: Direction, way: Direction) -> Action {
        match () {
            () if way == facing => Action::Move(None),
            () if way == facing.left() => Action::Move(Some(Hand::Left)),
            () if way == facing.right() => Action::Move(Some(Hand::Right)),
            () => Action::Turn(if self.team == Team::Red { Hand::Left } else { Hand::Right }),
        }
    }

    fn view(&self, unit: usize, at: Square, goal: u8) -> View<'_> {
        let memory = &self.memories[unit];
        let others: Vec<&Sighting> = memory.seen.iter().filter(|other| other.at != at).collect();
        let (allies, enemies): (Vec<&Sighting>, Vec<&Sighting>) =
            others.into_iter().partition(|other| other.ally);
        let taken: Vec<Square> = allies.iter().map(|other| other.at).collect();
        let field = self.fields[usize::from(goal)].around_others(at, &taken);
        // The group are the units that are not far behind; a unit that comes back is not waited for.
        let far = |ally: &&&Sighting| ally.at.distance_squared(at) <= 15 * 15;
        let plain = &self.fields[usize::from(goal)];
        let behind = allies.iter().filter(far).map(|ally| plain.distance(ally.at));
        let mut distances: Vec<i32> = behind.collect();
        distances.sort_unstable();
        let group = distances.get(distances.len() / 2).copied();
        let patient = (memory.class == UnitClass::Medic)
            .then(|| allies.iter().min_by_key(|ally| (ally.health / 200, ally.at.distance_squared(at))))
            .flatten();
        let patient = patient.map(|ally| ally.at);
        View { class: memory.class, health: memory.health, field, plain, group, patient, allies, enemies }
    }

    /// Value of standing on a square.
    fn value(&self, view: &View<'_>, place: Square) -> i32 {
        let distance = |other: &&Sighting| f64::from(other.at.distance_squared(place)).sqrt();
        let nearest = view.enemies.iter().map(distance).fold(f64::INFINITY, f64::min);
        let steps = view.field.distance(place);
        let mut value = -10 * steps;
        if let Some(group) = view.group
            && nearest < 12.0
        {
            // No unit goes ahead alone.
            value -= 14 * (group - AHEAD - view.plain.distance(place)).max(0);
        }
        if let Some(patient) = view.patient {
            value = -10 * (i32::from(patient.steps_apart(place)) - 2).max(0) - 2 * steps;
        }
        if nearest < 10.0 {
            if self.map.elevation(place) == Elevation::High {
                value += 6;
            }
            // A rocket hits fewer units if they are apart.
            let beside = |ally: &&&Sighting| ally.at.steps_apart(place) <= 1;
            value -= 2 * i32::try_from(view.allies.iter().filter(beside).count()).unwrap_or(0);
        }
        for enemy in view.enemies.iter().filter(|enemy| enemy.class == UnitClass::Pyro) {
            // Fire reaches three squares.
            let apart = f64::from(enemy.at.distance_squared(place)).sqrt();
            if apart < 4.0 {
                value -= (8.0 * (4.0 - apart)) as i32;
            }
        }
        if self.skill.withdraws && view.health < HURT && nearest < 9.0 {
            value += (12.0 * nearest) as i32 + 9 * steps;
        }
        if view.class == UnitClass::Medic && nearest < 5.0 {
            value -= (6.0 * (5.0 - nearest)) as i32;
        }
        value
    }
}

/// Facts that decide where a unit goes.
struct View<'a> {
    class: UnitClass,
    health: i32,
    /// Distances to the goal, around friends.
    field: Field,
    /// Distances without regard to friends.
    plain: &'a Field,
    /// Distance of the group from its goal.
    group: Option<i32>,
    /// Position of the unit that a medic looks after.
    patient: Option<Square>,
    allies: Vec<&'a Sighting>,
    enemies: Vec<&'a Sighting>,
}

impl UnitMemory {
    fn used(&mut self, slot: Slot, rules: &Rules) {
        let (delay, cooldown) = rules.delay_and_cooldown(Ability::of(self.class, slot));
        self.acts_from = self.sent + delay;
        self.cool_from[slot as usize] = self.sent + cooldown;
    }
}

impl TeamBot for Strong {
    fn class(&mut self, unit: usize) -> UnitClass {
        first_class(unit)
    }

    fn step(&mut self, unit: usize, now: u64, news: Option<LastAction<'_>>) -> Step {
        if let Some(news) = news {
            self.hear(unit, now, news);
        }
        let action = self.decide(unit, now);
        let memory = &mut self.memories[unit];
        match action {
            Some(action) => {
                memory.sent = now;
                Step::Act(action)
            }
            None => {
                let next = [memory.moves_from, memory.acts_from].into_iter().filter(|at| *at > now).min();
                Step::Wait(next.unwrap_or(now + LOOK).min(now + LOOK))
            }
        }
    }
}

impl Strong {
    fn decide(&mut self, unit: usize, now: u64) -> Option<Action> {
        let memory = &self.memories[unit];
        if !memory.living {
            return Some(Action::Respawn(self.next_class(unit)));
        }
        if memory.at.is_none() || now > memory.seen_at + self.skill.fresh {
            return Some(Action::Scan(EVERYTHING));
        }
        if self.points_at.is_none_or(|at| now > at + POINTS_FRESH) {
            // Only one of the units asks.
            self.points_at = Some(now);
            return Some(Action::GameStatus);
        }
        self.fight(unit, now).or_else(|| self.walk(unit, now))
    }
}

fn first_class(unit: usize) -> UnitClass {
    if unit == 3 { UnitClass::Medic } else { UnitClass::Soldier }
}

/// The direction in the mirror that maps red's side to blue's.
fn mirrored(way: Direction) -> Direction {
    match way {
        Direction::East | Direction::West => way.opposite(),
        Direction::North | Direction::South => way,
    }
}
