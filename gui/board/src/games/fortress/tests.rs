//! Tests of the painted board: what is seen of units in a melee.

use egui::{Color32, Pos2, Rect, Shape, pos2, vec2};
use egui_kittest::Harness;
use grandstand_protocol::fortress::Team;
use grandstand_protocol::{Command, Game, Micros, Place, Scene};

use super::{FortressBoard, crowd, paint};
use crate::input_tests::still;
use crate::pixels::rasterizer::{Drawing, Pixels};
use crate::pixels::{Size, TextOutlines, take};
use crate::theme::{self, Palette};
use crate::{BoardInput, BoardOptions, MatchContext, SideFigure, view};

const SIZE: Size = Size { width: 560, height: 320 };

/// Ten units on squares side by side.
const MELEE: [&str; 10] = [
    "spawn 1 red 0 0 east 1000 soldier",
    "spawn 2 red 1 0 east 1000 medic",
    "spawn 3 red 0 1 east 1000 pyro",
    "spawn 4 red 1 1 south 1000 soldier",
    "spawn 5 red 2 1 east 1000 soldier",
    "spawn 6 blue 2 0 west 1000 soldier",
    "spawn 7 blue 3 0 west 1000 medic",
    "spawn 8 blue 3 1 west 1000 soldier",
    "spawn 9 blue 2 2 north 1000 pyro",
    "spawn 10 blue 1 2 west 1000 soldier",
];
/// Everything that they can do to each other at once.
const FIGHT: [&str; 12] = [
    "shot 6 rifle 1 0 0 0",
    "hit 6 2 200",
    "shot 8 rocket 1 1 0 1",
    "hit 8 4 300",
    "hit 8 3 100",
    "shot 7 medigun 2 0 2 0",
    "hit 7 6 ~125",
    "axe 9 west",
    "hit 9 10 50",
    "cone 3 east",
    "hit 3 6 80",
    "shot 1 pistol 3 0 3 0",
];

fn scene(lines: impl Iterator<Item = &'static &'static str>) -> Scene {
    let mut scene = Scene::new(Game::Fortress);
    for (seq, line) in (1..).zip(lines) {
        scene.apply(seq, Micros(0), &Command::parse(Game::Fortress, line.as_bytes()));
    }
    scene
}

/// A unit as it is seen: the middles of its plate and of its square.
type Seen = (Pos2, Pos2);

/// The picture of a scene a tenth of a second after its commands, its units, the radius of their plates, and the colours.
fn painted(scene: Scene) -> (Pixels, Vec<Seen>, f32, &'static Palette) {
    let mut harness = Harness::builder().with_size(vec2(560.0, 320.0)).build_ui_state(
        |ui, (scene, has_fonts, seen, radius): &mut (Scene, bool, Vec<Seen>, f32)| {
            if !std::mem::replace(has_fonts, true) {
                return theme::install(ui.ctx());
            }
            let picture = BoardInput { secs: 0.1, now: 0.1, ..still(scene) };
            let (rect, options) = (ui.max_rect(), BoardOptions::default());
            view(scene).new_painter().show(ui, rect, &picture, options);
            let (tiles, _) = paint::tiles(rect, &picture, options);
            let Scene::Fortress(units) = &*scene else { panic!("another game") };
            let units = paint::placed(&tiles, units, &FortressBoard::default(), &picture);
            *seen = units.iter().map(|placed| (placed.at, placed.foot)).collect();
            *radius = crowd::plate_radius(tiles.side);
        },
        (scene, false, Vec::new(), 0.0),
    );
    harness.run_steps(2);
    let list = take(&harness.output().shapes, SIZE, 1.0, Color32::BLACK, &mut TextOutlines::new());
    let mut drawing = Drawing::blank(SIZE);
    drawing.begin(list);
    while !drawing.is_done() {
        drawing.step();
    }
    let (_, _, seen, radius) = harness.state();
    (drawing.pixels, seen.clone(), *radius, Palette::of(&harness.ctx))
}

fn pixel(pixels: &Pixels, x: i32, y: i32) -> [u8; 3] {
    let at = (y as usize * SIZE.width as usize + x as usize) * 3;
    [pixels.rgb[at], pixels.rgb[at + 1], pixels.rgb[at + 2]]
}

#[test]
fn a_fight_hides_no_unit() {
    let (calm, seen, radius, _) = painted(scene(MELEE.iter()));
    let (fight, ..) = painted(scene(MELEE.iter().chain(&FIGHT)));
    assert_eq!(seen.len(), 10);
    assert_ne!(calm.rgb, fight.rgb);
    let reach = radius * 0.65;
    for (at, _) in &seen {
        for y in (at.y - reach).ceil() as i32..(at.y + reach) as i32 {
            for x in (at.x - reach).ceil() as i32..(at.x + reach) as i32 {
                if at.distance(pos2(x as f32 + 0.5, y as f32 + 0.5)) < reach {
                    assert_eq!(pixel(&fight, x, y), pixel(&calm, x, y), "at {x}, {y}, the unit at {at}");
                }
            }
        }
    }
}

