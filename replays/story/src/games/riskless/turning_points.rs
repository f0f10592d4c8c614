//! Turning points of Riskless: who leads, who has more land, who broke through, and who took which continent. Of each only the last
//! change is kept, so that they tell how the match was won; and the largest lead of a team that lost it again.

use grandstand_protocol::Micros;
use grandstand_protocol::riskless::{March, Scene, Team};

use super::regions::Region;
use super::text;
use crate::findings::Findings;
use crate::markers::kind;
use crate::plots::Point;

/// Topics of [`Findings::turning_point`]. Those of continents follow.
const LEAD: u8 = 0;
const BREAKTHROUGH: u8 = 1;
const MOST_LAND: u8 = 2;
const TWICE_THE_LAND: u8 = 3;
const FREE_LAND: u8 = 4;
const LARGEST_LEAD: [u8; 2] = [5, 6];
const REGIONS: u8 = 7;

/// How many times as much as the opponent a team has, and more, that is ahead; that breaks through; that has twice the land; whose lead,
/// once lost, is told.
const MORE: (u64, u64) = (1, 1);
const BREAKTHROUGH_BY: (u64, u64) = (3, 2);
const TWICE: (u64, u64) = (2, 1);
const LARGE: (u64, u64) = (6, 5);

/// Records what a move changed between two scenes.
pub(super) fn record(scenes: [&Scene; 2], march: March, at: (u64, Micros), findings: &mut Findings) {
    let [_, after] = scenes;
    // The battle for the last territory says it all.
    if Team::ALL.iter().any(|team| after.held(*team) == 0) {
        return;
    }
    let armies = scenes.map(|scene| Team::ALL.map(|team| scene.armies(team)));
    let land = scenes.map(|scene| Team::ALL.map(|team| scene.held(team) as u64));
    let all = after.territories().len();
    let of_land = |team: Team| format!(" ({} : {})", after.held(team), after.held(team.opponent()));
    for (topic, [old, new], least, what) in [
        (LEAD, armies, MORE, "Lead taken"),
        (MOST_LAND, land, MORE, "Lead in land taken"),
        (BREAKTHROUGH, armies, BREAKTHROUGH_BY, "Breakthrough"),
        (TWICE_THE_LAND, land, TWICE, "Twice the land held"),
    ] {
        let (was, is) = (ahead(old, least), ahead(new, least));
        // A level score leaves the last change where it was.
        if was == is || is.is_none() && least == MORE {
            continue;
        }
        if let (LEAD, Some(team)) = (topic, is) {
            // The scores may have been level between.
            record_largest_lead(team.opponent(), findings);
        }
        let event = is.map(|team| {
            let part =
                if matches!(topic, MOST_LAND | TWICE_THE_LAND) { of_land(team) } else { String::new() };
            (kind::LEAD, team.index(), format!("{what}{part} by"))
        });
        findings.turning_point(topic, at, event);
    }
    let free = scenes.map(|scene| all.saturating_sub(scene.held(Team::Maxie) + scene.held(Team::Minnie)));
    if free[0] > 0 && free[1] == 0 {
        let event = (kind::REGION, march.team.index(), "Last free territory taken by".to_owned());
        findings.turning_point(FREE_LAND, at, Some(event));
    }
    for (topic, region) in (REGIONS..).zip(Region::all(after)) {
        let [was, is] = scenes.map(|scene| region.holder(scene));
        let Some(team) = is.or(was).filter(|_| was != is) else { continue };
        let (place, name) = (text::name(after, march.to), region.name);
        let what = match is {
            Some(_) => format!("{place} completes {name} for"),
            None => format!("{place} falls: {name} lost by"),
        };
        findings.turning_point(topic, at, Some((kind::REGION, team.index(), what)));
    }
}

/// Records the largest lead of a team that loses its lead, unless it had a larger one before.
fn record_largest_lead(team: Team, findings: &mut Findings) {
    let Some(armies) = findings.plots.get(super::ARMIES) else { return };
    let series = |team: Team| armies.series.iter().find(|series| series.key == team.name());
    let Some((own, other)) = series(team).zip(series(team.opponent())) else { return };
    let led_by = |point: &Point| point.value - other.until(point.seq).map_or(0, |point| point.value);
    let topic = LARGEST_LEAD[team.index()];
    let largest = findings.markers.turning_point(topic).and_then(|marker| own.until(marker.seq)).map(led_by);
    let since = findings.markers.turning_point(LEAD).map_or(0, |marker| marker.seq);
    let from = own.points.partition_point(|point| point.seq < since);
    let Some(most) = own.points[from..].iter().max_by_key(|point| led_by(point)) else { return };
    let has = [most.value, most.value - led_by(most)].map(|armies| u64::try_from(armies).unwrap_or(0));
    if largest.is_some_and(|largest| led_by(most) <= largest) || ahead(has, LARGE) != Some(Team::ALL[0]) {
        return;
    }
    let event = (kind::LEAD, team.index(), "Largest lead of".to_owned());
    findings.turning_point(topic, (most.seq, most.t), Some(event));
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
