//! Golden pictures of each game in 80 columns and 24 lines: the letters and their colours.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ratatui_core::buffer::Buffer;
use ratatui_core::style::Color;

use super::*;

/// The picture, and below it for each place a letter that stands for its colours.
fn with_colors(picture: &Buffer) -> String {
    let mut text = lines(picture).join("\n") + "\n\n";
    let mut known: Vec<(Color, Color)> = Vec::new();
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    for row in picture.content.chunks(usize::from(picture.area.width)) {
        for cell in row {
            let pair = (cell.fg, cell.bg);
            let at = known.iter().position(|other| *other == pair).unwrap_or_else(|| {
                known.push(pair);
                known.len() - 1
            });
            text.push(letters.get(at).copied().unwrap_or('?'));
        }
        text.push('\n');
    }
    let hex = |color: &Color| match color {
        Color::Rgb(r, g, b) => format!("{r:02x}{g:02x}{b:02x}"),
        other => other.to_string(),
    };
    for ((ink, ground), letter) in known.iter().zip(letters) {
        let _ = write!(text, "\n{letter} {} on {}", hex(ink), hex(ground));
    }
    text + "\n"
}

/// Compares pictures with the files of the same names. A picture that differs is written to the temporary directory.
fn compare(pictures: impl IntoIterator<Item = (String, String)>) {
    let wrong: Vec<String> =
        pictures.into_iter().filter_map(|(name, found)| differs(&name, &found)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The message about a picture that differs from its file.
fn differs(name: &str, found: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/tests/golden").join(name);
    let expected = fs::read_to_string(&path).unwrap_or_default();
    (found != expected).then(|| {
        let folder = std::env::temp_dir().join("grandstand-terminal");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(name), found).expect("written");
        format!("{name} is another picture, which lies in {}:\n{found}", folder.display())
    })
}

/// The letters of a picture with 80 columns and 24 lines.
fn letters(session: &Session) -> String {
    lines(&picture(session, 80, 24, LEAST)).join("\n") + "\n"
}

/// Every game, two thirds through its match.
fn games() -> impl Iterator<Item = (&'static str, Session)> {
    let samples = SAMPLES.into_iter().map(|(game, file)| (game, sample(file)));
    samples.chain([("grid", grid())]).map(|(game, replay)| (game, at_two_thirds(replay)))
}

fn at_two_thirds(replay: Replay) -> Session {
    let mut session = session(replay);
    session.go_to_part(0.66);
    settle(&mut session);
    session
}

#[test]
fn letters_show_every_game() {
    compare(games().map(|(game, session)| (format!("{game}.letters.txt"), letters(&session))));
}

#[test]
fn colours_show_every_game() {
    compare(games().map(|(game, session)| {
        (format!("{game}.colours.txt"), with_colors(&picture(&session, 80, 24, BEST)))
    }));
}

#[test]
fn the_end_is_told_in_words_with_what_decided_it() {
    let mut session = session(sample("team-simple_bot.replay"));
    session.go_to_end();
    settle(&mut session);
    compare([("end.letters.txt".to_owned(), letters(&session))]);
}

#[test]
fn without_colours_none_and_without_unicode_ascii() {
    for (game, session) in games() {
        let picture = picture(&session, 80, 24, LEAST);
        for cell in &picture.content {
            assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset), "{game}");
            assert!(cell.symbol().is_ascii(), "{game}: {}", cell.symbol());
        }
    }
}