/// What a fight is told to have changed, and where, on a board in a place of this size.
fn told(size: egui::Vec2, options: BoardOptions) -> (Vec<(String, Pos2)>, Rect) {
    let (texts, board) = texts(size, options);
    let is_change = |text: &str| text.starts_with(['−', '+']) && text.len() >= "−50".len();
    (texts.into_iter().filter(|(text, _)| is_change(text)).collect(), board)
}

/// All texts on a board of a fight in a place of this size, with their places, and the place of the board.
fn texts(size: egui::Vec2, options: BoardOptions) -> (Vec<(String, Pos2)>, Rect) {
    let scene = scene(MELEE.iter().chain(&FIGHT));
    let mut harness = Harness::builder().with_size(size).build_ui_state(
        |ui, (scene, has_fonts, board): &mut (Scene, bool, Rect)| {
            if !std::mem::replace(has_fonts, true) {
                return theme::install(ui.ctx());
            }
            let picture = BoardInput { secs: 0.1, now: 0.1, ..still(scene) };
            let rect = ui.max_rect();
            view(scene).new_painter().show(ui, rect, &picture, options);
            *board = paint::tiles(rect, &picture, options).0.board();
        },
        (scene, false, Rect::NOTHING),
    );
    harness.run_steps(2);
    let texts = harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect().center())),
        _ => None,
    });
    (texts.collect(), harness.state().2)
}

#[test]
fn changes_of_health_stand_on_the_cards_and_without_them_beside_the_units() {
    let options = BoardOptions { coordinates: false, ..BoardOptions::default() };
    let (with_cards, board) = told(vec2(960.0, 640.0), options);
    let words: Vec<&str> = with_cards.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(
        words,
        ["−200", "−100", "−300", "−80", "−50"],
        "in the order of the cards, as much as has room"
    );
    assert!(with_cards.iter().all(|(_, at)| at.y > board.bottom()), "{with_cards:?}");
    // A board that takes all of its place has none.
    let (without, board) = told(vec2(960.0, 500.0), options);
    assert!(without.len() >= 4 && without.iter().all(|(_, at)| board.contains(*at)), "{without:?} {board}");
}

#[test]
fn a_narrow_card_keeps_the_health_of_a_unit_that_is_hit() {
    let options = BoardOptions { coordinates: false, ..BoardOptions::default() };
    let (texts, board) = texts(vec2(440.0, 330.0), options);
    let on_cards: Vec<&str> =
        texts.iter().filter(|(_, at)| at.y > board.bottom()).map(|(text, _)| text.as_str()).collect();
    let health = on_cards.iter().filter(|text| text.len() >= "100".len()).count();
    assert_eq!(health, MELEE.len(), "{on_cards:?}");
    assert!(!on_cards.iter().any(|text| text.starts_with('−')), "{on_cards:?}");
}

#[test]
fn a_unit_that_is_moved_aside_has_a_mark_on_its_square() {
    let (pixels, seen, radius, palette) = painted(scene(MELEE.iter()));
    let accents = [Team::Red, Team::Blue].map(|team| palette.squad(team).accent);
    let accents = accents.map(|color| [color.r(), color.g(), color.b()]);
    let moved: Vec<_> = seen.iter().filter(|(at, foot)| at.distance(*foot) > radius).collect();
    assert!(moved.len() >= 3, "{seen:?}");
    for (at, foot) in moved {
        let color = pixel(&pixels, foot.x as i32, foot.y as i32);
        assert!(accents.contains(&color), "{color:?} on the square of the unit at {at}, {foot}");
    }
}

#[test]
fn the_seconds_of_a_fallen_unit_are_told_as_its_clock_shows_them_and_its_ring_is_what_is_left() {
    const FALL: [&str; 1] = ["remove 3"];
    let scene = scene(MELEE.iter().chain(&FALL));
    for (secs, told, quarters) in [(0.0, "10", 4), (2.5, "8", 3), (5.0, "5", 2), (7.5, "3", 1)] {
        let about = MatchContext { rules: None, secs, present: None, is_judged: false };
        let figures = view(&scene).tally(0, &about);
        let fallen = figures.into_iter().find_map(|figure| match figure {
            SideFigure::Drawn { words, paint, .. } if words.contains("back in") => Some((words, paint)),
            _ => None,
        });
        let (words, paint) = fallen.expect("a fallen unit");
        assert_eq!(words, format!("pyro 3 back in {told} seconds"));
        let place = Rect::from_min_size(pos2(20.0, 20.0), vec2(40.0, 40.0));
        let mut harness = Harness::builder().with_size(vec2(80.0, 80.0)).build_ui_state(
            |ui, has_fonts: &mut bool| match std::mem::replace(has_fonts, true) {
                false => theme::install(ui.ctx()),
                true => paint(ui.painter(), Palette::of(ui.ctx()), place),
            },
            false,
        );
        harness.run_steps(2);
        let shapes = || harness.output().shapes.iter().map(|clipped| &clipped.shape);
        // A number alone would be that of a unit.
        let told = format!("{told}s");
        assert!(shapes().any(|shape| matches!(shape, Shape::Text(text) if text.galley.text() == told)));
        let ring = shapes().find_map(|shape| match shape {
            Shape::Path(path) if !path.closed => Some(path.points.clone()),
            _ => None,
        });
        let ring = ring.expect("a ring");
        let long: f32 = ring.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        let whole = std::f32::consts::TAU * 40.0 * 0.46;
        let part = whole * quarters as f32 / 4.0;
        assert!((long - part).abs() < whole * 0.02, "{told}: {long} of {whole}");
    }
}

