//! Paths of files as `file://` URIs, with percent encoding.

/// Path of a file's URI, with `/` between its parts; `None` for any other URI.
pub(crate) fn to_path(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    // A host may precede the path.
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, others)) = rest.split_first() {
        rest = others;
        if byte == b'%' {
            let digits = rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok())?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/C:/bots` is `C:/bots`.
    let drive = path.as_bytes().get(2) == Some(&b':') && path.as_bytes()[1].is_ascii_alphabetic();
    Some(if drive { path[1..].to_owned() } else { path })
}

/// URI of the file at an absolute path, with `/` or `\` between its parts.
pub(crate) fn of_path(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_of_files_are_read_as_editors_write_them() {
        for (uri, path) in [
            ("file:///home/ada/my%20bots/a.cl", "/home/ada/my bots/a.cl"),
            ("file:///c%3A/bots/a.cl", "c:/bots/a.cl"),
            ("file:///C:/bots/a.cl", "C:/bots/a.cl"),
            ("file://localhost/bots/%C3%A9.cl", "/bots/é.cl"),
        ] {
            assert_eq!(to_path(uri).as_deref(), Some(path));
        }
        for uri in
            ["untitled:Untitled-1", "file://", "file:///%", "file:///%zz", "file:///%FF", "http://x/a.cl", ""]
        {
            assert_eq!(to_path(uri), None, "{uri}");
        }
        assert_eq!(of_path("C:\\bots\\a b.cl"), "file:///C%3A/bots/a%20b.cl");
    }

    proptest::proptest! {
        #[test]
        fn a_path_comes_back_from_its_uri(path in "(/[^/\\\\:\\x00]{1,12}){1,4}") {
            proptest::prop_assert_eq!(to_path(&of_path(&path)), Some(path));
        }

        #[test]
        fn any_text_is_a_uri_or_not(text in ".{0,40}") {
            let _ = to_path(&text);
            let _ = to_path(&format!("file:///{text}"));
        }
    }
}
