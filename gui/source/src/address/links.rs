//! Links to a moment, for sharing: another viewer, or the same one later, sees the same scene.

use grandstand_replays::diff::Lock;

use crate::address::{Comparison, Target};

/// A text to paste elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The text to copy.
    pub text: String,
    /// The description for a notice.
    pub what: &'static str,
}

const MOMENT: &str = "Link to this moment copied";
const TOURNAMENT: &str = "Link to this part of the tournament copied";
const BOARDS: &str = "Link to these boards copied";
/// Notices for targets without an address.
#[cfg(not(target_arch = "wasm32"))]
const COMMAND: &str = "A file has no address; copied the command that opens this moment";
#[cfg(target_arch = "wasm32")]
const NO_ADDRESS: &str =
    "No link: this recording is a file of yours, opened here and sent nowhere, so no address leads to it";
const NO_WALL: &str =
    "No link: some of these boards are files of this machine, and no address leads to those";

/// A link to the scene after command `seq` of `target`: the address of a page of the match's server, which
/// `grandstand watch` also accepts; for a local file, the command that opens it. `more` contains further members of the
/// address, `&name=value`.
///
/// # Errors
/// A message for a target that nobody could open again: a file that a page was given.
pub fn link(target: &Target, seq: u64, more: &str) -> Result<Link, &'static str> {
    match target {
        Target::Match { .. } | Target::Recording { .. } | Target::File(_) => {
            if let Some(text) = moment(target, seq) {
                return Ok(Link { text: text + more, what: MOMENT });
            }
            command(&[target], &[("seq", &seq.to_string())])
        }
        Target::Folder(_) | Target::Sample(_) => command(&[target], &[]),
        Target::Tournament { .. } => Ok(Link { text: target.to_string(), what: TOURNAMENT }),
        Target::Server(base) => Ok(Link { text: base.to_string(), what: "Address of the server copied" }),
        // No address shows several local recordings.
        Target::Wall(_) | Target::Compare(_) => {
            let text = target.to_string();
            let leads_back = text.parse().as_ref() == Ok(target);
            if leads_back { Ok(Link { text, what: BOARDS }) } else { Err(NO_WALL) }
        }
    }
}

/// A link to two scenes side by side, each given by its match and its command, the left one first. `more` contains further
/// members for the first match.
///
/// # Errors
/// As for [`link`].
pub fn comparison(
    [(first, seq), (second, with_seq)]: [(&Target, u64); 2],
    lock: Lock,
    more: &str,
) -> Result<Link, &'static str> {
    // The lock is always told: another viewer's usual one may be another.
    let told = (lock != Lock::default() || with_seq != seq).then_some(with_seq);
    if let (Some(text), Some(with)) = (moment(first, seq), Comparison::with(first, second)) {
        let text = format!("{text}{more}{}", Comparison::members(&with, Some(lock), told));
        return Ok(Link { text, what: BOARDS });
    }
    let mut options = vec![("seq", seq.to_string())];
    options.extend(told.map(|seq| ("with-seq", seq.to_string())));
    options.push(("lock", lock.name().to_owned()));
    let options: Vec<(&str, &str)> = options.iter().map(|(name, value)| (*name, value.as_str())).collect();
    command(&[first, second], &options)
}

/// The address of a moment; `None` for a target without an address.
fn moment(target: &Target, seq: u64) -> Option<String> {
    match target {
        Target::Match { base, id, .. } => Some(format!("{base}?match={id}&seq={seq}")),
        Target::Recording { url, .. } => Some(format!("{}&seq={seq}", page_of(url))),
        _ => None,
    }
}

/// A link to a match as a whole: from its start, or live; `None` for a target without an address.
pub fn whole(target: &Target) -> Option<String> {
    match target {
        Target::Match { base, id, .. } => Some(format!("{base}?match={id}")),
        Target::Recording { url, .. } => Some(page_of(url)),
        _ => None,
    }
}

/// HTML that shows a match in a frame of another page; `None` for a target without an address. The frame shows the
/// picture after command `poster`, paused, until playback is started, which begins after command `start`. Without
/// them it shows the start of a recording, or the present of a live match. `title` is the frame's accessible name.
pub fn embed(target: &Target, [start, poster]: [Option<u64>; 2], title: &str) -> Option<String> {
    let mut address = whole(target)? + "&embed=1";
    for (name, seq) in [("seq", poster), ("start", start)] {
        if let Some(seq) = seq {
            address += &format!("&{name}={seq}");
        }
    }
    let [address, title] = [&*address, title].map(attribute);
    Some(format!(
        r#"<iframe src="{address}" title="{title}" width="640" height="520" loading="lazy" allow="fullscreen; clipboard-write"></iframe>"#
    ))
}

