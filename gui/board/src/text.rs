//! Texts of one line that fit into a width.

use std::cmp::Reverse;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Color32, FontId, Galley, Painter, Pos2, vec2};
use grandstand_story::format;
use grandstand_story::sides::Side;

/// Number of letters to which names of an outcome are cut at least; shorter ones would say less than the colours of the teams.
const SHORTEST: usize = 8;

/// A text of one line, cut with `…` if it doesn't fit.
pub fn fitted(painter: &Painter, text: &str, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, color));
    job.wrap = TextWrapping::truncate_at_width(width.max(0.0));
    painter.layout_job(job)
}

/// A text of one line that is shrunk to fit, down to `least` of its size, and cut if that is not enough.
pub fn fitting(
    painter: &Painter,
    text: &str,
    font: FontId,
    color: Color32,
    width: f32,
    least: f32,
) -> Arc<Galley> {
    let whole = painter.layout_no_wrap(text.to_owned(), font.clone(), color);
    if whole.size().x <= width {
        return whole;
    }
    let part = (width / whole.size().x.max(1.0) * 0.98).clamp(least, 1.0);
    // Few sizes, so that the font texture stays small.
    let part = ((part * 20.0).floor() / 20.0).max(least);
    fitted(painter, text, FontId { size: font.size * part, ..font }, color, width)
}

/// Paints a text of one line with its left middle at `at`, cut after `room`; returns its width.
pub fn paint_left(painter: &Painter, at: Pos2, text: &str, font: FontId, color: Color32, room: f32) -> f32 {
    let galley = fitted(painter, text, font, color, room);
    let width = galley.size().x;
    painter.galley(at - vec2(0.0, galley.size().y / 2.0), galley, color);
    width
}

/// The width to which texts of these widths are cut so that all of them have `room` together: what short ones leave is for the long ones.
/// Infinite if all fit.
pub fn common_limit(widths: &[f32], room: f32) -> f32 {
    let mut ordered = widths.to_vec();
    ordered.sort_by(f32::total_cmp);
    let mut left = room.max(0.0);
    for (index, width) in ordered.iter().enumerate() {
        let most = left / (ordered.len() - index) as f32;
        if *width > most {
            return most;
        }
        left -= width;
    }
    f32::INFINITY
}

/// Both names from the first word on that differs, where they begin alike and have no room: `…depth=2`.
pub fn without_common_start(names: [String; 2]) -> [String; 2] {
    let [a, b] = &names;
    let same = a.char_indices().zip(b.chars()).take_while(|((_, a), b)| a == b);
    let starts = same.filter(|((_, c), _)| [' ', ':', '/', '-', '_'].contains(c)).map(|((at, _), _)| at + 1);
    match starts.last() {
        Some(at) if at > 1 && a.len() > at && b.len() > at => names.map(|name| format!("…{}", &name[at..])),
        _ => names,
    }
}

/// Both names in so many characters at most, besides `…`, cut where they still differ: at the end, else between their first word
/// and the one that differs, else before that, else at the front. `None` where none of these tells them apart.
pub fn cut_apart(names: [&str; 2], most: usize) -> Option<[String; 2]> {
    let is_long = |name: &str| name.trim_start_matches('…').chars().count() > most;
    let each = |cut: fn(&str, usize) -> String| {
        names.map(|name| if is_long(name) { cut(name, most) } else { name.to_owned() })
    };
    let ends = each(|name, most| format!("{}…", name.chars().take(most).collect::<String>()));
    if names[0] == names[1] {
        return Some(ends);
    }
    let middles = without_middle(names);
    let words = without_common_start(names.map(str::to_owned));
    let has_room = !words.iter().any(|word| is_long(word));
    let words = if has_room { words } else { names.map(str::to_owned) };
    let starts = each(|name, most| {
        let from = name.chars().count() - most;
        format!("…{}", name.chars().skip(from).collect::<String>())
    });
    // Half a number is another one.
    let halves = |name: &str| {
        let mut rest = name.chars().skip(most.saturating_sub(1));
        let (last, next) = (rest.next(), rest.next());
        most > 0 && [last, next].iter().all(|letter| letter.is_some_and(|letter| letter.is_ascii_digit()))
    };
    let ends = Some(ends).filter(|_| !names.iter().any(|name| halves(name)));
    ends.into_iter()
        .chain([middles, words, starts])
        .find(|cut| cut[0] != cut[1] && !cut.iter().any(|name| is_long(&name.replace('…', ""))))
}

/// Both names, cut as far as needed so that each fits and they still differ; uncut where no cut does that.
pub fn cut_to_fit(names: [&str; 2], fits: impl Fn(&str) -> bool) -> Vec<String> {
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let cuts = (3..=longest).rev().filter_map(|most| cut_apart(names, most));
    let cut = cuts.into_iter().find(|cut| cut.iter().all(|name| fits(name)));
    cut.map_or_else(|| names.map(str::to_owned).to_vec(), |cut| cut.to_vec())
}

