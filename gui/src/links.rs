//! Links to a moment: what is copied so that somebody else, or the same viewer later, sees the same picture.

use crate::source::Target;

/// Something to paste elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// What is copied.
    pub text: String,
    /// What that is, in the words of a notice.
    pub what: &'static str,
}

/// What leads to the picture after command `seq` of `target`: the address of a page of the match's server, which
/// `grandstand watch` takes too; for a file of this machine the command that opens it. `more` is what the address says
/// besides, `&name=value`. `None` for what nobody could open again: a file that a page was given.
pub(crate) fn link(target: &Target, seq: u64, more: &str) -> Option<Link> {
    let address = |text: String| Some(Link { text, what: "Link to this moment copied" });
    match target {
        Target::Match { base, id, .. } => address(format!("{base}?match={id}&seq={seq}{more}")),
        Target::Recording { url, .. } => address(format!("{}&seq={seq}{more}", page_of(url))),
        Target::Server(base) => Some(Link { text: base.to_string(), what: "Address of the server copied" }),
        // Of recordings of this machine no address shows several.
        Target::Wall(_) | Target::Compare(_) => {
            let text = target.to_string();
            let leads_back = text.parse().as_ref() == Ok(target);
            leads_back.then_some(Link { text, what: "Link to these boards copied" })
        }
        #[cfg(not(target_arch = "wasm32"))]
        Target::File(path) => {
            let path = std::path::absolute(path).ok()?;
            let text = format!("grandstand watch {} --seq {seq}", quoted(path.to_str()?));
            Some(Link { text, what: "Command to open this moment copied" })
        }
        #[cfg(target_arch = "wasm32")]
        Target::File(_) => None,
    }
}

/// The address of the page that shows a recording: one of the server that has the recording, if that is one of ours.
pub(crate) fn page_of(url: &str) -> String {
    let origin_end = url.match_indices('/').nth(2).map_or(url.len(), |(at, _)| at);
    // Our servers have it at `…/api/matches/ID/replay`, with the page at `…/`.
    let end = url.find("/api/matches/").filter(|at| *at >= origin_end).unwrap_or(origin_end);
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("replay", url).finish();
    format!("{}/?{query}", &url[..end])
}

/// Whether there is a clipboard to copy to: a page has none where anybody on the way could have changed it (`http://`, but
/// for this machine's own).
pub(crate) fn can_copy() -> bool {
    #[cfg(target_arch = "wasm32")]
    return web_sys::window().is_some_and(|window| window.is_secure_context());
    #[cfg(not(target_arch = "wasm32"))]
    true
}

/// A path as one word of a command line.
#[cfg(not(target_arch = "wasm32"))]
fn quoted(path: &str) -> String {
    if cfg!(windows) { format!("\"{path}\"") } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bookmarks::Bookmarks;

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

    #[cfg(unix)]
    #[test]
    fn the_command_for_a_file_is_one_that_a_shell_takes() {
        assert_eq!(text("/tmp/it's 1.replay"), r"grandstand watch '/tmp/it'\''s 1.replay' --seq 40");
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
