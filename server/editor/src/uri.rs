//! Paths of files as `file://` URIs, with percent encoding.

/// Path of a file's URI, with `/` between its parts; `None` for any other URI. Each file has one path: the letter of a
/// drive is upper case, and the path of a file of another host begins with `//HOST/`.
pub(crate) fn to_path(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let (host, path) = rest.split_at(rest.find('/')?);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, others)) = rest.split_first() {
        rest = others;
        if byte == b'%' {
            let digit = |at: usize| char::from(*rest.get(at)?).to_digit(16);
            bytes.push((digit(0)? * 16 + digit(1)?) as u8);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return Some(format!("//{}{path}", host.to_ascii_lowercase()));
    }
    // `/c:/bots` is `C:/bots`.
    let drive = path.chars().nth(1).filter(|drive| drive.is_ascii_alphabetic());
    Some(match drive.filter(|_| path.as_bytes().get(2) == Some(&b':')) {
        Some(drive) => format!("{}{}", drive.to_ascii_uppercase(), &path[2..]),
        None => path,
    })
}

/// URI of the file at an absolute path, with `/` or `\` between its parts.
pub(crate) fn of_path(path: &str) -> String {
    let path = path.replace('\\', "/");
    let before = match path.as_str() {
        of_host if of_host.starts_with("//") => "file:",
        rooted if rooted.starts_with('/') => "file://",
        _ => "file:///",
    };
    let mut uri = String::from(before);
    for byte in path.bytes() {
        match byte {
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
            ("file:///c%3A/bots/a.cl", "C:/bots/a.cl"),
            ("file:///c:/bots/a.cl", "C:/bots/a.cl"),
            ("file:///C:/bots/a.cl", "C:/bots/a.cl"),
            ("file://localhost/bots/%C3%A9.cl", "/bots/é.cl"),
            ("file:///bots/%c3%a9.cl", "/bots/é.cl"),
            ("file://Server/share/a%20b.cl", "//server/share/a b.cl"),
        ] {
            assert_eq!(to_path(uri).as_deref(), Some(path));
        }
        for uri in [
            "untitled:Untitled-1",
            "file://",
            "file:///%",
            "file:///%zz",
            "file:///%+f",
            "file:///%f",
            "file:///%FF",
            "http://x/a.cl",
            "",
        ] {
            assert_eq!(to_path(uri), None, "{uri}");
        }
        assert_eq!(of_path("\\\\server\\share\\a.cl"), "file://server/share/a.cl");
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
