//! One line of a replay after the first: `[interval, code, data]`.

use std::borrow::Cow;
use std::io::Write;

use data_encoding::BASE64;
use grandstand_protocol::{Command, Game, Marker, MatchResult, Micros};
use serde::Deserialize;
use serde_json::value::RawValue;

use grandstand_protocol::text::shorten;

/// The content of a line without its time.
#[derive(Debug, PartialEq)]
pub(crate) enum Data<'a> {
    /// Codes `c`, `m`, `o` and `x`: a command, as a line of text without its ending.
    Command(Cow<'a, [u8]>),
    /// Code `r`: the result.
    Result(Box<MatchResult>),
    /// Code `q`: what bots asked for, as JSON.
    Asked(&'a str),
    /// A code that is unknown to this version.
    Skipped,
}

/// Appends a command's line, with its line feed.
pub(crate) fn write_command(out: &mut Vec<u8>, interval: Micros, command: &Command) {
    match command {
        Command::Marker(marker) => {
            let plain = Marker { label: marker.label.clone(), ..Marker::default() };
            begin(out, interval, 'm');
            if **marker == plain { json(out, &*marker.label) } else { json(out, &**marker) }
        }
        Command::Overlay(overlay) => {
            begin(out, interval, 'o');
            json(out, &**overlay);
        }
        Command::Unknown(unknown) => {
            begin(out, interval, 'x');
            match str::from_utf8(unknown.bytes()) {
                Ok(text) => string(out, text),
                Err(_) => json(out, &Base64 { base64: BASE64.encode(unknown.bytes()) }),
            }
        }
        drawing => {
            begin(out, interval, 'c');
            string(out, &drawing.to_line());
        }
    }
    out.extend_from_slice(b"]\n");
}

/// Appends the result's line, with its line feed.
pub(crate) fn write_result(out: &mut Vec<u8>, interval: Micros, result: &MatchResult) {
    begin(out, interval, 'r');
    json(out, result);
    out.extend_from_slice(b"]\n");
}

/// Appends a line of code `q` with its data, which is JSON, and its line feed.
pub(crate) fn write_asked(out: &mut Vec<u8>, interval: Micros, data: &str) {
    begin(out, interval, 'q');
    out.extend_from_slice(data.as_bytes());
    out.extend_from_slice(b"]\n");
}

/// The interval of a line of code `q`, however it is written: those are for the owners of programs alone. `None` for any
/// other line; an interval that no reader accepts counts as 0.
pub fn asked_interval(line: &[u8]) -> Option<Micros> {
    if parse_plain(line).is_some() {
        return None;
    }
    let parts: Vec<&RawValue> = serde_json::from_str(str::from_utf8(line).ok()?).ok()?;
    let code: String = serde_json::from_str(parts.get(1)?.get()).ok()?;
    (code == "q").then(|| interval_micros(parts[0].get()).unwrap_or_default())
}

/// A line with its interval longer by `more`, for lines that were left out before it. `None` if it has no interval.
pub fn with_longer_interval(line: &[u8], more: Micros) -> Option<Vec<u8>> {
    let rest = line.strip_prefix(b"[")?;
    let (number, rest) = rest.split_at(memchr::memchr(b',', rest)?);
    let interval = interval_micros(str::from_utf8(number.trim_ascii()).ok()?).ok()?;
    // Beyond the longest recording any reader stops, as it did at the lines that were left out.
    let longer = Micros(interval.0.saturating_add(more.0));
    Some([format!("[{longer}").as_bytes(), rest].concat())
}

fn begin(out: &mut Vec<u8>, interval: Micros, code: char) {
    // Writing into memory does not fail.
    let _ = write!(out, "[{interval},\"{code}\",");
}

fn json<T: serde::Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    // Writing into memory does not fail, and every key is a string.
    let result = serde_json::to_writer(out, value);
    debug_assert!(result.is_ok(), "{result:?}");
}

fn string(out: &mut Vec<u8>, text: &str) {
    if text.bytes().all(is_plain) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        json(out, text);
    }
}

/// Whether the byte needs no escape in a JSON string.
fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

#[derive(serde::Serialize, Deserialize)]
struct Base64 {
    base64: String,
}

/// Parses a line, without its ending, into the interval and the data. The error is the reason in words.
pub(crate) fn parse(game: Game, line: &[u8]) -> Result<(Micros, Data<'_>), String> {
    match parse_plain(line) {
        Some((interval, text)) => Ok((interval, Data::Command(Cow::Borrowed(text)))),
        None => parse_any(game, line),
    }
}

/// Parses the common form `[DECIMAL,"c","…"]` (or `x`) without blanks and escapes. `None` means only that the line has another form.
pub(crate) fn parse_plain(line: &[u8]) -> Option<(Micros, &[u8])> {
    let rest = line.strip_prefix(b"[")?;
    let comma = rest.iter().take(20).position(|&byte| byte == b',')?;
    let (number, rest) = rest.split_at(comma);
    let interval = plain_decimal(number)?;
    let rest = rest.strip_prefix(b",\"c\",\"").or_else(|| rest.strip_prefix(b",\"x\",\""))?;
    let text = rest.strip_suffix(b"\"]")?;
    if !text.iter().all(|&byte| is_plain(byte)) || (!text.is_ascii() && str::from_utf8(text).is_err()) {
        return None;
    }
    Some((interval, text))
}

