//! Section 2.7: respawn of units.

use grandstand_rules::fortress::{Action, ActionResult, Rules, UnitClass};

use super::common::{AHEAD, Match, first, map, play, play_on, play_with, second};

fn respawn(class: UnitClass) -> Action {
    Action::Respawn(class)
}

/// Blue's unit 9 is destroyed at millisecond 1,000, at (3, 5).
fn after_a_fall(owners: &str, others: &str) -> Match {
    let units = format!("1 red soldier 0,5 east\n9 blue pyro 3,5 north 100\n{others}");
    let mut game = play_with(&map(&[]), Rules::default(), &units, owners);
    game.succeeds(1_000, 1, first(3, 5));
    assert_eq!(game.health(9), 0);
    game
}

#[test]
fn a_unit_stands_again_and_is_answered_after_the_respawn() {
    let mut game = after_a_fall("rr-bb", "");
    game.later(1_500, 9, respawn(UnitClass::Medic));
    game.pass(10_999);
    assert_eq!((game.health(9), game.answers().len()), (0, 0));
    assert_eq!(game.world.next_event(), Some(11_000));
    game.pass(11_000);
    assert_eq!(game.answers(), [(11_000, 9, ActionResult::Success)]);
    assert_eq!((game.health(9), game.place(9)), (1_000, (10, 0)));
    assert_eq!(game.lines.iter().filter(|(_, line)| line == "spawn 9 blue 10 0 west 1000 medic").count(), 1);
}

#[test]
fn who_asks_later_stands_again_at_once() {
    let mut game = after_a_fall("rr-bb", "");
    game.pass(10_999);
    assert_eq!(game.health(9), 0, "nobody comes back unasked");
    game.succeeds(11_000, 9, respawn(UnitClass::Soldier));
    assert_eq!(game.health(9), 1_000);
    // It is a new unit, and free to act.
    game.succeeds(11_000, 9, AHEAD);
    game.succeeds(11_000, 9, second(-20, 0));
    assert!(game.answers().is_empty());
}

#[test]
fn a_living_unit_can_not_respawn() {
    let mut game = play("1 red soldier 0,5 east\n9 blue pyro 3,5 north");
    game.fails(0, 1, respawn(UnitClass::Medic));
    let mut game = after_a_fall("rr-bb", "");
    game.later(1_500, 9, respawn(UnitClass::Medic));
    game.pass(11_000);
    game.fails(11_000, 9, respawn(UnitClass::Medic));
}

#[test]
fn a_newer_request_replaces_the_older_which_fails() {
    let mut game = after_a_fall("rr-bb", "");
    game.later(1_500, 9, respawn(UnitClass::Medic));
    game.later(2_000, 9, respawn(UnitClass::Soldier));
    assert_eq!(game.answers(), [(2_000, 9, ActionResult::Failed)]);
    game.pass(20_000);
    assert_eq!(game.answers(), [(11_000, 9, ActionResult::Success)]);
    assert!(game.lines.iter().any(|(_, line)| line == "spawn 9 blue 10 0 west 1000 soldier"));
}

#[test]
fn a_unit_respawns_at_its_most_advanced_point() {
    for (owners, blue, red) in [
        ("rr-bb", (10, 0), (-10, 0)),
        ("rrbbb", (0, 0), (-10, 0)),
        ("rrr-b", (20, 0), (0, 0)),
        ("b-r--", (-20, 0), (0, 0)),
        ("-----", (25, 0), (-25, 0)),
    ] {
        let units = "1 red soldier 0,5 east\n2 red pyro 1,5 east 100\n8 blue soldier 3,5 west\n9 blue pyro 3,8 west 100";
        let mut game = play_with(&map(&[]), Rules::default(), units, owners);
        game.succeeds(0, 1, first(3, 8));
        game.succeeds(0, 8, first(1, 5));
        game.succeeds(10_000, 2, respawn(UnitClass::Pyro));
        game.succeeds(10_000, 9, respawn(UnitClass::Pyro));
        assert_eq!((game.place(9), game.place(2)), (blue, red), "{owners}");
        assert_eq!((game.facing(9).name(), game.facing(2).name()), ("west", "east"));
    }
}

#[test]
fn the_respawn_point_is_that_of_the_moment_of_standing() {
    let mut game =
        after_a_fall("rr-bb", "8 blue medic 0,0 west\n7 blue medic -3,0 west\n6 blue medic 3,0 west");
    game.later(1_500, 9, respawn(UnitClass::Pyro));
    game.pass(11_000);
    assert_eq!((game.owners().as_str(), game.place(9)), ("rrbbb", (1, 0)));
}

