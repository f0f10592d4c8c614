//! Tests of exported pictures: comparison of small ones with golden files, pixel by pixel, and properties of all.
//!
//! `GRANDSTAND_RENEW=1 cargo test -p grandstand-gui export` rewrites the golden files.

use std::path::{Path, PathBuf};

use grandstand_export::{
    ExportError, Extra, FRAMES_MAX, Job, Look, Match, Moment, Plan, Range, Size, Sketch, What,
};
use grandstand_protocol::Micros;
use grandstand_replays::{Limits, Replay, Speed};
use proptest::prelude::*;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn sample(name: &str) -> Replay {
    let file = std::fs::read(here("../replays/samples").join(name)).expect("a sample");
    Replay::open(&file, Limits::default()).expect("a replay")
}

fn made(game: &str, lines: &[(f64, &str)]) -> Replay {
    Replay::open(grandstand_testing::recording(game, lines).as_bytes(), Limits::default()).expect("a replay")
}

fn size(text: &str) -> Size {
    text.parse().expect("a size")
}

fn plan(what: What, size_text: &str, look: Look) -> Plan {
    Plan { what, size: size(size_text), look }
}

pub(crate) fn png(replay: &Replay, at: Moment, size: &str, look: Look) -> Vec<u8> {
    made_of(replay, plan(What::Png(at), size, look))
}

fn made_of(replay: &Replay, plan: Plan) -> Vec<u8> {
    let of = Match::of(replay);
    let mut job = Job::new(of, plan, std::io::Cursor::new(Vec::new())).expect("a plan");
    while !job.is_done() {
        job.step(of).expect("a step");
    }
    job.finish().expect("written").into_inner()
}

/// Width, height and pixels of a PNG, three bytes each.
pub(crate) fn decoded(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (info.width, info.height, pixels)
}

/// Compares a picture with a golden file, pixel by pixel.
fn same_as_golden(name: &str, bytes: &[u8]) {
    let path = here("tests/golden").join(name);
    if std::env::var_os("GRANDSTAND_RENEW").is_some() {
        std::fs::write(path, bytes).expect("written");
        return;
    }
    let golden = std::fs::read(&path).expect("a golden picture");
    if decoded(&golden) != decoded(bytes) {
        let new = std::env::temp_dir().join(name);
        std::fs::write(&new, bytes).expect("written");
        panic!("{} is drawn otherwise now: {}", path.display(), new.display());
    }
}

#[test]
fn the_boards_look_as_they_did() {
    let abalone = sample("team-team.replay");
    let fortress = sample("fortress-strong-strong.replay.zst");
    let gomoku = sample("gomoku-stupid-stupid.replay");
    let pente = sample("pente-stupid-stupid.replay");
    let riskless = sample("riskless-alphabeta-random.replay");
    let shark = sample("shark-shark-stupidbot.replay.zst");
    let grid = made(
        "grid",
        &[(0.0, "size 6 5"), (0.1, "cell 1,1 X red"), (0.2, "cell 2,3 ♞ blue"), (0.3, "cell 4,2 o yellow")],
    );
    let pictures: [(&str, &Replay, Moment, &str, Look); 11] = [
        ("abalone-dark.png", &abalone, Moment::Seq(300), "320x240", Look::dark()),
        ("abalone-light.png", &abalone, Moment::End, "320x240", Look::light()),
        ("shark-dark.png", &shark, Moment::Seq(600), "320x240", Look::dark()),
        ("shark-light.png", &shark, Moment::Seq(700), "320x240", Look::light()),
        ("fortress-dark.png", &fortress, Moment::Seq(2000), "400x240", Look::dark()),
        ("fortress-light.png", &fortress, Moment::End, "400x240", Look::light()),
        ("gomoku-dark.png", &gomoku, Moment::End, "240x300", Look::dark()),
        ("pente-light.png", &pente, Moment::Seq(40), "240x300", Look::light()),
        ("riskless-dark.png", &riskless, Moment::Seq(90), "320x240", Look::dark()),
        ("riskless-light.png", &riskless, Moment::End, "320x240", Look::light()),
        ("grid-dark.png", &grid, Moment::End, "240x240", Look::dark()),
    ];
    for (name, replay, at, size, look) in pictures {
        same_as_golden(name, &png(replay, at, size, look));
    }
}

