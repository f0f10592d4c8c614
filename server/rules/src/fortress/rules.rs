//! Settings of a match: the handout's constants.

use grandstand_protocol::fortress::UnitClass;

use super::ability::Ability;
use crate::settings::{OutOfRange, settings};

settings! {
    /// The settings of a match, by the handout's names (`constants.ml`); in a file, `cTIME_LIMIT = 300000`. Times are
    /// in milliseconds.
    ///
    /// A setting that a file omits has its default; an unknown name is an error. The size of the board
    /// (`cBOARD_LENGTH` 51, `cBOARD_HEIGHT` 25) is fixed by maps and the protocol, and is no setting. The values of a
    /// `Rules` are not checked: [`Rules::validate`], which [`World::from_setup`](super::World::from_setup) calls,
    /// checks whether a match can be played by them.
    Rules {
        /// Distance from a control point within which a unit counts for it, in squares along x and along y (section
        /// 2.1).
        point_capture_radius "cPOINT_CAPTURE_RADIUS": u32 = 1, 0..=25;
        /// Time for which a team must have the majority there (section 2.1).
        point_capture_time "cPOINT_CAPTURE_TIME": u32 = 5_000, 1..=3_600_000;
        /// Time after which the match is over (section 2.2).
        time_limit "cTIME_LIMIT": u32 = 300_000, 1..=3_600_000;
        /// Units that a team may have (section 2.3).
        units_per_team "cUNITS_PER_TEAM": u32 = 5, 1..=5;
        /// The delay after a move, as a multiple of the unit's speed (section 2.5).
        move_delay_scale "cMOVE_DELAY_SCALE": u32 = 20, 1..=1_000;
        /// The delay after a turn, as a multiple of the unit's speed (section 2.5).
        turn_delay_scale "cTURN_DELAY_SCALE": u32 = 5, 1..=1_000;
        /// A medic's speed; less is faster (section 2.5).
        speed_medic "cSPEED_MEDIC": u32 = 19, 1..=1_000;
        /// A pyro's speed.
        speed_pyro "cSPEED_PYRO": u32 = 17, 1..=1_000;
        /// A soldier's speed.
        speed_soldier "cSPEED_SOLDIER": u32 = 20, 1..=1_000;
        /// A medic's health at its spawn, which is also its maximum (section 2.6).
        health_medic "cHEALTH_MEDIC": i32 = 1_000, 1..=1_000_000;
        /// A pyro's health at its spawn.
        health_pyro "cHEALTH_PYRO": i32 = 1_000, 1..=1_000_000;
        /// A soldier's health at its spawn.
        health_soldier "cHEALTH_SOLDIER": i32 = 1_000, 1..=1_000_000;
        /// Least time for which a unit stays destroyed (section 2.7).
        respawn_time "cRESPAWN_TIME": u32 = 10_000, 0..=3_600_000;
        /// Addition to the range of a shot from low to high ground (section 2.10.1).
        low_range_bonus "cLOW_RANGE_BONUS": i32 = -1, -100..=100;
        /// Addition to the range of a shot from high to low ground (section 2.10.1).
        high_range_bonus "cHIGH_RANGE_BONUS": i32 = 1, -100..=100;
        /// Time after the use of the medigun during which the medic can use no ability (section 2.9).
        medigun_delay "cMEDIGUN_DELAY": u32 = 400, 1..=3_600_000;
        /// Time after the use of the medigun during which it can't be used again.
        medigun_cooldown "cMEDIGUN_COOLDOWN": u32 = 0, 0..=3_600_000;
        /// The health that the medigun takes. It is negative, because the medigun heals.
        medigun_damage "cMEDIGUN_DAMAGE": i32 = -125, -1_000_000..=0;
        /// The medigun's range.
        medigun_range "cMEDIGUN_RANGE": i32 = 3, 0..=100;
        /// The pistol's delay.
        pistol_delay "cPISTOL_DELAY": u32 = 400, 1..=3_600_000;
        /// The pistol's cooldown.
        pistol_cooldown "cPISTOL_COOLDOWN": u32 = 0, 0..=3_600_000;
        /// The pistol's damage.
        pistol_damage "cPISTOL_DAMAGE": i32 = 50, 0..=1_000_000;
        /// The pistol's range.
        pistol_range "cPISTOL_RANGE": i32 = 5, 0..=100;
        /// The steamthrower's delay.
        thrower_delay "cTHROWER_DELAY": u32 = 400, 1..=3_600_000;
        /// The steamthrower's cooldown.
        thrower_cooldown "cTHROWER_COOLDOWN": u32 = 0, 0..=3_600_000;
        /// The steamthrower's damage.
        thrower_damage "cTHROWER_DAMAGE": i32 = 125, 0..=1_000_000;
        /// The length of the steamthrower's cone.
        thrower_range "cTHROWER_RANGE": i32 = 3, 0..=100;
        /// The axe's delay.
        axe_delay "cAXE_DELAY": u32 = 400, 1..=3_600_000;
        /// The axe's cooldown.
        axe_cooldown "cAXE_COOLDOWN": u32 = 0, 0..=3_600_000;
        /// The axe's damage.
        axe_damage "cAXE_DAMAGE": i32 = 250, 0..=1_000_000;
        /// The rifle's delay.
        rifle_delay "cRIFLE_DELAY": u32 = 400, 1..=3_600_000;
        /// The rifle's cooldown.
        rifle_cooldown "cRIFLE_COOLDOWN": u32 = 0, 0..=3_600_000;
        /// The rifle's damage.
        rifle_damage "cRIFLE_DAMAGE": i32 = 100, 0..=1_000_000;
        /// The rifle's range.
        rifle_range "cRIFLE_RANGE": i32 = 7, 0..=100;
        /// The rocket's delay.
        rocket_delay "cROCKET_DELAY": u32 = 400, 1..=3_600_000;
        /// The rocket's cooldown.
        rocket_cooldown "cROCKET_COOLDOWN": u32 = 10_000, 0..=3_600_000;
        /// The rocket's damage to the unit that it hits.
        rocket_damage "cROCKET_DAMAGE": i32 = 200, 0..=1_000_000;
        /// The rocket's range.
        rocket_range "cROCKET_RANGE": i32 = 8, 0..=100;
        /// The rocket's further damage to every unit in its burst.
        rocket_burst_damage "cROCKET_BURST_DAMAGE": i32 = 200, 0..=1_000_000;
        /// Radius of the rocket's burst around the square in which it stops, in squares along x and along y.
        rocket_burst_radius "cROCKET_BURST_RADIUS": u32 = 1, 0..=25;
        /// Messages that a unit may say in each second of the match; those beyond are dropped and counted. Ours.
        talks_per_second "cTALKS_PER_SECOND": u32 = 5, 0..=1_000_000;
    }
}

