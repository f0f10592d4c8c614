//! Turning points of Riskless: who leads, who has more land, who broke through, and who took which continent. Of each only the last
//! change is kept, so that they tell how the match was won.

use grandstand_protocol::Micros;
use grandstand_protocol::riskless::{March, Scene, Team};

use super::regions::Region;
use super::text;
use crate::findings::Findings;
use crate::markers::kind;

/// Topics of [`Findings::turning_point`]. Those of continents follow.
const LEAD: u8 = 0;
const BREAKTHROUGH: u8 = 1;
const MOST_LAND: u8 = 2;
const TWICE_THE_LAND: u8 = 3;
const FREE_LAND: u8 = 4;
const REGIONS: u8 = 5;

/// Armies against the opponent's that are a breakthrough.
const BREAKTHROUGH_BY: (u64, u64) = (3, 2);

/// Records what a move changed between two scenes.
pub(super) fn record(scenes: [&Scene; 2], march: March, at: (u64, Micros), findings: &mut Findings) {
    let [before, after] = scenes;
    // The battle for the last territory says it all.
    if Team::ALL.iter().any(|team| after.held(*team) == 0) {
        return;
    }
    let [old, new] = scenes.map(|scene| Team::ALL.map(|team| scene.armies(team)));
    let [old_land, new_land] = scenes.map(|scene| Team::ALL.map(|team| scene.held(team) as u64));
    let all = after.territories().len();
    let land = |team: Team| format!("{} of {all}", after.held(team));
    // A level score leaves the lead where it was.
    if let (old, Some(team)) = (ahead(old, (1, 1)), ahead(new, (1, 1)))
        && old != Some(team)
    {
        let event = (kind::LEAD, team.index(), "Lead taken by".to_owned());
        findings.turning_point(LEAD, at, Some(event));
    }
    if let (old, Some(team)) = (ahead(old_land, (1, 1)), ahead(new_land, (1, 1)))
        && old != Some(team)
    {
        let event = (kind::LEAD, team.index(), format!("Most land held ({}) by", land(team)));
        findings.turning_point(MOST_LAND, at, Some(event));
    }
    let (was, is) = (ahead(old, BREAKTHROUGH_BY), ahead(new, BREAKTHROUGH_BY));
    if was != is {
        let event = is.map(|team| (kind::LEAD, team.index(), "Breakthrough by".to_owned()));
        findings.turning_point(BREAKTHROUGH, at, event);
    }
    let (was, is) = (ahead(old_land, (2, 1)), ahead(new_land, (2, 1)));
    if was != is {
        let event =
            is.map(|team| (kind::LEAD, team.index(), format!("Twice the land held ({}) by", land(team))));
        findings.turning_point(TWICE_THE_LAND, at, event);
    }
    let free = scenes.map(|scene| all.saturating_sub(scene.held(Team::Maxie) + scene.held(Team::Minnie)));
    if free[0] > 0 && free[1] == 0 {
        let event = (kind::REGION, march.team.index(), "Last free territory taken by".to_owned());
        findings.turning_point(FREE_LAND, at, Some(event));
    }
    for (topic, region) in (REGIONS..).zip(Region::all(after)) {
        let place = text::name(after, march.to);
        let name = region.name;
        let event = match [before, after].map(|scene| region.holder(scene)) {
            [was, is] if was == is => continue,
            [_, Some(team)] => (kind::REGION, team.index(), format!("{place} completes {name} for")),
            [Some(team), None] => (kind::REGION, team.index(), format!("{place} falls: {name} lost by")),
            [None, None] => continue,
        };
        findings.turning_point(topic, at, Some(event));
    }
}

/// The team that has so many times as much as the opponent, and more.
fn ahead(of: [u64; 2], (times, by): (u64, u64)) -> Option<Team> {
    let has = |own: u64, other: u64| own > other && own * by >= other * times;
    match of {
        [maxie, minnie] if has(maxie, minnie) => Some(Team::Maxie),
        [maxie, minnie] if has(minnie, maxie) => Some(Team::Minnie),
        _ => None,
    }
}