/// Match of Gomoku with overlays of two bots and evaluations.
fn drawn_over() -> Replay {
    let overlay = |team: &str, marks: &str| {
        format!(r#"#gs overlay {{"team":"{team}","by":"7","marks":[{marks}]}}"#).replace('"', "\\\"")
    };
    let black = overlay(
        "black",
        r#"{"mark":"dot","at":"h8"},{"mark":"dot","at":"c3","color":"green"},{"mark":"text","at":"e6","text":"here?"}"#,
    );
    let white = overlay("white", r#"{"mark":"arrow","from":"b2","to":"h3"}"#);
    let lines = ["board 9", "move black e5", "move white e4", "move black d5", &*black, &*white];
    let lines: Vec<(f64, &str)> = lines.into_iter().enumerate().map(|(n, line)| (n as f64, line)).collect();
    made("gomoku", &lines)
}

#[test]
fn overlays_names_and_what_is_on_its_way_look_as_they_did() {
    let replay = drawn_over();
    let drawn = |look| png(&replay, Moment::End, "240x260", look);
    same_as_golden("gomoku-overlay-dark.png", &drawn(Look::dark()));
    let look =
        Look::light().with(Extra::Labels, true).with(Extra::Numbers, true).with(Extra::Overlays, false);
    same_as_golden("gomoku-labels-light.png", &drawn(look));
    let (with, without) = (drawn(Look::dark()), drawn(Look::dark().with(Extra::Overlays, false)));
    assert!(decoded(&with) != decoded(&without), "what bots draw is seen");
    assert!(without == drawn(Look::dark().with(Extra::Overlays, false)));

    // Frame during a push.
    let replay = Replay::open(grandstand_testing::replay().as_bytes(), Limits::default()).expect("a replay");
    let push = plan(What::Apng(range("11", "15")), "200x160", Look::dark());
    let frames = frames_of_apng(&made_of(&replay, push));
    let still = |at| decoded(&png(&replay, at, "200x160", Look::dark())).2;
    let middle = &frames[3].0;
    assert!(*middle != still(Moment::Seq(11)) && *middle != still(Moment::Seq(15)));
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 200, 160);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().expect("a header").write_image_data(middle).expect("pixels");
    same_as_golden("abalone-push-dark.png", &bytes);
}

fn range(from: &str, to: &str) -> Range {
    Range { from: from.parse().expect("a moment"), to: to.parse().expect("a moment"), ..Range::default() }
}

const SAMPLES: [&str; 6] = [
    "team-simple_bot.replay",
    "fortress-strong-strong.replay.zst",
    "gomoku-stupid-stupid.replay",
    "pente-stupid-stupid.replay",
    "riskless-alphabeta-random.replay",
    "shark-random-random.replay.zst",
];

#[test]
fn any_moment_of_any_match_is_a_picture_of_the_size_asked_for() {
    for name in SAMPLES {
        let replay = sample(name);
        let last = replay.log().last_seq();
        for (n, look) in (0..=4).zip([Look::dark(), Look::light()].into_iter().cycle()) {
            let at = Moment::Seq(last * n / 4);
            let size = ["64x64", "200x150", "120x260", "333x97", "150x150"][n as usize];
            let (width, height, pixels) = decoded(&png(&replay, at, size, look));
            assert_eq!(format!("{width}x{height}"), size);
            let first = &pixels[..3];
            assert!(pixels.chunks(3).any(|pixel| pixel != first), "{name} at {at} is blank");
        }
    }
}

#[test]
fn an_svg_is_well_formed_and_has_what_the_picture_has() {
    for name in SAMPLES {
        let replay = sample(name);
        let svg = made_of(&replay, plan(What::Svg(Moment::End), "400x300", Look::dark()));
        let text = String::from_utf8(svg).expect("UTF-8");
        let document = roxmltree::Document::parse(&text).expect("XML");
        let root = document.root_element();
        assert_eq!((root.attribute("width"), root.attribute("height")), (Some("400"), Some("300")));
        assert!(document.descendants().filter(|node| node.has_tag_name("path")).count() > 5, "{name}");
        // All references are valid.
        let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        for value in
            document.descendants().flat_map(|node| node.attributes()).map(|attribute| attribute.value())
        {
            if let Some(id) = value.strip_prefix("url(#").and_then(|rest| rest.strip_suffix(')')) {
                assert!(ids.contains(&id), "{name}: {id}");
            }
        }
    }
}

#[test]
fn a_hostile_name_is_only_text_in_an_svg() {
    let text = grandstand_testing::replay().replace("\"Reds\"", r#""</title><script>&\"'\u0001\uffff""#);
    let replay = Replay::open(text.as_bytes(), Limits::default()).expect("a replay");
    let svg = made_of(&replay, plan(What::Svg(Moment::End), "400x300", Look::dark()));
    let text = String::from_utf8(svg).expect("UTF-8");
    let document = roxmltree::Document::parse(&text).expect("XML");
    assert!(!document.descendants().any(|node| node.has_tag_name("script")));
    let title = document.descendants().find(|node| node.has_tag_name("title")).expect("a title");
    assert!(title.text().expect("text").contains("</title><script>&\"'"), "{title:?}");
}

/// Visible frames of a GIF, three bytes a pixel, with their delays in hundredths of a second.
fn frames_of_gif(bytes: &[u8]) -> Vec<(Vec<u8>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).expect("a GIF");
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut screen = vec![0; width * height * 3];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        for (index, pixel) in frame.buffer.chunks(4).enumerate() {
            let (x, y) = (index % usize::from(frame.width), index / usize::from(frame.width));
            let at = ((usize::from(frame.top) + y) * width + usize::from(frame.left) + x) * 3;
            if pixel[3] == 255 {
                screen[at..at + 3].copy_from_slice(&pixel[..3]);
            }
        }
        frames.push((screen.clone(), frame.delay));
    }
    frames
}

