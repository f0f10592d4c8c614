//! Events between the processes of the sandbox, as lines of JSON.

use std::io::{self, BufRead, BufReader, Read, Write};

use super::job::Event;

/// Longest line, in bytes: an event can contain a command.
const LONGEST: u64 = 1 << 20;
/// Maximum number of events of one program: a few notes, one start, one end.
const MOST: usize = 16;

/// Writes an event to standard output. Fails if the reader has closed it.
pub(super) fn tell(event: &Event) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

/// Events from `from`, up to the first line that is no event or too long, and at most [`MOST`]: a sender that
/// breaks these rules is not read any further.
pub(super) fn read(from: impl Read) -> impl Iterator<Item = Event> {
    let mut from = BufReader::new(from);
    let next = move || {
        let mut line = Vec::new();
        from.by_ref().take(LONGEST).read_until(b'\n', &mut line).ok()?;
        serde_json::from_slice(line.strip_suffix(b"\n")?).ok()
    };
    std::iter::from_fn(next).take(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_up_to_what_is_none() {
        let note = |text: &str| Event::Note { text: text.to_owned() };
        let line = |event: &Event| serde_json::to_string(event).unwrap() + "\n";
        let both = line(&note("a")) + &line(&note("b"));
        assert_eq!(read(both.as_bytes()).collect::<Vec<_>>(), [note("a"), note("b")]);
        let rubbish = format!("{both}rubbish\n{both}");
        assert_eq!(read(rubbish.as_bytes()).count(), 2);
        let cut = both.trim_end();
        assert_eq!(read(cut.as_bytes()).count(), 1);
    }

    #[test]
    fn a_flood_of_events_is_not_read() {
        let one = serde_json::to_string(&Event::Note { text: "x".to_owned() }).unwrap() + "\n";
        assert_eq!(read(one.repeat(300_000).as_bytes()).count(), MOST);
        let mut endless = io::repeat(b'x').take(1 << 30);
        assert_eq!(read(&mut endless).count(), 0);
        assert!((1 << 30) - endless.limit() <= LONGEST + (64 << 10), "{}", endless.limit());
    }
}
