//! Time at the beginning of a line.

use super::Stamps;
use crate::calendar::{date_of, days_of, days_since_1970};

/// A parsed time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// The form, never [`Stamps::None`].
    pub(super) form: Stamps,
    /// The time in microseconds: seconds as given, seconds of the day, or seconds since 1970.
    pub(super) micros: i64,
}

/// Splits a line that begins with a time into the time, its text, and the rest of the line.
pub(super) fn split(line: &[u8]) -> Option<(Stamp, &str, &[u8])> {
    let (inside, after) = match line.strip_prefix(b"[") {
        Some(inside) => {
            let end = inside.iter().take(64).position(|&byte| byte == b']')?;
            (&inside[..end], &inside[end + 1..])
        }
        None => {
            let end = word_end(line);
            // A moment may consist of two words.
            match parse(&line[..end]) {
                Some(_) => line.split_at(end),
                None => line.split_at(line.len().min(end + 1 + word_end(line.get(end + 1..)?))),
            }
        }
    };
    let inside = inside.trim_ascii();
    let stamp = parse(inside)?;
    let rest = match after {
        [b' ' | b'\t', rest @ ..] => rest,
        [] | [b'\r', ..] => after,
        _ => return None,
    };
    Some((stamp, str::from_utf8(inside).ok()?, rest))
}

fn word_end(line: &[u8]) -> usize {
    line.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\r')).unwrap_or(line.len())
}

fn parse(text: &[u8]) -> Option<Stamp> {
    if text.len() > 40 {
        return None;
    }
    if let Some(micros) = moment(text) {
        return Some(Stamp { form: Stamps::Rfc3339, micros });
    }
    if let Some(micros) = clock(text) {
        return Some(Stamp { form: Stamps::Clock, micros });
    }
    let (secs, micros) = decimal(text)?;
    let micros = secs.checked_mul(1_000_000)?.checked_add(micros)?;
    Some(Stamp { form: Stamps::Seconds, micros })
}

/// Parses RFC 3339 into microseconds since 1970.
pub(super) fn moment(text: &[u8]) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *date else { return None };
    let (year, month, day) = (digits(&[y1, y2, y3, y4])?, digits(&[m1, m2])?, digits(&[d1, d2])?);
    if !(1..=12).contains(&month) || day < 1 || day > days_of(year, month) {
        return None;
    }
    let [b'T' | b't' | b' ', rest @ ..] = rest else { return None };
    let zone = rest.iter().position(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-'))?;
    let time = clock(&rest[..zone])?;
    let offset = match rest[zone..] {
        [b'Z' | b'z'] => 0,
        [sign, h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (digits(&[h1, h2])?, digits(&[m1, m2])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            (hours * 60 + minutes) * if sign == b'-' { -60 } else { 60 }
        }
        _ => return None,
    };
    Some((days_since_1970(year, month, day) * 86_400 - offset) * 1_000_000 + time)
}

/// Formats a moment, in microseconds since 1970, as RFC 3339 in UTC; `None` outside the years 0 to 9999.
pub(super) fn write_moment(micros: i64) -> Option<String> {
    let (secs, places) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let (days, of_day) = (secs.div_euclid(86_400), secs.rem_euclid(86_400));
    let (year, month, day) = date_of(days);
    let (hour, minute, sec) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    let date = format!("{year:04}-{month:02}-{day:02}");
    (0..=9999).contains(&year).then(|| format!("{date}T{hour:02}:{minute:02}:{sec:02}.{places:06}Z"))
}

/// Parses `hh:mm:ss`, with or without decimals, into microseconds. A leap second counts as the second after it.
fn clock(text: &[u8]) -> Option<i64> {
    let [h1, h2, b':', m1, m2, b':', rest @ ..] = text else { return None };
    let (hour, minute) = (digits(&[*h1, *h2])?, digits(&[*m1, *m2])?);
    if rest.get(2).is_some_and(|byte| !matches!(byte, b'.' | b',')) {
        return None;
    }
    let (sec, micros) = decimal(rest)?;
    (hour < 24 && minute < 60 && sec <= 60 && rest.len() >= 2)
        .then_some((hour * 3600 + minute * 60 + sec) * 1_000_000 + micros)
}

/// Parses whole seconds and, rounded to microseconds, up to nine decimal places.
fn decimal(text: &[u8]) -> Option<(i64, i64)> {
    let mut parts = text.splitn(2, |byte| matches!(byte, b'.' | b','));
    let secs = digits(parts.next()?)?;
    let Some(places) = parts.next() else { return Some((secs, 0)) };
    if places.len() > 9 {
        return None;
    }
    let nanos = digits(places)? * 10_i64.pow(9 - places.len() as u32);
    Some((secs, (nanos + 500) / 1000))
}

fn digits(text: &[u8]) -> Option<i64> {
    let all = !text.is_empty() && text.len() <= 12 && text.iter().all(u8::is_ascii_digit);
    all.then(|| text.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (text, secs) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T12:00:00Z", 951_825_600),
            ("2008-11-02T10:23:07Z", 1_225_621_387),
            ("2008-11-02T11:23:07+01:00", 1_225_621_387),
            ("1969-12-31T23:59:59Z", -1),
        ] {
            assert_eq!(moment(text.as_bytes()), Some(secs * 1_000_000), "{text}");
        }
        for text in
            ["2001-02-29T00:00:00Z", "2001-13-01T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:00:00"]
        {
            assert_eq!(moment(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn every_day_of_four_centuries_is_written_and_read_the_same() {
        for day in -200_000..200_000 {
            let micros = day * 86_400_000_000 + 12_345_678;
            let text = write_moment(micros).expect("within the years 0 to 9999");
            assert_eq!(moment(text.as_bytes()), Some(micros), "{text}");
        }
    }

    #[test]
    fn stamps_are_told_apart_and_cut_off() {
        for (line, form, micros, rest) in [
            ("12.5 set B2 e", Stamps::Seconds, 12_500_000, "set B2 e"),
            ("[  3.000001] x", Stamps::Seconds, 3_000_001, "x"),
            ("7\tx", Stamps::Seconds, 7_000_000, "x"),
            ("[00:01:02.250]  x", Stamps::Clock, 62_250_000, " x"),
            ("00:01:02,25 x", Stamps::Clock, 62_250_000, "x"),
            ("1970-01-01T00:00:01.5Z x", Stamps::Rfc3339, 1_500_000, "x"),
            ("1970-01-01 00:00:01.5Z x", Stamps::Rfc3339, 1_500_000, "x"),
            ("[1970-01-01 01:00:01+01:00] x", Stamps::Rfc3339, 1_000_000, "x"),
        ] {
            let (stamp, _, left) = split(line.as_bytes()).expect(line);
            assert_eq!((stamp, left), (Stamp { form, micros }, rest.as_bytes()), "{line}");
        }
        for line in
            ["set B2 e", "turns 3", "", "[x] y", "12.x y", "1:2:3 x", "12.5set", "00:61:00 x", "]", "["]
        {
            assert_eq!(split(line.as_bytes()).map(|(stamp, ..)| stamp), None, "{line}");
        }
    }
}
