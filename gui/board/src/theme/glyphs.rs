//! Test that the fonts contain every character of the interface's own texts.
//!
//! Names and chat may be in any script. Natively a system font has those characters, in a page one of the browser's; a
//! missing character is shown as a box.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use egui::{Context, FontFamily, FontId, RawInput};

use super::{BODY, install, semibold};

/// Non-ASCII characters of the sources in a folder without comments and tests, with a file in which each occurs.
fn gather(folder: &Path, found: &mut BTreeMap<char, PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            gather(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        let program = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let is_test = path.ends_with("theme/glyphs.rs") || path.ends_with("theme/vision.rs");
        if is_test || path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        for line in program.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for c in line.chars().chain(escaped(line)).filter(|c| !c.is_ascii() && !c.is_control()) {
                found.entry(c).or_insert_with(|| path.clone());
            }
        }
    }
}

/// Characters that a line writes as escapes, like `\u{2212}`.
fn escaped(line: &str) -> impl Iterator<Item = char> {
    line.split("\\u{")
        .skip(1)
        .filter_map(|rest| char::from_u32(u32::from_str_radix(rest.split('}').next()?, 16).ok()?))
}

fn with_fonts() -> Context {
    let ctx = Context::default();
    install(&ctx);
    ctx.run_ui(RawInput::default(), |_| {}).textures_delta.clear();
    ctx
}

/// Invisible characters.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{2009}')
}

#[test]
fn the_fonts_have_every_character_that_the_program_writes() {
    let ctx = with_fonts();
    let mut characters = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in [
        "src",
        "../src",
        "../export/src",
        "../../protocol/src",
        "../../replays/src",
        "../../replays/story/src",
    ]
    .map(|folder| root.join(folder))
    {
        gather(&folder, &mut characters);
    }
    assert!(characters.contains_key(&'×') && characters.contains_key(&'…'), "{characters:?}");
    ctx.fonts_mut(|fonts| {
        for family in [FontFamily::Proportional, semibold(), FontFamily::Monospace] {
            let font = FontId::new(BODY, family.clone());
            for (c, path) in &characters {
                let has = is_invisible(*c) || fonts.has_glyph(&font, *c);
                assert!(has, "{family:?} has no {c:?} (U+{:04X}) of {}", u32::from(*c), path.display());
            }
        }
    });
}

#[test]
fn a_character_that_no_font_has_is_a_box_as_wide_as_a_letter() {
    let ctx = with_fonts();
    ctx.fonts_mut(|fonts| {
        for family in [FontFamily::Proportional, semibold(), FontFamily::Monospace] {
            let font = FontId::new(BODY, family);
            for c in ['中', 'ع', 'ह', '\u{10ffff}'] {
                let galley = fonts.layout_no_wrap(c.to_string(), font.clone(), super::DARK.text);
                assert!(galley.size().x > 4.0, "{c:?} is {} wide", galley.size().x);
            }
        }
    });
}
