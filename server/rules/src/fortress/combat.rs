//! Use of abilities, and their effects (sections 2.8 to 2.10).

use grandstand_protocol::fortress::{Command, Direction, Elevation, Square, Weapon};

use super::ability::{Ability, Slot, Targeting};
use super::action::{ActionResult, Position};
use super::path::fly;
use super::refusal::Failure;
use super::unit::Unit;
use super::world::World;

/// The position of `at` relative to a unit on `from` that looks in direction `facing`: the distance ahead, and the distance aside.
fn ahead_and_aside(from: Square, facing: Direction, at: Square) -> (i8, i8) {
    let (dx, dy) = (at.x() - from.x(), at.y() - from.y());
    let (fx, fy) = facing.delta();
    (dx * fx + dy * fy, dx * fy - dy * fx)
}

impl World {
    /// Uses one of the unit's abilities. A failure changes nothing.
    pub(super) fn use_ability(
        &mut self,
        index: usize,
        slot: Slot,
        position: Position,
    ) -> Result<ActionResult, Failure> {
        let unit = self.units.get(index);
        unit.can_use(slot, self.now)?;
        let ability = Ability::of(unit.class, slot);
        match ability.targeting() {
            Targeting::Square(weapon) => self.shoot(index, ability, weapon, position)?,
            Targeting::Cone => self.spray(index, ability),
            Targeting::Melee => self.strike(index, ability),
        }
        let (delay, cooldown) = self.rules.delay_and_cooldown(ability);
        let now = self.now;
        let unit = self.units.get_mut(index);
        unit.acts_from = now + delay;
        unit.cool_from[slot as usize] = now + cooldown;
        Ok(ActionResult::Success)
    }

    /// Fires a projectile (section 2.10.1).
    fn shoot(
        &mut self,
        index: usize,
        ability: Ability,
        weapon: Weapon,
        position: Position,
    ) -> Result<(), Failure> {
        let from = self.units.get(index).at;
        let target = position.place().filter(|&target| target != from).ok_or(Failure::Target)?;
        let is_taken = |at| self.units.at(at).is_some();
        let landing = fly(&self.rules, &self.map, is_taken, from, target, self.rules.range(ability));
        let stop = landing.stop;
        let burst = (ability == Ability::Rocket).then_some(self.rules.rocket_burst_radius);
        let harm = |unit: &Unit| {
            let direct = landing.hits && unit.at == stop;
            let in_burst = burst.is_some_and(|radius| u32::from(unit.at.steps_apart(stop)) <= radius);
            let harm = |is_hit, damage| if is_hit { damage } else { 0 };
            harm(direct, self.rules.damage(ability)) + harm(in_burst, self.rules.rocket_burst_damage)
        };
        let harmed = self.harmed(index, ability, harm);
        self.show(Command::Shot { id: self.units.get(index).id.0, weapon, stop, target });
        self.change_health(index, &harmed);
        Ok(())
    }

    /// Fills the cone with steam (section 2.10.3).
    fn spray(&mut self, index: usize, ability: Ability) {
        let Unit { id, at: from, facing, .. } = *self.units.get(index);
        let reach = self.rules.range(ability).unsigned_abs().pow(2);
        let in_cone = |at: Square| {
            let (ahead, aside) = ahead_and_aside(from, facing, at);
            ahead > 0 && aside.abs() <= ahead && from.distance_squared(at) <= reach
        };
        let damage = self.rules.damage(ability);
        let harm = |unit: &Unit| if in_cone(unit.at) && self.is_level(from, unit.at) { damage } else { 0 };
        let harmed = self.harmed(index, ability, harm);
        self.show(Command::Cone { id: id.0, facing });
        self.change_health(index, &harmed);
    }

    /// Strikes with the axe (section 2.10.4).
    fn strike(&mut self, index: usize, ability: Ability) {
        let Unit { id, at: from, facing, .. } = *self.units.get(index);
        let in_front = |at: Square| {
            let (ahead, aside) = ahead_and_aside(from, facing, at);
            ahead == 1 && aside.abs() <= 1
        };
        let damage = self.rules.damage(ability);
        let harm = |unit: &Unit| if in_front(unit.at) && self.is_level(from, unit.at) { damage } else { 0 };
        let harmed = self.harmed(index, ability, harm);
        self.show(Command::Axe { id: id.0, facing });
        self.change_health(index, &harmed);
    }

    /// Whether steam and axe reach from one square to the other: from a ramp to every elevation, otherwise to ramps and to the same
    /// elevation.
    fn is_level(&self, from: Square, to: Square) -> bool {
        let (from, to) = (self.map.elevation(from), self.map.elevation(to));
        from == to || from == Elevation::Ramp || to == Elevation::Ramp
    }

    /// The living units that the ability affects, by ascending id, each with the health that it would lose.
    fn harmed(&self, by: usize, ability: Ability, harm: impl Fn(&Unit) -> i32) -> Vec<(usize, i32)> {
        let team = self.units.get(by).team;
        let units = (0..).zip(self.units()).filter(|(_, unit)| unit.is_living());
        let affected = units.filter(|(_, unit)| ability.affects(unit.team == team));
        affected.map(|(index, unit)| (index, harm(unit))).filter(|&(_, harm)| harm != 0).collect()
    }

    /// Applies losses and gains of health caused by one unit; units without health are destroyed.
    fn change_health(&mut self, by: usize, harmed: &[(usize, i32)]) {
        let by = self.units.get(by).id.0;
        let mut changed = Vec::new();
        for &(index, harm) in harmed {
            let unit = self.units.get(index);
            let health = (unit.health - harm).clamp(0, self.rules.health(unit.class));
            let amount = unit.health - health;
            if amount != 0 {
                self.show(Command::Hit { by, on: unit.id.0, amount });
                changed.push((index, health));
            }
        }
        let mut fell = false;
        for (index, health) in changed {
            if health > 0 {
                self.units.get_mut(index).health = health;
                self.show_unit(index);
            } else {
                self.units.fell(index, self.now);
                self.show_fall(index);
                fell = true;
            }
        }
        if fell {
            self.watch();
        }
    }
}