/// Visible frames of an animated PNG, three bytes a pixel, with their delays as fractions of a second.
fn frames_of_apng(bytes: &[u8]) -> Vec<(Vec<u8>, (u16, u16))> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
    let count = reader.info().animation_control().expect("an animation").num_frames;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let mut screen = vec![0; width * height * 3];
    let mut frames = Vec::new();
    for _ in 0..count {
        let mut buffer = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut buffer).expect("a frame");
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
        let control = *reader.info().frame_control().expect("a frame");
        assert_eq!(control.blend_op, png::BlendOp::Over);
        let wide = control.width as usize;
        for (index, pixel) in buffer.chunks_exact(4).take(wide * control.height as usize).enumerate() {
            let (x, y) = (control.x_offset as usize + index % wide, control.y_offset as usize + index / wide);
            match pixel[3] {
                0 => assert!(!frames.is_empty(), "the first frame is whole"),
                255 => screen[(y * width + x) * 3..][..3].copy_from_slice(&pixel[..3]),
                other => panic!("an opacity of {other}"),
            }
        }
        frames.push((screen.clone(), (control.delay_num, control.delay_den)));
    }
    frames
}

#[test]
fn a_range_moves_from_one_moment_to_the_other_at_its_pace() {
    let replay = Replay::open(grandstand_testing::replay().as_bytes(), Limits::default()).expect("a replay");
    let range = range("0", "2.5s");
    let (first, last) = (Moment::Seq(0), "2.5s".parse().expect("a moment"));
    let still = |at| decoded(&png(&replay, at, "200x160", Look::dark())).2;
    let apng = made_of(&replay, plan(What::Apng(range), "200x160", Look::dark()));
    let frames = frames_of_apng(&apng);
    // Unchanged areas take few bytes.
    assert!(apng.len() < 40_000, "{} bytes", apng.len());
    // Pieces are drawn while they move: there are more frames than moments with events.
    assert!(frames.len() > 10, "{}", frames.len());
    assert!(frames[0].0 == still(first), "the first frame is the first moment");
    assert!(frames[frames.len() - 1].0 == still(last), "the last frame is the last moment");
    let middle = frames.iter().filter(|(pixels, _)| *pixels == still(Moment::Seq(10))).count();
    assert_eq!(middle, 1, "equal frames are one frame");
    // 2.5 s of the match, and the time of the last frame.
    let units: u64 = frames.iter().map(|(_, (part, of))| u64::from(*part) * 20 / u64::from(*of)).sum();
    assert!((50 + 30..=50 + 30 + 18).contains(&units), "{units}");

    let gif = made_of(&replay, plan(What::Gif(range), "200x160", Look::dark()));
    let frames = frames_of_gif(&gif);
    let hundredths: u64 = frames.iter().map(|(_, delay)| u64::from(*delay)).sum();
    assert_eq!(hundredths, units * 5, "both last as long");
    assert!(frames.iter().all(|(_, delay)| *delay >= 2));
    for (frame, at) in [(&frames[0].0, first), (&frames[frames.len() - 1].0, last)] {
        let apart = frame.iter().zip(still(at)).map(|(a, b)| u64::from(a.abs_diff(b))).sum::<u64>();
        assert!(apart / (frame.len() as u64) < 2, "256 colours are near to all: {apart}");
    }
}