/// Both names without what stands between their common first word and the word that differs, which keeps the sign before it:
/// `search…=400`.
fn without_middle(names: [&str; 2]) -> [String; 2] {
    let is_word = |letter: char| letter.is_alphanumeric();
    let (a, b) = (names[0].char_indices(), names[1].char_indices());
    let common = a.zip(b).find(|((_, a), (_, b))| a != b).map_or(0, |((at, _), _)| at);
    let start = &names[0][..common];
    let first = start.find(|letter| !is_word(letter)).unwrap_or(0);
    // The word that differs begins after the last sign of what is common.
    let sign = start.char_indices().rfind(|(_, letter)| !is_word(*letter)).map_or(0, |(at, _)| at);
    if first == 0 || sign <= first {
        return names.map(str::to_owned);
    }
    names.map(|name| format!("{}…{}", &name[..first], &name[sign..]))
}

/// The outcome with as much of the names as fits and tells them apart, else with the sides' colours.
pub fn with_short_names(outcome: &str, sides: &[Side], fits: impl Fn(&str) -> bool) -> String {
    if fits(outcome) {
        return outcome.to_owned();
    }
    let names: Vec<&str> = sides.iter().map(Side::short).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let with = |names: &[&str], shown: &[String]| {
        let mut both: Vec<_> = names.iter().zip(shown).collect();
        // A name may be the start of the other one.
        both.sort_by_key(|(name, _)| Reverse(name.len()));
        both.into_iter().fold(outcome.to_owned(), |text, (name, shown)| with_word(&text, name, shown))
    };
    let cut = |most: usize| match names[..] {
        [first, second] if first != second => {
            cut_apart([first, second], most).map(|shown| with(&names, &shown))
        }
        _ => None,
    };
    // In place of the whole names: two players of one name have their colours in them.
    let words = || {
        let names: Vec<&str> = sides.iter().map(|side| &*side.name).collect();
        with(&names, &sides.iter().map(|side| format::capitalised(side.word())).collect::<Vec<_>>())
    };
    (SHORTEST..longest).rev().filter_map(cut).find(|text| fits(text)).unwrap_or_else(words)
}

/// A text with `shown` for a name where that stands as a word of its own: a player called `a` is not in `army`.
fn with_word(text: &str, name: &str, shown: &str) -> String {
    let is_whole = |at: usize| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    };
    let mut told = String::new();
    let mut from = 0;
    for (at, _) in text.match_indices(name).filter(|(at, found)| !found.is_empty() && is_whole(*at)) {
        told.push_str(&text[from..at]);
        told.push_str(shown);
        from = at + name.len();
    }
    told + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::{common_limit, cut_apart, with_word, without_common_start};

    #[test]
    fn two_names_are_cut_so_that_they_differ() {
        for (a, b, most, expected) in [
            ("ravens-of-old", "doves-of-old", 6, Some(["ravens…", "doves-…"])),
            ("search:nodes=400", "search:nodes=200", 20, Some(["search:nodes=400", "search:nodes=200"])),
            ("search:nodes=400", "search:nodes=200", 12, Some(["search…=400", "search…=200"])),
            ("search:nodes=400", "search:nodes=200", 9, Some(["…nodes=400", "…nodes=200"])),
            ("search:nodes=400", "search:nodes=200", 4, Some(["…=400", "…=200"])),
            ("search:nodes=400", "search:nodes=200", 14, Some(["search…=400", "search…=200"])),
            ("search:nodes=400", "random", 6, Some(["search…", "random"])),
            ("longname-a-longname", "longname-b-longname", 5, None),
            ("same-name", "same-name", 4, Some(["same…", "same…"])),
        ] {
            let expected = expected.map(|names| names.map(str::to_owned));
            assert_eq!(cut_apart([a, b], most), expected, "{a} {b} in {most}");
        }
    }

    #[test]
    fn a_short_text_leaves_its_room_to_a_long_one() {
        assert_eq!(common_limit(&[40.0, 300.0], 240.0), 200.0);
        assert_eq!(common_limit(&[300.0, 300.0], 240.0), 120.0);
        assert!(common_limit(&[40.0, 190.0], 240.0) > 190.0);
        assert_eq!(common_limit(&[40.0], -3.0), 0.0);
    }

    #[test]
    fn long_names_that_begin_alike_are_told_from_where_they_differ() {
        for (a, b, expected) in [
            ("search:depth=3 – search:depth=2", "search:depth=3 – search:depth=4", ["…depth=2", "…depth=4"]),
            ("Final · monday.replay", "Final · tuesday.replay", ["…monday.replay", "…tuesday.replay"]),
            ("my_first_bot", "my_first_try", ["…bot", "…try"]),
            ("one", "two", ["one", "two"]),
            ("same", "same", ["same", "same"]),
            ("cup 1", "cup 1 again", ["…1", "…1 again"]),
        ] {
            assert_eq!(without_common_start([a, b].map(str::to_owned)), expected);
        }
    }

    #[test]
    fn a_short_name_is_replaced_as_a_word_alone() {
        let of = |name, shown| with_word("a wins by army goal", name, shown);
        assert_eq!(of("a", "Blue"), "Blue wins by army goal");
        assert_eq!(of("a wins", "…wins"), "…wins by army goal");
        assert_eq!(of("", "Blue"), "a wins by army goal");
    }
}