/// Parses seconds with at most six places, no sign and no exponent.
fn plain_decimal(number: &[u8]) -> Option<Micros> {
    let (secs, places) = match number.iter().position(|&byte| byte == b'.') {
        Some(dot) => (&number[..dot], &number[dot + 1..]),
        None => (number, &b"0"[..]),
    };
    let leading_zero = secs.len() > 1 && secs[0] == b'0';
    if secs.is_empty() || secs.len() > 10 || leading_zero || places.is_empty() || places.len() > 6 {
        return None;
    }
    let mut micros: u64 = 0;
    for &digit in secs.iter().chain(places) {
        if !digit.is_ascii_digit() {
            return None;
        }
        micros = micros * 10 + u64::from(digit - b'0');
    }
    Some(Micros(micros * 10_u64.pow(6 - places.len() as u32))).filter(|&micros| micros <= Micros::MAX)
}

/// Parses a line of any form with serde_json.
pub(crate) fn parse_any(game: Game, line: &[u8]) -> Result<(Micros, Data<'_>), String> {
    let text = str::from_utf8(line).map_err(|e| format!("column {}: not UTF-8", e.valid_up_to() + 1))?;
    let parts: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|e| format!("not an array of JSON: {}", without_line(&e)))?;
    let [interval, code, rest @ ..] = &parts[..] else {
        return Err(format!("expected [interval, code, data], found {}", shorten(text, 60)));
    };
    let interval = interval_micros(interval.get())?;
    let Ok(code) = serde_json::from_str::<Cow<'_, str>>(code.get()) else {
        return Err(format!("the code is not a string: {}", shorten(code.get(), 40)));
    };
    let wrong = |what: &str, e: &serde_json::Error| format!("code {code}: not {what}: {}", without_line(e));
    if let ("q", [data]) = (&*code, rest) {
        return Ok((interval, Data::Asked(data.get())));
    }
    if !matches!(&*code, "c" | "m" | "o" | "x" | "r") {
        return Ok((interval, Data::Skipped));
    }
    let [data] = rest else {
        return Err(format!("expected [interval, code, data], found {} values", parts.len()));
    };
    let data = data.get();
    let is_string = data.starts_with('"');
    let line = match &*code {
        "r" => {
            let result = serde_json::from_str(data).map_err(|e| wrong("the result of a match", &e))?;
            return Ok((interval, Data::Result(result)));
        }
        "x" if !is_string => {
            let base64 = serde_json::from_str::<Base64>(data)
                .map_err(|e| wrong("a string or {\"base64\":\"…\"}", &e))?
                .base64;
            BASE64.decode(base64.as_bytes()).map_err(|e| format!("code x: not base64: {e}"))?
        }
        "c" | "x" => serde_json::from_str::<String>(data).map_err(|e| wrong("a string", &e))?.into_bytes(),
        "m" if is_string => {
            let label: String = serde_json::from_str(data).map_err(|e| wrong("a label", &e))?;
            Command::from(Marker { label: label.into(), ..Marker::default() }).to_line().into_bytes()
        }
        code => extension(game, code, data)?,
    };
    let line = match line.iter().rposition(|&byte| byte != b'\r') {
        Some(last) => &line[..=last],
        None => &[],
    };
    if line.contains(&b'\n') {
        return Err(format!("code {code}: a line feed inside the text of one line"));
    }
    Ok((interval, Data::Command(Cow::Owned(line.to_vec()))))
}

/// The `#gs` line of a marker or an overlay that is given as a JSON object.
fn extension(game: Game, code: &str, data: &str) -> Result<Vec<u8>, String> {
    let name = if code == "m" { "marker" } else { "overlay" };
    let line = format!("#gs {name} {data}");
    match Command::parse(game, line.as_bytes()) {
        Command::Unknown(unknown) => Err(format!("code {code}: expected {}", unknown.problem().expected)),
        command => Ok(command.to_line().into_bytes()),
    }
}

/// Parses any JSON number of seconds, rounded to the nearest microsecond.
fn interval_micros(number: &str) -> Result<Micros, String> {
    if let Some(micros) = plain_decimal(number.as_bytes()) {
        return Ok(micros);
    }
    let secs: f64 = match serde_json::from_str(number) {
        Ok(secs) => secs,
        Err(_) => return Err(format!("the interval is not a number: {}", shorten(number, 40))),
    };
    Micros::from_secs_f64(secs).ok_or_else(|| format!("the interval {} is out of range", shorten(number, 40)))
}

/// The error message with its column but without its line, which would be that within `line`, not within the file.
fn without_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        Some((message, _)) if error.column() > 0 => format!("{message} at column {}", error.column()),
        Some((message, _)) => message.to_owned(),
        None => message,
    }
}