#[test]
fn the_start_of_a_match_is_its_set_up() {
    for name in SAMPLES {
        let replay = sample(name);
        let of = |moment: Moment| decoded(&png(&replay, moment, "100x80", Look::dark())).2;
        let log = replay.log();
        assert_eq!(Moment::Start.seq(log), log.opening(), "{name}");
        assert!(of(Moment::Start) == of(Moment::Seq(log.opening())), "{name}: the picture is the set-up");
        assert!(
            of(Moment::Start) != of(Moment::Seq(0)),
            "{name}: a board without anything on it is not the start"
        );
        // Ranges begin there by default.
        let what = What::Apng(Range { to: Moment::Start, ..Range::default() });
        let frames = frames_of_apng(&made_of(&replay, plan(what, "100x80", Look::dark())));
        assert!(frames.len() == 1 && frames[0].0 == of(Moment::Start), "{name}: {} frames", frames.len());
    }
    // A range from the start to a command of the set-up is that command's picture.
    let replay = Replay::open(grandstand_testing::replay().as_bytes(), Limits::default()).expect("a replay");
    assert!(replay.log().opening() > 2);
    let what = What::Apng(range("start", "2"));
    let frames = frames_of_apng(&made_of(&replay, plan(what, "100x80", Look::dark())));
    assert!(frames[0].0 == decoded(&png(&replay, Moment::Seq(2), "100x80", Look::dark())).2);
}

/// A sketch that is done, and its pictures with the parts of the length at which they begin.
fn sketched(replay: &Replay, what: What, size_text: &str) -> (Sketch, Vec<(f32, Vec<u8>)>) {
    let of = Match::of(replay);
    let sketch = Sketch::new(of, what, size(size_text), Look::dark(), size("100x80"));
    let mut sketch = sketch.expect("a plan").expect("an animation");
    let mut pictures = Vec::new();
    while !sketch.is_done() {
        pictures.extend(sketch.step(of).expect("a step").map(|picture| (picture.at, picture.rgb)));
    }
    (sketch, pictures)
}

