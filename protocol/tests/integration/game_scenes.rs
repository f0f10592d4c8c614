//! Scenes of Shark, Fortress, the grid, stones and Riskless.

use grandstand_protocol::abalone::Team;
use grandstand_protocol::team::{MaxieMinnie, RedBlue};
use grandstand_protocol::{Command, Game, Micros, Scene, fortress, grid, shark, stones};

use super::scene::{draw, json};

fn shark_map() -> String {
    let rows = ["*...r...R...i..............b...*", "................................"];
    format!("map {} {}", rows[0], vec![rows[1]; 15].join(" "))
}

#[test]
fn a_shark_scene_has_all_that_its_commands_drew() {
    let lines = shark_map()
        + "\ndraw RED_LEFT_FLAG 3 4 17 2\ndraw WALL 1 1\ndraw POWERUP_SPAWN 12 0\nerase 1 1\nerase 2 2\nshot 3 4 3 0\nshot 9 9 9 3\n\
           spawn 3 4\nnames a_b c\nscore 1 ~2\ntime 5000\nsay red hi\nstand blue empty\nwin draw\nset E0 w4";
    let rows = format!(
        "[\"*...r...R...i..............b...*\"{}]",
        ",\"................................\"".repeat(15)
    );
    assert_eq!(
        json(&draw(Game::Shark, &lines)),
        format!(r#"{{"game":"shark","map":{rows},"#)
            + concat!(
                r#""tiles":{"12,0":{"image":"POWERUP_SPAWN"},"3,4":{"image":"RED_LEFT_FLAG","bot":17,"health":2}},"#,
                r#""stands":{"red":true,"blue":false},"credits":{"red":3,"blue":4},"names":{"red":"a_b","blue":"c"},"#,
                r#""score":{"red":1,"blue":-2},"time":"5000","winner":"draw","#,
                r#""shots":[{"seq":7,"t":3.5,"from":[3,4],"to":[3,0],"team":"red"},{"seq":8,"t":4,"from":[9,9],"to":[9,3],"team":null}],"#,
                r#""talk":[{"seq":13,"t":6.5,"team":"red","text":"hi"}]}"#
            )
    );
}

#[test]
fn a_new_shark_map_clears_the_board_and_keeps_the_rest() {
    let lines =
        "draw WALL 1 1\nshot 3 4 3 0\nstand red empty\nscore 1 2\nspawn 3 4\n".to_owned() + &shark_map();
    let Scene::Shark(scene) = draw(Game::Shark, &lines) else { panic!("another game") };
    assert_eq!((scene.sprites().len(), scene.shots().len()), (0, 0));
    assert!(RedBlue::ALL.iter().all(|&team| scene.is_full(team)));
    assert_eq!(RedBlue::ALL.map(|team| scene.score(team)), [1, 2]);
    assert_eq!(RedBlue::ALL.map(|team| scene.credits(team)), [3, 4]);
}

#[test]
fn a_shark_board_remembers_16_shots_and_whose_they_were() {
    let shots: String = (0..20).map(|n| format!("shot {n} 4 {n} 0\n")).collect();
    let Scene::Shark(scene) = draw(Game::Shark, &("draw BLUE_UP 19 4\n".to_owned() + &shots)) else {
        panic!("another game")
    };
    assert_eq!(scene.shots().len(), 16);
    assert_eq!(scene.shots().next().map(|shot| (shot.seq, shot.team)), Some((6, None)));
    assert_eq!(scene.shots().last().map(|shot| (shot.seq, shot.team)), Some((21, Some(RedBlue::Blue))));
}

#[test]
fn a_winner_in_words_is_a_colour_or_a_teams_name() {
    let [red, blue, drawn] = grandstand_protocol::team::Outcome::<RedBlue>::ALL;
    let names = "names Red Sharks\trays_of_light\n";
    let same = "names sharks sharks\n";
    for (before, line, winner, words) in [
        ("", "win red", Some(red), None),
        ("", "win RED", Some(red), Some("RED")),
        ("", "win Draw", Some(drawn), Some("Draw")),
        (names, "win Red Sharks", Some(red), Some("Red Sharks")),
        (names, "win rays of light", Some(blue), Some("rays of light")),
        (names, "win the whales", None, Some("the whales")),
        (same, "win sharks", None, Some("sharks")),
        ("names blue red\n", "win red", Some(red), None),
    ] {
        let shark = draw(Game::Shark, &format!("{before}{line}"));
        let Scene::Shark(scene) = &shark else { panic!("another game") };
        assert_eq!((scene.winner(), scene.won().map(|won| &**won)), (winner, words), "{before}{line}");
        assert_eq!(json(&shark).contains("\"won\""), words.is_some());
    }
    let Scene::Shark(scene) = draw(Game::Shark, "win the whales\nwin blue") else { panic!("another game") };
    assert_eq!((scene.winner(), scene.won()), (Some(blue), None), "the last word counts");
}

#[test]
fn an_old_gui_is_sent_what_the_handout_has() {
    let plain = |game, line: &str| {
        Command::parse(game, line.as_bytes()).without_extensions().map(|command| command.to_line())
    };
    for (line, sent) in [
        ("draw RED_LEFT_FLAG 3 4 17 2", Some("draw RED_LEFT_FLAG 3 4")),
        ("draw RED_LEFT 3 4", Some("draw RED_LEFT 3 4")),
        ("draw WALL 3 4", Some("draw WALL 3 4")),
        ("stand red empty", None),
        ("win blue", Some("win blue")),
        ("jump", None),
        ("#gs marker {\"label\":\"x\"}", None),
    ] {
        assert_eq!(plain(Game::Shark, line).as_deref(), sent, "{line}");
    }
    let ours =
        ["shot 1 rocket 2 0 5 0", "cone 4 west", "axe 4 west", "hit 1 6 4", "capture 2 red 500", "time 3"];
    assert!(ours.iter().all(|line| plain(Game::Fortress, line).is_none()));
    for line in ["init", "say red hi", "update 6 2 0 west 600", "remove 6", "control 2 red", "over red"] {
        assert_eq!(plain(Game::Fortress, line).as_deref(), Some(line));
    }
    assert_eq!(plain(Game::Abalone, "set B-2 w4").as_deref(), Some("set B~2 w4"));
}

#[test]
fn distance_on_a_shark_board_is_counted_in_moves() {
    let place = |x, y| shark::Tile::new(x, y).expect("on the board");
    let from = place(2, 2);
    let figure_3 = [[4, 3, 2, 3], [3, 2, 1, 2], [2, 1, 0, 1], [3, 2, 1, 2]];
    for (y, row) in (0..).zip(figure_3) {
        for (x, distance) in (0..).zip(row) {
            assert_eq!(place(x, y).distance(from), distance);
        }
    }
    for place in shark::Tile::all() {
        assert_eq!(shark::Tile::all().nth(place.index()), Some(place));
        let next = shark::Heading::ALL.map(|heading| place.neighbour(heading));
        assert!(next.iter().flatten().all(|next| next.distance(place) == 1));
        let at_edge =
            usize::from(place.x() == 0 || place.x() == 31) + usize::from(place.y() == 0 || place.y() == 15);
        assert_eq!(next.iter().flatten().count(), 4 - at_edge);
    }
    assert_eq!((shark::Tile::new(32, 0), shark::Tile::new(0, 16)), (None, None));
}

#[test]
fn a_fortress_shows_terrain_units_points_and_what_happens() {
    let lines = "init\nelevation ~25 12 high\nelevation 0 ~1 ramp\nelevation 1 1 high\nelevation 1 1 low\n\
                 point 2 0 0 none\npoint 0 ~20 3 red\nspawn 6 blue 2 0 west 1000 medic\n\
                 spawn 1 red ~2 0 north 900 soldier\nupdate 1 ~1 0 east 850\ntime 299000\ncapture 2 red 5000\n\
                 capture 2 red 4500\nshot 1 rocket 1 0 5 0\nhit 1 6 200\nhit 1 1 200\nupdate 1 ~1 0 east 650\n\
                 remove 6\nsay red hi\nover red";
    let row = |row: i8| {
        let letter = |x: i8| match (x, row) {
            (-25, 12) => 'h',
            (0, -1) => 'r',
            _ => 'l',
        };
        format!("\"{}\"", (-25..=25).map(letter).collect::<String>())
    };
    let rows: Vec<String> = (-12..=12).rev().map(row).collect();
    let json = json(&draw(Game::Fortress, lines));
    assert_eq!(
        json,
        format!(r#"{{"game":"fortress","elevation":[{}],"#, rows.join(","))
            + concat!(
                r#""units":[{"id":1,"team":"red","x":-1,"y":0,"facing":"east","health":650,"max":900,"class":"soldier"}],"#,
                r#""fallen":[{"id":6,"team":"blue","class":"medic","t":9}],"#,
                r#""points":[{"point":0,"x":-20,"y":3,"owner":"red","capture":null},"#,
                r#"{"point":2,"x":0,"y":0,"owner":null,"capture":{"team":"red","millis":4500,"of":5000}}],"#,
                r#""time":299000,"winner":"red","effects":[{"seq":14,"t":7,"id":1,"team":"red","from":[-1,0],"#,
                r#""effect":"shot","weapon":"rocket","stop":[1,0],"target":[5,0],"#,
                r#""hits":[{"on":6,"at":[2,0],"amount":200},{"on":1,"at":[-1,0],"amount":200}]}],"#,
                r#""talk":[{"seq":19,"t":9.5,"team":"red","text":"hi"}]}"#
            )
    );
    let Scene::Fortress(scene) = serde_json::from_str(&json).expect("a scene is read") else {
        panic!("another game")
    };
    assert_eq!(scene.unit(1).map(|unit| unit.health), Some(650));
    assert_eq!((scene.held(RedBlue::Red), scene.held(RedBlue::Blue)), (1, 0));
}

#[test]
fn a_capture_counts_down_from_where_it_began() {
    let captures = |lines: &str| {
        let Scene::Fortress(scene) = draw(Game::Fortress, &format!("point 2 0 0 none\n{lines}")) else {
            panic!("another game")
        };
        scene.points()[0].capture.map(|capture| (capture.team.name(), capture.millis, capture.of))
    };
    assert_eq!(captures("capture 2 red 5000\ncapture 2 red 500"), Some(("red", 500, 5000)));
    assert_eq!(captures("capture 2 red 5000\ncapture 2 none 0"), None);
    assert_eq!(captures("capture 2 red 5000\ncapture 2 blue 3000"), Some(("blue", 3000, 3000)));
    assert_eq!(
        captures("capture 2 red 500\ncapture 2 none 0\ncapture 2 red 4000"),
        Some(("red", 4000, 4000))
    );
    assert_eq!(captures("capture 3 red 5000"), None);
}

#[test]
fn a_fortress_forgets_what_is_too_much_and_begins_anew() {
    let spawns: String = (0..70).map(|id| format!("spawn {id} red 0 0 east 9 pyro\n")).collect();
    let cones: String = (0..20).map(|id| format!("cone {id} east\n")).collect();
    let hits = "hit 19 1 5\n".repeat(20);
    let lines =
        format!("{spawns}cone 69 east\nupdate 69 1 1 east 9\nremove 69\n{cones}{hits}remove 5\nsay red x");
    let Scene::Fortress(scene) = draw(Game::Fortress, &lines) else { panic!("another game") };
    assert_eq!((scene.units().len(), scene.fallen().len(), scene.effects().len()), (63, 1, 16));
    assert_eq!(scene.effects().next().map(|effect| effect.id), Some(4));
    assert_eq!(scene.effects().last().map(|effect| effect.hits.len()), Some(16));
    let back = draw(Game::Fortress, &format!("{lines}\nspawn 5 red 0 0 east 9 medic"));
    let Scene::Fortress(back) = back else { panic!("another game") };
    assert_eq!((back.units().len(), back.fallen().len()), (64, 0));

    let Scene::Fortress(scene) = draw(Game::Fortress, &format!("{lines}\ntime 5\nover draw\ninit")) else {
        panic!("another game")
    };
    let talk = scene.talk().len();
    assert_eq!((scene.units().len(), scene.fallen().len(), scene.effects().len(), talk), (0, 0, 0, 1));
    assert_eq!((scene.time(), scene.winner()), (None, None));
}

#[test]
fn the_squares_of_the_fortress_are_counted_from_the_middle() {
    use fortress::{Direction, Square};
    assert_eq!(Square::all().len(), 51 * 25);
    assert_eq!(Square::all().next(), Square::new(-25, 12), "the north-western corner comes first");
    for (index, place) in Square::all().enumerate() {
        assert_eq!(place.index(), index);
        assert_eq!(place.to_string().parse(), Ok(place));
        assert_eq!(place.to_string().replace('-', "~").parse(), Ok(place));
        assert_eq!(place.mirrored().mirrored(), place);
        for direction in Direction::ALL {
            if let Some(next) = place.step(direction) {
                assert_eq!((next.step(direction.opposite()), next.distance_squared(place)), (Some(place), 1));
            }
        }
    }
    for (x, y) in [(26, 0), (-26, 0), (0, 13), (0, -13), (i64::MAX, 0), (0, i64::MIN)] {
        assert_eq!(Square::new(x, y), None);
    }
    for wrong in ["", ",", "0", "0,", "0,13", "26,0", "1,2,3", " 0,0", "+1,0"] {
        assert!(wrong.parse::<Square>().is_err(), "{wrong:?}");
    }
    let corner = Square::new(25, 12).expect("a corner");
    assert_eq!([corner.step(Direction::North), corner.step(Direction::East)], [None, None]);
    assert_eq!(Direction::North.left(), Direction::West);
    assert_eq!(Direction::North.right(), Direction::East);
    let (a, b) = (Square::new(-1, 2).expect("a square"), Square::new(2, -2).expect("a square"));
    assert_eq!((a.distance_squared(b), a.steps_apart(b)), (25, 4));
}

#[test]
fn a_grid_shows_cells_scores_step_and_talk() {
    let lines = "size 3 2\ncell 2,0 @ red\ncell 0,1 #\ncell 1,1 x\ncell 1,1\ncell 3,0 x\nscore red 3\nscore blue ~1\nstep 12\nsay red hi";
    assert_eq!(
        json(&draw(Game::Grid, lines)),
        concat!(
            r##"{"game":"grid","width":3,"height":2,"cells":{"2,0":{"glyph":"@","color":"red"},"0,1":{"glyph":"#"}},"##,
            r#""score":{"blue":-1,"red":3},"step":12,"talk":[{"seq":10,"t":5,"team":"red","text":"hi"}]}"#
        )
    );
}

#[test]
fn a_smaller_grid_loses_what_is_off_it() {
    let Scene::Grid(scene) = draw(Game::Grid, "cell 7,7 a\ncell 0,0 b\nsize 4 4\nsize 8 8") else {
        panic!("another game")
    };
    assert_eq!(
        scene.cells().map(|(at, _)| at).collect::<Vec<_>>(),
        [grid::Coord::new(0, 0).expect("a place")]
    );
    let Scene::Grid(scene) = draw(Game::Grid, "cell 7,7 a\nscore red 1\nclear") else {
        panic!("another game")
    };
    assert_eq!((scene.cells().count(), scene.scores().count()), (0, 1));
}

#[test]
fn a_grid_keeps_the_scores_of_16_teams() {
    let lines: String = (10..40).map(|n| format!("score team{n} {n}\n")).collect();
    let Scene::Grid(scene) = draw(Game::Grid, &(lines + "score team12 0")) else { panic!("another game") };
    assert_eq!(scene.scores().count(), 16);
    assert_eq!(
        scene.scores().nth(2).map(|(team, score)| (team.to_string(), score)),
        Some(("team12".to_owned(), 0))
    );
}

#[test]
fn a_scene_that_can_not_be_is_refused() {
    for (wrong, why) in [
        (r#"{"game":"chess"}"#, "unknown variant `chess`"),
        (r#"{"game":"abalone","hexes":{},"score":{"black":0,"white":0},"turns":0}"#, "missing field `talk`"),
        (
            r#"{"game":"grid","width":65,"height":8,"cells":{},"score":{},"step":0,"talk":[]}"#,
            "65 is not a width or height: expected 1 to 64",
        ),
        (
            r#"{"game":"grid","width":8,"height":8,"cells":{"0,64":{"glyph":"x"}},"score":{},"step":0,"talk":[]}"#,
            "`0,64` is not a place",
        ),
        (
            r#"{"game":"fortress","elevation":["l"],"units":[],"fallen":[],"points":[],"time":null,"winner":null,"effects":[],"talk":[]}"#,
            "1 lines of elevations: expected 25",
        ),
    ] {
        let error = serde_json::from_str::<Scene>(wrong).expect_err(wrong).to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn stones_are_numbered_by_their_moves() {
    let lines = "board 19\nmove black j10\nmove white k10\nset a1 w\nset k10 e\ncaptures black 1\nmove black t19\nmove black s19";
    let Scene::Stones(scene) = draw(Game::Pente, lines) else { panic!("another game") };
    let stones: Vec<String> =
        scene.stones().map(|(point, stone)| format!("{point} {} {:?}", stone.team, stone.number)).collect();
    assert_eq!(stones, ["a1 white None", "j10 black Some(1)", "s19 black Some(3)"]);
    assert_eq!((scene.ply(), scene.last()), (3, "s19".parse().ok()), "t19 is off the board, and no move");
    assert_eq!((scene.captures(Team::Black), scene.captures(Team::White)), (1, 0));
    assert!(json(&Scene::Stones(scene)).starts_with(
        r#"{"game":"pente","size":19,"stones":{"black":{"j10":1,"s19":3},"white":{"a1":null}},"ply":3,"last":"s19""#
    ));
}

#[test]
fn a_new_board_keeps_clocks_names_and_talk() {
    let lines = "board 15\nnames a b\nmove black h8\nforbid a1 t19\nfive a1 e5\nclock black 5000 running\nthought white 1 2 3 h8\nturn white\nwin black\nsay white hm";
    let Scene::Stones(scene) = draw(Game::Gomoku, lines) else { panic!("another game") };
    assert_eq!(scene.forbidden(), ["a1".parse().expect("a point")], "t19 is off the board");
    assert!(scene.five().is_some() && scene.table().winner().is_some());
    assert!(scene.table().thought(Team::White).is_some_and(|line| line.thought.depth == 2));
    let Scene::Stones(new) = draw(Game::Gomoku, &format!("{lines}\nboard 5")) else { panic!("another game") };
    assert_eq!((new.size().get(), new.stones().len(), new.ply(), new.last()), (5, 0, 0, None));
    assert!(new.five().is_none() && new.forbidden().is_empty());
    let table = new.table();
    assert!(table.turn().is_none() && table.winner().is_none() && table.thought(Team::White).is_none());
    assert_eq!(table.clock(Team::Black), scene.table().clock(Team::Black));
    assert!(table.name(Team::White).is_some_and(|name| **name == *"b") && table.talk().len() == 1);
}

#[test]
fn a_running_clock_counts_down_from_when_it_was_set() {
    let lines = "clock black 5000 running\nclock white 4000 stopped";
    let Scene::Stones(scene) = draw(Game::Gomoku, lines) else { panic!("another game") };
    let clock = |team| scene.table().clock(team).expect("a clock");
    // It was set after half a second.
    for (millis, left) in [(500, 5000), (1501, 3999), (5500, 0), (7500, -2000)] {
        assert_eq!(clock(Team::Black).left(Micros(millis * 1000)), left);
        assert_eq!(clock(Team::White).left(Micros(millis * 1000)), 4000);
    }
    assert_eq!(scene.table().clock(Team::Black).map(|clock| clock.running), Some(true));
}

#[test]
fn a_map_has_territories_roads_and_armies_that_are_on_it() {
    let lines = "map 10 26 Two\nterritory 3 0 0 North\nterritory 5 9 9 South\nroad 5 3\nroad 3 5\nroad 3 3\nroad 3 4\nset 3 maxie 4\nset 5 minnie 2\nset 4 maxie 9\nmove maxie 3 5\nbattle 5 4 2\nset 3 maxie 0\nset 5 maxie 2\nmove minnie 3 4";
    let Scene::Riskless(scene) = draw(Game::Riskless, lines) else { panic!("another game") };
    assert_eq!(scene.roads().len(), 1);
    assert!(scene.has_road(5, 3) && scene.has_road(3, 5) && !scene.has_road(3, 4));
    let (maxie, minnie) = (MaxieMinnie::Maxie, MaxieMinnie::Minnie);
    assert_eq!((scene.armies(maxie), scene.held(maxie)), (2, 2));
    assert_eq!((scene.armies(minnie), scene.held(minnie)), (0, 0));
    assert_eq!(scene.ply(), 1, "there is no territory 4 to move to");
    assert!(scene.battle().is_some_and(|battle| (battle.attackers, battle.defenders) == (4, 2)));
    let next = draw(Game::Riskless, &format!("{lines}\nmove maxie 5 3"));
    let Scene::Riskless(next) = next else { panic!("another game") };
    assert!(next.battle().is_none() && next.ply() == 2);
}

#[test]
fn columns_have_letters_and_rows_numbers() {
    for (x, letters) in [(0, "a"), (25, "z"), (26, "aa"), (701, "zz"), (702, "aaa"), (998, "alk")] {
        let point = stones::Point::new(x, 998 - x).expect("a point");
        assert_eq!(point.to_string(), format!("{letters}{}", 999 - x));
    }
    for x in 0..999 {
        let point = stones::Point::new(x, x).expect("a point");
        assert_eq!(point.to_string().parse(), Ok(point));
    }
    let centre = stones::Size::new(15).expect("a size").centre();
    assert_eq!(centre.to_string(), "h8");
}
