//! Selection of a server's matches for a wall that fills itself: the live ones, the newest first, and for a while those
//! that have just ended.

use grandstand_protocol::message::MatchId;

/// Time that a finished match keeps its place while others are live, in seconds.
pub(crate) const LINGER: f64 = 60.0;

/// A match on the wall.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RosterEntry {
    pub id: MatchId,
    /// The tile stays whatever happens.
    pub pinned: bool,
    /// When the match ended, in seconds of egui's time.
    pub over: Option<f64>,
}

/// The matches on the wall from now on: pinned ones first, then the newest. `live` is the server's list.
/// Finished matches stay as long as nothing is live, and give way to live ones. There is room for `room` matches.
pub(crate) fn next(shown: &[RosterEntry], live: &[MatchId], now: f64, room: usize) -> Vec<MatchId> {
    let pinned = shown.iter().filter(|place| place.pinned).map(|place| place.id.clone());
    let pinned: Vec<MatchId> = pinned.take(room).collect();
    let free = room - pinned.len();
    let goes_on = |place: &RosterEntry| live.contains(&place.id) && place.over.is_none();
    // A match that the server doesn't list, or no longer, may still be live.
    let mut going: Vec<MatchId> = live.to_vec();
    going.extend(shown.iter().filter(|place| place.over.is_none()).map(|place| place.id.clone()));
    going.retain(|id| !shown.iter().any(|place| place.id == *id && place.over.is_some()));
    let any_live = shown.iter().any(goes_on) || !going.is_empty();
    let mut over: Vec<&RosterEntry> = shown.iter().filter(|place| place.over.is_some()).collect();
    over.retain(|place| !any_live || place.over.is_some_and(|since| now - since < LINGER));
    over.sort_by(|a, b| b.over.unwrap_or(now).total_cmp(&a.over.unwrap_or(now)));

    let newest_first = |ids: &mut Vec<MatchId>| {
        ids.sort_by(|a, b| b.as_str().cmp(a.as_str()));
        ids.dedup();
        ids.retain(|id| !pinned.contains(id));
    };
    newest_first(&mut going);
    going.truncate(free);
    let mut rest = going;
    let lingering = over.into_iter().map(|place| place.id.clone()).filter(|id| !pinned.contains(id));
    let room = free - rest.len();
    rest.extend(lingering.take(room));
    newest_first(&mut rest);
    pinned.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tiling::TILES_MAX;
    use super::*;

    fn next(shown: &[RosterEntry], live: &[MatchId], now: f64) -> Vec<MatchId> {
        super::next(shown, live, now, TILES_MAX)
    }

    fn ids(names: &[&str]) -> Vec<MatchId> {
        names.iter().map(|name| name.parse().expect("an id")).collect()
    }

    fn place(name: &str, over: Option<f64>, pinned: bool) -> RosterEntry {
        RosterEntry { id: name.parse().expect("an id"), pinned, over }
    }

    #[test]
    fn new_matches_join_in_front_and_finished_ones_stay_for_a_while() {
        assert_eq!(next(&[], &ids(&["m1", "m2"]), 5.0), ids(&["m2", "m1"]));
        let shown = [place("m2", None, false), place("m1", Some(10.0), false)];
        assert_eq!(next(&shown, &ids(&["m2", "m3"]), 20.0), ids(&["m3", "m2", "m1"]));
        assert_eq!(next(&shown, &ids(&["m2", "m3"]), 10.0 + LINGER), ids(&["m3", "m2"]));
        // The list may be older than what the match itself has said.
        assert_eq!(next(&shown, &ids(&["m2", "m1"]), 20.0), ids(&["m2", "m1"]));
    }

    #[test]
    fn while_nothing_is_live_the_last_results_stay() {
        let shown = [place("m2", Some(1.0), false), place("m1", Some(2.0), false)];
        assert_eq!(next(&shown, &[], 10_000.0), ids(&["m2", "m1"]));
        assert_eq!(next(&shown, &ids(&["m3"]), 10_000.0), ids(&["m3"]));
    }

    #[test]
    fn results_make_room_before_old_matches_and_pins_never() {
        let names: Vec<String> = (10..50).map(|n| format!("m{n}")).collect();
        let live = ids(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let shown = [place("a", Some(9.0), false), place("b", None, true), place("m12", None, false)];
        let next = next(&shown, &live, 10.0);
        assert_eq!(next.len(), TILES_MAX);
        assert_eq!((next[0].as_str(), next[1].as_str(), next[31].as_str()), ("b", "m49", "m19"));
    }

    #[test]
    fn a_match_that_the_list_does_not_have_is_not_over_by_that() {
        let shown = [place("m1", None, false)];
        assert_eq!(next(&shown, &[], 10.0), ids(&["m1"]));
    }

    #[test]
    fn boards_that_are_no_matches_leave_room_for_the_rest() {
        let live = ids(&["m1", "m2", "m3"]);
        let shown = [place("b", None, true), place("m3", None, false)];
        assert_eq!(super::next(&shown, &live, 1.0, 2), ids(&["b", "m3"]));
        assert_eq!(super::next(&shown, &live, 1.0, 1), ids(&["b"]));
        assert_eq!(super::next(&shown, &live, 1.0, 0), []);
        // Without new matches the choice stays as it is.
        let again = [place("b", None, true), place("m3", None, false)];
        assert_eq!(super::next(&again, &live, 2.0, 2), ids(&["b", "m3"]));
    }
}