/// Escapes text for an attribute in double quotes.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The command that opens local files.
#[cfg(not(target_arch = "wasm32"))]
fn command(targets: &[&Target], options: &[(&str, &str)]) -> Result<Link, &'static str> {
    let mut text = "grandstand watch".to_owned();
    for target in targets {
        let word = match target {
            Target::File(path) | Target::Folder(path) => {
                let path = std::path::absolute(path).ok();
                path.and_then(|path| path.to_str().map(str::to_owned))
                    .ok_or("No link: the file's name is no text")?
            }
            target => target.to_string(),
        };
        text += &format!(" {}", quoted(&word));
    }
    for (name, value) in options {
        text += &format!(" --{name} {value}");
    }
    Ok(Link { text, what: COMMAND })
}

#[cfg(target_arch = "wasm32")]
fn command(_: &[&Target], _: &[(&str, &str)]) -> Result<Link, &'static str> {
    Err(NO_ADDRESS)
}

/// The address of the page that shows a recording, on the server of the recording if that is a Grandstand server.
pub fn page_of(url: &str) -> String {
    let origin_end = url.match_indices('/').nth(2).map_or(url.len(), |(at, _)| at);
    // A Grandstand server has recordings at `…/api/matches/ID/replay`, and the page at `…/`.
    let end = url.find("/api/matches/").filter(|at| *at >= origin_end).unwrap_or(origin_end);
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("replay", url).finish();
    format!("{}/?{query}", &url[..end])
}

/// Whether there is a clipboard: a page has none in an insecure context (`http://`, except from
/// the local machine).
pub fn can_copy() -> bool {
    #[cfg(target_arch = "wasm32")]
    return web_sys::window().is_some_and(|window| window.is_secure_context());
    #[cfg(not(target_arch = "wasm32"))]
    true
}