#[test]
fn a_sketch_knows_how_long_and_about_how_large_an_animation_will_be() {
    for (name, from, to) in [
        ("team-simple_bot.replay", "10", "400"),
        ("gomoku-stupid-stupid.replay", "start", "end"),
        ("fortress-strong-strong.replay.zst", "start", "0:12"),
    ] {
        let replay = sample(name);
        let range = range(from, to);
        for what in [What::Gif(range), What::Apng(range)] {
            let (sketch, pictures) = sketched(&replay, what, "200x160");
            let file = made_of(&replay, plan(what, "200x160", Look::dark()));
            let bytes = sketch.bytes().expect("an estimate") as f64 / file.len() as f64;
            assert!((0.6..1.6).contains(&bytes), "{name}: {bytes} of {}", file.len());
            let secs = match what {
                What::Gif(_) => {
                    frames_of_gif(&file).iter().map(|(_, delay)| f64::from(*delay)).sum::<f64>() / 100.0
                }
                _ => {
                    let frames = frames_of_apng(&file);
                    frames.iter().map(|(_, (part, of))| f64::from(*part) / f64::from(*of)).sum()
                }
            };
            let told = sketch.length().as_secs_f64();
            assert!((told - secs).abs() < 0.11, "{name}: {told} s for {secs} s");
            assert!((told - 1.5 - sketch.frames() as f64 / 20.0).abs() < 0.01, "{name}");
            // A few pictures, in order, of the size that was asked for.
            assert!((2..=32).contains(&pictures.len()), "{name}: {}", pictures.len());
            assert!(pictures[0].0 == 0.0 && pictures.is_sorted_by(|a, b| a.0 < b.0), "{name}");
            assert!(pictures.iter().all(|(_, rgb)| rgb.len() == 100 * 80 * 3), "{name}");
        }
    }
    // A short one is compressed whole, so that nothing is estimated but the end of the file.
    let replay = Replay::open(grandstand_testing::replay().as_bytes(), Limits::default()).expect("a replay");
    let what = What::Gif(range("start", "2.5s"));
    let (sketch, _) = sketched(&replay, what, "200x160");
    let file = made_of(&replay, plan(what, "200x160", Look::dark()));
    let told = sketch.bytes().expect("an estimate") as f64;
    assert!((told / file.len() as f64 - 1.0).abs() < 0.02, "{told} for {}", file.len());
    let still = Sketch::new(
        Match::of(&replay),
        What::Png(Moment::End),
        size("200x160"),
        Look::dark(),
        size("100x80"),
    );
    assert!(still.expect("a plan").is_none(), "a picture does not move");
    let backwards = What::Gif(range("9", "3"));
    assert!(
        Sketch::new(Match::of(&replay), backwards, size("200x160"), Look::dark(), size("100x80")).is_err()
    );
}

#[test]
fn a_range_is_as_long_as_its_speed_and_its_idle_time_say() {
    let replay = made("abalone", &[(0.0, "turns 1"), (10.0, "turns 2"), (20.0, "turns 3")]);
    let hundredths = |range| {
        let frames = frames_of_gif(&made_of(&replay, plan(What::Gif(range), "100x100", Look::dark())));
        frames.iter().map(|(_, delay)| u64::from(*delay)).sum::<u64>()
    };
    let all = Range { idle: None, fps: 10, ..range("1", "3") };
    let base = hundredths(Range { from: Moment::Seq(3), ..all });
    let near = |found: u64, expected: u64| {
        assert!(found.abs_diff(expected) <= 20, "{found} {expected}");
    };
    // The last frame of a range stays for a while, so that animations end.
    let tail = hundredths(Range { speed: Speed::X64, ..all }) - 2000 / 64;
    near(hundredths(all), 2000 + tail);
    near(hundredths(Range { speed: Speed::X4, ..all }), 500 + tail);
    near(hundredths(Range { idle: Some(Micros(2_000_000)), ..all }), 400 + tail);
    assert!(base >= 100, "a single picture is seen: {base}");
    // Frame times that are no whole hundredths: rounding errors do not accumulate.
    near(hundredths(Range { fps: 30, ..all }), 2000 + tail);
}