impl Rules {
    /// Checks that a match can be played with these settings.
    ///
    /// # Errors
    /// The first invalid setting.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        self.check_ranges()
    }

    /// The health of a unit of the class at its spawn.
    pub fn health(&self, class: UnitClass) -> i32 {
        match class {
            UnitClass::Medic => self.health_medic,
            UnitClass::Pyro => self.health_pyro,
            UnitClass::Soldier => self.health_soldier,
        }
    }

    /// Milliseconds from a move of a unit of the class until it can move or turn again.
    pub fn move_delay(&self, class: UnitClass) -> u64 {
        u64::from(self.move_delay_scale) * self.speed(class)
    }

    /// Milliseconds from a turn of a unit of the class until it can move or turn again.
    pub fn turn_delay(&self, class: UnitClass) -> u64 {
        u64::from(self.turn_delay_scale) * self.speed(class)
    }

    fn speed(&self, class: UnitClass) -> u64 {
        u64::from(match class {
            UnitClass::Medic => self.speed_medic,
            UnitClass::Pyro => self.speed_pyro,
            UnitClass::Soldier => self.speed_soldier,
        })
    }

    /// The milliseconds after an ability during which the unit can use no ability, and during which it can't use this one.
    pub fn delay_and_cooldown(&self, ability: Ability) -> (u64, u64) {
        let (delay, cooldown) = match ability {
            Ability::Medigun => (self.medigun_delay, self.medigun_cooldown),
            Ability::Pistol => (self.pistol_delay, self.pistol_cooldown),
            Ability::Thrower => (self.thrower_delay, self.thrower_cooldown),
            Ability::Axe => (self.axe_delay, self.axe_cooldown),
            Ability::Rifle => (self.rifle_delay, self.rifle_cooldown),
            Ability::Rocket => (self.rocket_delay, self.rocket_cooldown),
        };
        (delay.into(), cooldown.into())
    }

    /// The health that an ability takes from a unit that it hits; negative if it heals.
    pub fn damage(&self, ability: Ability) -> i32 {
        match ability {
            Ability::Medigun => self.medigun_damage,
            Ability::Pistol => self.pistol_damage,
            Ability::Thrower => self.thrower_damage,
            Ability::Axe => self.axe_damage,
            Ability::Rifle => self.rifle_damage,
            Ability::Rocket => self.rocket_damage,
        }
    }

    /// The range of an ability, in squares; the axe reaches the squares next to the unit.
    pub fn range(&self, ability: Ability) -> i32 {
        match ability {
            Ability::Medigun => self.medigun_range,
            Ability::Pistol => self.pistol_range,
            Ability::Thrower => self.thrower_range,
            Ability::Axe => 1,
            Ability::Rifle => self.rifle_range,
            Ability::Rocket => self.rocket_range,
        }
    }
}