#[test]
fn no_line_to_a_square_lies_over_a_piece() {
    let (pixels, seen, radius, palette) = painted(scene(MELEE.iter()));
    let accents = [Team::Red, Team::Blue].map(|team| palette.squad(team).accent);
    let accents = accents.map(|color| [color.r(), color.g(), color.b()]);
    let mut looked = 0;
    for (at, foot) in seen.iter().filter(|(at, foot)| at.distance(*foot) > radius) {
        for part in 0..100_u8 {
            let point = at.lerp(*foot, f32::from(part) / 100.0);
            let is_mark = seen.iter().any(|(_, foot)| foot.distance(point) < radius * 0.22 + 3.0);
            let is_inside = |other: &Pos2| other.distance(point) < radius * 0.65;
            if !is_mark && seen.iter().any(|(other, _)| is_inside(other)) {
                looked += 1;
                let color = pixel(&pixels, point.x as i32, point.y as i32);
                assert!(!accents.contains(&color), "{color:?} at {point}: the line from {at} to {foot}");
            }
        }
    }
    assert!(looked > 10, "{looked}");
}

#[test]
fn a_unit_is_pointed_at_where_its_plate_is_and_a_control_point_on_all_of_its_squares() {
    const POINT: [&str; 1] = ["point 2 20 5 red"];
    let scene = scene(MELEE.iter().chain(&POINT));
    let Scene::Fortress(fortress) = &scene else { panic!("another game") };
    let board = view(&scene).new_painter();
    let picture = still(&scene);
    for (width, height) in [(370.0, 500.0), (800.0, 450.0), (1600.0, 900.0)] {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let options = BoardOptions::default();
        let told = |at: Pos2| {
            let place = board.place_at(rect, &picture, options, at).expect("a place");
            grandstand_story::story(&scene).describe(place).expect("words")
        };
        for unit in fortress.units() {
            let plate = board.unit_area(rect, &picture, options, unit.id).expect("a unit");
            for from_middle in [vec2(0.0, 0.0), vec2(-0.3, 0.2), vec2(0.3, -0.2)] {
                let words = told(plate.center() + from_middle * plate.width());
                let name = format!(": {} {} {}, health ", unit.team, unit.class, unit.id);
                assert!(words.contains(&name) && words.ends_with("\nlow ground"), "{words} {width}");
            }
        }
        let middle =
            board.area_of(rect, &picture, options, "20,5".parse().map(Place::Square).expect("a square"));
        let middle = middle.expect("a square");
        for (x, y) in [(0.0, 0.0), (-1.4, -1.4), (1.4, 1.4), (1.4, -1.4), (0.0, 1.4)] {
            let words = told(middle.center() + vec2(x, y) * middle.width());
            assert!(words.contains("control point 2, red's\nlow ground"), "{words} {width}");
        }
    }
}

#[test]
fn an_enlarged_board_is_the_same_one_so_many_times_as_large() {
    let scene = scene(MELEE.iter());
    let board = view(&scene).new_painter();
    let place = Rect::from_min_size(pos2(10.0, 110.0), vec2(465.0, 362.0));
    let square = |x: i64| Place::Square(grandstand_protocol::fortress::Square::new(x, 3).expect("a square"));
    let area = |zoom: f32, x: i64| {
        let picture = BoardInput { zoom, ..still(&scene) };
        let rect = Rect::from_min_size(place.min, place.size() * zoom);
        board.area_of(rect, &picture, BoardOptions::default(), square(x)).expect("an area").center()
    };
    for x in [-20, 0, 11] {
        let whole = area(1.0, x) - place.min;
        for zoom in [1.5, 3.0, 6.0] {
            let shift = area(zoom, x) - place.min - whole * zoom;
            assert!(shift.abs().max_elem() <= zoom, "{x} at {zoom}: {shift}");
        }
    }
}