#[test]
fn what_can_not_be_made_is_said() {
    let replay = Replay::open(grandstand_testing::replay().as_bytes(), Limits::default()).expect("a replay");
    let error = |what, size: &str| {
        let plan = plan(what, size, Look::dark());
        Job::new(Match::of(&replay), plan, std::io::Cursor::new(Vec::new()))
            .err()
            .map(|error| error.to_string())
    };
    let gif = |range| error(What::Gif(range), "320x240").unwrap_or_default();
    assert_eq!(
        error(What::Png(Moment::Seq(99)), "320x240").unwrap_or_default(),
        "there is no command 99: the last one is 16"
    );
    assert!(
        error(What::Png("1:00".parse().expect("a time")), "320x240")
            .is_some_and(|e| e.contains("after the end"))
    );
    assert!(gif(range("9", "3")).contains("before it begins"));
    assert_eq!(gif(range("0:00", "2")), "", "all of the first four commands happen at 0:00");
    assert!(gif(Range { fps: 0, ..range("0", "9") }).contains("frames a second"));
    assert!(gif(Range { fps: 51, ..range("0", "9") }).contains("frames a second"));
    assert!(error(What::Gif(range("0", "9")), "4096x4096").is_some_and(|e| e.contains("too large")));
    let long = made("abalone", &[(0.0, "turns 1"), (9000.0, "turns 2")]);
    let what = What::Apng(Range { idle: None, ..range("0", "2") });
    let job =
        Job::new(Match::of(&long), plan(what, "320x240", Look::dark()), std::io::Cursor::new(Vec::new()));
    assert!(job.is_err_and(|error| error.to_string().contains("frames")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every plan results in a picture of its size, or in an error message before any drawing.
    #[test]
    fn any_plan_is_a_picture_or_an_error(
        format in 0..4_u8,
        (width, height) in prop_oneof![(60..140_u32, 60..140_u32), (0..6_000_u32, 0..6_000_u32)],
        (at, from, to) in (any_moment(), any_moment(), any_moment()),
        fps in prop_oneof![0..60_u32, any::<u32>()],
        speed in "[0-9x.-]{0,4}|0.25|1|64",
        idle in prop::option::of(0..4_000_000_u64),
    ) {
        let replay = Replay::open(grandstand_testing::replay().as_bytes(), Limits::default()).expect("a replay");
        let texts = (at.parse::<Moment>(), from.parse::<Moment>(), to.parse::<Moment>());
        let size = Size::new(width, height);
        prop_assert_eq!(size.is_ok(), (64..=4096).contains(&width) && (64..=4096).contains(&height));
        prop_assert_eq!(size.is_ok(), format!("{width}x{height}").parse::<Size>().is_ok());
        let (Ok(size), (Ok(at), Ok(from), Ok(to))) = (size, texts) else { return Ok(()) };
        let speed = grandstand_export::speed(&speed).unwrap_or(Speed::X8);
        let range = Range { from, to, fps, speed, idle: idle.map(Micros) };
        let what = [What::Png(at), What::Svg(at), What::Gif(range), What::Apng(range)][usize::from(format)];
        let plan = Plan { what, size, look: Look::dark() };
        let of = Match::of(&replay);
        match Job::new(of, plan, std::io::Cursor::new(Vec::new())) {
            Ok(mut job) => {
                prop_assert!(job.progress().all <= FRAMES_MAX * 2 || format < 2);
                // Large pictures are not drawn to the end.
                if width * height > 12_000 || job.progress().all > 40 && format >= 2 {
                    return Ok(());
                }
                while !job.is_done() {
                    job.step(of).expect("a step");
                }
                let bytes = job.finish().expect("written").into_inner();
                let begins: &[u8] = [b"\x89PNG", b"<svg", b"GIF8", b"\x89PNG"][usize::from(format)];
                prop_assert!(bytes.starts_with(begins));
            }
            Err(error) => {
                let words = error.to_string();
                prop_assert!(words.len() > 15 && words.len() < 200, "{words}");
                if format >= 2 && !(1..=50).contains(&fps) {
                    prop_assert!(words.contains("frames a second"), "{words}");
                }
            }
        }
    }

    #[test]
    fn any_text_is_a_moment_a_size_and_a_speed_or_none(text in "\\PC{0,50}|[0-9:.sx×-]{0,30}") {
        for error in [
            text.parse::<Moment>().err(),
            text.parse::<Size>().map_err(ExportError::from).err(),
            grandstand_export::speed(&text).err(),
        ].into_iter().flatten() {
            let words = error.to_string();
            prop_assert!(words.contains("expected ") && words.chars().count() < 160, "{words}");
        }
    }
}

fn any_moment() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("start".to_owned()),
        Just("end".to_owned()),
        (0..20_u32).prop_map(|seq| seq.to_string()),
        (0..400_u32).prop_map(|hundredths| format!("0:0{:.2}", f64::from(hundredths) / 100.0)),
        "[0-9:.s]{0,8}",
    ]
}