/// Quotes a path as one word of a command line.
#[cfg(not(target_arch = "wasm32"))]
fn quoted(path: &str) -> String {
    if cfg!(windows) { format!("\"{path}\"") } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::bookmarks::Bookmarks;

    fn text(target: &str) -> String {
        link(&target.parse().expect("a target"), 40, "").expect("a link").text
    }

    #[test]
    fn a_link_leads_to_the_same_moment() {
        for (target, expected) in [
            ("http://h:1/a/?match=m1", "http://h:1/a/?match=m1&seq=40"),
            ("ws://h:1/api/matches/m1/live", "http://h:1/?match=m1&seq=40"),
            (
                "http://h:1/x/api/matches/m1/replay",
                "http://h:1/x/?replay=http%3A%2F%2Fh%3A1%2Fx%2Fapi%2Fmatches%2Fm1%2Freplay&seq=40",
            ),
            ("https://h/g/a.replay", "https://h/?replay=https%3A%2F%2Fh%2Fg%2Fa.replay&seq=40"),
        ] {
            assert_eq!(text(target), expected);
            let original: Target = target.parse().expect("a target");
            let again: Target = text(target).parse().expect("a target");
            let what = |target: &Target| match target {
                Target::Match { base, id, .. } => format!("{base} {id}"),
                other => other.to_string(),
            };
            assert_eq!(what(&again), what(&original));
            assert_eq!(again.moment(), Some(40));
        }
    }

    #[test]
    fn bookmarks_are_in_the_link() {
        let marks: Bookmarks = "4:the push\\, at last,9:a&b".parse().expect("bookmarks");
        for target in ["http://h:1/a/?match=m1", "https://h/g/a.replay"] {
            let target: Target = target.parse().expect("a target");
            let link = link(&target, 40, &marks.member()).expect("a link").text;
            let again: Target = link.parse().expect("a target");
            assert_eq!(again.bookmarks().to_string(), marks.to_string(), "{link}");
        }
    }

    #[test]
    fn an_embedded_match_has_a_poster_and_a_start() {
        let target: Target = "http://h:1/a/?match=m1&seq=9".parse().expect("a target");
        let code = embed(&target, [Some(3), Some(40)], r#"Ann "A" & Bo"#).expect("code");
        let source = "http://h:1/a/?match=m1&amp;embed=1&amp;seq=40&amp;start=3";
        assert!(
            code.starts_with(&format!(r#"<iframe src="{source}" title="Ann &quot;A&quot; &amp; Bo""#)),
            "{code}"
        );
        assert_eq!(whole(&target).as_deref(), Some("http://h:1/a/?match=m1"));
        let file: Target = "/tmp/x.replay".parse().expect("a target");
        assert_eq!((embed(&file, [None; 2], ""), whole(&file)), (None, None));
    }

    #[cfg(unix)]
    #[test]
    fn the_command_for_a_file_is_one_that_a_shell_takes() {
        assert_eq!(text("/tmp/it's 1.replay"), r"grandstand watch '/tmp/it'\''s 1.replay' --seq 40");
    }

    #[test]
    fn a_link_to_two_matches_leads_to_both_pictures() {
        for (first, second, lock, seqs, expected) in [
            (
                "http://h:1/a/?match=m1",
                "http://h:1/a/?match=m2",
                Lock::Command,
                [40, 40],
                "http://h:1/a/?match=m1&seq=40&with=m2&lock=command",
            ),
            (
                "http://h:1/?match=m1",
                "http://h:1/?match=m2",
                Lock::Turn,
                [40, 43],
                "http://h:1/?match=m1&seq=40&with=m2&withseq=43&lock=turn",
            ),
            (
                "http://h:1/?match=m1",
                "http://o:2/?match=m2",
                Lock::Command,
                [9, 16],
                "http://h:1/?match=m1&seq=9&with=http%3A%2F%2Fo%3A2%2F%3Fmatch%3Dm2&withseq=16&lock=command",
            ),
            (
                "http://h:1/api/matches/m1/replay",
                "https://o/c.replay",
                Lock::Time,
                [0, 1],
                "http://h:1/?replay=http%3A%2F%2Fh%3A1%2Fapi%2Fmatches%2Fm1%2Freplay&seq=0&with=https%3A%2F%2Fo%2Fc.replay&withseq=1&lock=time",
            ),
            (
                "http://h:1/x.replay",
                "http://h:1/?match=m2",
                Lock::Command,
                [3, 3],
                "http://h:1/?replay=http%3A%2F%2Fh%3A1%2Fx.replay&seq=3&with=http%3A%2F%2Fh%3A1%2F%3Fmatch%3Dm2&lock=command",
            ),
        ] {
            let pair: [Target; 2] = [first, second].map(|text| text.parse().expect("a target"));
            let link = comparison([(&pair[0], seqs[0]), (&pair[1], seqs[1])], lock, "").expect("a link");
            assert_eq!(link.text, expected);
            let Ok(Target::Compare(again)) = link.text.parse() else { panic!("{expected}") };
            assert_eq!(again.pair[0].moment(), Some(seqs[0]));
            assert_eq!(again.with_seq.unwrap_or(seqs[0]), seqs[1]);
            assert_eq!((again.lock, &again.pair[1]), (Some(lock), &pair[1]));
        }
    }

    #[cfg(unix)]
    #[test]
    fn files_side_by_side_have_a_command_and_nothing_else() {
        let targets =
            ["/tmp/a.replay", "http://h:1/?match=m2"].map(|text| text.parse::<Target>().expect("a target"));
        let link = comparison([(&targets[0], 9), (&targets[1], 16)], Lock::Turn, "").expect("a command");
        let expected =
            "grandstand watch '/tmp/a.replay' 'http://h:1/?match=m2' --seq 9 --with-seq 16 --lock turn";
        assert_eq!((link.text.as_str(), link.what), (expected, COMMAND));
        let wall = Target::Wall(targets.to_vec());
        assert!(super::link(&wall, 0, "").is_err_and(|words| words.starts_with("No link: ")));
    }

    proptest::proptest! {
        #[test]
        fn any_recording_is_found_again_by_its_page(path in "[ -~é]{0,40}") {
            let url = format!("https://o/{path}");
            let marks = Bookmarks::default();
            let target = Target::Recording { url: url.clone(), seq: None, marks: marks.clone() };
            let again = link(&target, 7, "").expect("a link").text.parse::<Target>();
            proptest::prop_assert_eq!(again, Ok(Target::Recording { url, seq: Some(7), marks }));
        }
    }
}