#[test]
fn respawn_prefers_the_own_edge_then_north() {
    let mut order = Vec::new();
    let mut blocked = vec![(10, 0)];
    for _ in 0..4 {
        let others: Vec<String> =
            blocked.iter().zip(20..).map(|((x, y), id)| format!("{id} blue medic {x},{y} west")).collect();
        let mut game = play_with(
            &map(&[]),
            Rules::default(),
            &format!(
                "1 red soldier 0,5 east\n2 red soldier -10,0 east\n9 blue pyro 3,5 north 100\n{}",
                others[..others.len().min(4)].join("\n")
            ),
            "rr-bb",
        );
        game.succeeds(0, 1, first(3, 5));
        game.succeeds(10_000, 9, respawn(UnitClass::Pyro));
        let (x, y) = game.place(9);
        order.push((x, y));
        blocked.push((x, y));
    }
    assert_eq!(order, [(11, 0), (10, 1), (10, -1), (9, 0)]);
    // Red respawns at the mirror image.
    let mut game = play("2 red soldier -10,0 east\n1 red pyro 3,5 north 100\n9 blue soldier 0,5 east");
    game.succeeds(0, 9, first(3, 5));
    game.succeeds(10_000, 1, respawn(UnitClass::Pyro));
    assert_eq!(game.place(1), (-11, 0));
}

#[test]
fn nobody_comes_back_where_no_way_leads_to() {
    // The middle of both edges is high ground without a ramp.
    let ground = map(&[('h', (24, -1), (25, 1))]);
    let mut game =
        play_with(&ground, Rules::default(), "1 red soldier 0,5 east\n9 blue pyro 3,5 north 100", "-----");
    game.succeeds(0, 1, first(3, 5));
    game.succeeds(10_000, 9, respawn(UnitClass::Pyro));
    assert_eq!(game.place(9), (25, 2), "two squares away, as is (23, 0), and nearer to the edge");
}

#[test]
fn units_respawn_in_the_order_they_fell() {
    let units = "1 red soldier 0,5 east\n8 blue pyro 3,5 north 100\n9 blue pyro 4,5 north 100";
    let mut game = play(units);
    game.succeeds(0, 1, first(3, 5));
    game.succeeds(400, 1, first(4, 5));
    game.later(500, 9, respawn(UnitClass::Pyro));
    game.later(500, 8, respawn(UnitClass::Pyro));
    game.pass(60_000);
    assert_eq!(game.answers(), [(10_000, 8, ActionResult::Success), (10_400, 9, ActionResult::Success)]);
    assert_eq!((game.place(8), game.place(9)), ((10, 0), (11, 0)));
}

#[test]
fn who_comes_back_counts_for_captures_at_once() {
    let rules = Rules { respawn_time: 3_000, ..Rules::default() };
    let units = "1 red soldier 0,5 east\n2 red pyro 21,1 east\n9 blue pyro 3,5 north 100";
    let mut game = play_with(&map(&[]), rules, units, "rrrrb");
    game.succeeds(0, 1, first(3, 5));
    game.later(0, 9, respawn(UnitClass::Pyro));
    game.pass(3_000);
    assert_eq!(
        game.lines_from(game.lines.len() - 3),
        ["spawn 9 blue 20 0 west 1000 pyro", "capture 4 none 0", "time 297000"]
    );
}

#[test]
fn a_request_that_waits_at_the_end_has_failed() {
    let rules = Rules { time_limit: 5_000, ..Rules::default() };
    let mut game = play_on(&map(&[]), rules, "1 red soldier 0,5 east\n9 blue pyro 3,5 north 100");
    game.succeeds(0, 1, first(3, 5));
    game.later(1_000, 9, respawn(UnitClass::Pyro));
    game.pass(9_000);
    assert_eq!(game.answers(), [(5_000, 9, ActionResult::Failed)]);
    game.fails(20_000, 9, respawn(UnitClass::Pyro));
}

#[test]
fn without_a_respawn_time_units_stand_again_at_once() {
    let rules = Rules { respawn_time: 0, ..Rules::default() };
    let mut game = play_on(&map(&[]), rules, "1 red soldier 0,5 east\n9 blue pyro 3,5 north 100");
    game.succeeds(0, 1, first(3, 5));
    game.succeeds(0, 9, respawn(UnitClass::Pyro));
    assert_eq!(game.health(9), 1_000);
}
