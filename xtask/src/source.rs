//! Rust source code without comments and without code compiled only for tests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Folders without code of the programs.
const APART: [&str; 5] = ["target", "tests", "benches", "testing", "fuzz"];

/// One source file of the workspace's programs and libraries.
#[derive(Debug)]
pub(crate) struct Source {
    /// Path relative to the root.
    pub(crate) path: PathBuf,
    /// Folder of its crate relative to the root.
    pub(crate) package: PathBuf,
    /// Text with comments and tests replaced by blanks; line numbers stay the same.
    pub(crate) code: String,
}

/// All source files, sorted by path.
pub(crate) fn sources(root: &Path) -> anyhow::Result<Vec<Source>> {
    let mut found = Vec::new();
    visit(root, root, Path::new(""), &mut found)?;
    // A module declared only for tests is in a file or a folder of its own.
    let tests: Vec<PathBuf> =
        found.iter().flat_map(|(source, modules)| modules_of(source, modules)).collect();
    let mut sources: Vec<Source> = found.into_iter().map(|(source, _)| source).collect();
    sources.retain(|source| {
        !tests.iter().any(|test| source.path.starts_with(test) || source.path == test.with_extension("rs"))
    });
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}

fn visit(
    root: &Path,
    folder: &Path,
    package: &Path,
    found: &mut Vec<(Source, Vec<String>)>,
) -> anyhow::Result<()> {
    let below = folder.strip_prefix(root)?;
    let package = if folder.join("Cargo.toml").is_file() { below } else { package };
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !APART.contains(&name.as_str()) && !name.starts_with('.') {
                visit(root, &path, package, found)?;
            }
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let (code, modules) = without_tests(without_comments(&text));
            let path = path.strip_prefix(root)?.to_owned();
            found.push((Source { path, package: package.to_owned(), code }, modules));
        }
    }
    Ok(())
}

/// Paths of the modules that a file declares, without extension.
fn modules_of(source: &Source, modules: &[String]) -> Vec<PathBuf> {
    let stem = source.path.file_stem().unwrap_or_default();
    let mut folder = source.path.with_file_name("");
    if !["mod", "lib", "main"].iter().any(|root| stem == *root) {
        folder.push(stem);
    }
    modules.iter().map(|module| folder.join(module)).collect()
}

/// Class of a byte in source code.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Code,
    Literal,
    Comment,
}

/// The text with comments blanked.
fn without_comments(text: &str) -> String {
    blank(text, |part| part == Part::Comment)
}

/// Replaces the bytes of some classes by blanks, except line feeds.
fn blank(text: &str, is_blank: impl Fn(Part) -> bool) -> String {
    let parts = parts(text.as_bytes());
    let bytes =
        text.bytes().zip(parts).map(|(byte, part)| if is_blank(part) && byte != b'\n' { b' ' } else { byte });
    String::from_utf8_lossy(&bytes.collect::<Vec<_>>()).into_owned()
}

fn parts(text: &[u8]) -> Vec<Part> {
    let mut parts = Vec::with_capacity(text.len());
    while parts.len() < text.len() {
        let rest = &text[parts.len()..];
        let before = parts.len().checked_sub(1).map(|at| text[at]);
        let (part, length) = token(rest, before);
        parts.resize(parts.len() + length.clamp(1, rest.len()), part);
    }
    parts
}

/// Class and length of the token that `rest` begins with.
fn token(rest: &[u8], before: Option<u8>) -> (Part, usize) {
    if rest.starts_with(b"//") {
        return (Part::Comment, rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()));
    }
    if rest.starts_with(b"/*") {
        return (Part::Comment, block_comment(rest));
    }
    let in_word = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let prefix = rest.iter().take_while(|byte| b"rbc".contains(byte)).count();
    if !in_word && prefix <= 2 && rest[..prefix].contains(&b'r') {
        let hashes = rest[prefix..].iter().take_while(|byte| **byte == b'#').count();
        if rest.get(prefix + hashes) == Some(&b'"') {
            let end = [&b"\""[..], &b"#".repeat(hashes)].concat();
            let from = prefix + hashes + 1;
            let found = rest[from..].windows(end.len()).position(|window| window == end);
            return (Part::Literal, found.map_or(rest.len(), |at| from + at + end.len()));
        }
    }
    match rest[0] {
        b'"' => (Part::Literal, quoted(rest, b'"')),
        // A character literal, not a lifetime.
        b'\''
            if rest.get(1) == Some(&b'\\')
                || char_length(&rest[1..]).is_some_and(|n| rest.get(n + 1) == Some(&b'\'')) =>
        {
            (Part::Literal, quoted(rest, b'\''))
        }
        _ => (Part::Code, 1),
    }
}

fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] if depth == 1 => return at + 2,
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// Length of the first character in bytes.
fn char_length(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        0..0x80 => Some(1),
        0x80..0xe0 => Some(2),
        0xe0..0xf0 => Some(3),
        _ => Some(4),
    }
}

/// The code with items compiled only for tests blanked, and the names of modules declared that way.
fn without_tests(mut code: String) -> (String, Vec<String>) {
    let mut modules = Vec::new();
    let plain = blank(&code, |part| part == Part::Literal);
    for start in ["#[cfg(test)]", "#[cfg(all(test"] {
        for (at, _) in plain.match_indices(start) {
            let end = at + item(&plain.as_bytes()[at..]);
            let text = &plain[at..end];
            if let Some((_, name)) = text.rsplit_once("mod ")
                && let Some(name) = name.trim().strip_suffix(';')
            {
                modules.push(name.to_owned());
            }
            let blanked: String = code[at..end]
                .chars()
                .map(|c| if c == '\n' { "\n".to_owned() } else { " ".repeat(c.len_utf8()) })
                .collect();
            code.replace_range(at..end, &blanked);
        }
    }
    (code, modules)
}

/// Length of the item after its attributes: to its semicolon, its comma, or the end of its block.
fn item(code: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.iter().enumerate() {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' if depth <= 1 => return at + usize::from(depth == 1),
            b'}' | b')' | b']' => depth = depth.saturating_sub(1),
            b';' | b',' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        without_tests(without_comments(text)).0.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_are_no_code_and_strings_are() {
        assert_eq!(code("//! a\nlet x = 1; // b\n/* c /* d */ e */ f"), "let x = 1; f");
        assert_eq!(
            code(r##"let s = "// no \" comment"; let c = '"'; // one"##),
            r##"let s = "// no \" comment"; let c = '"';"##
        );
        assert_eq!(
            code("r#\"// \"quoted\" /* \"# /* x */ 'a 'static '\\''"),
            "r#\"// \"quoted\" /* \"# 'a 'static '\\''"
        );
    }

    #[test]
    fn what_is_for_tests_is_no_code() {
        assert_eq!(
            code("fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() { \"}\" }\n}\nfn c() {}"),
            "fn a() {} fn c() {}"
        );
        assert_eq!(code("#[cfg(test)]\n#[derive(Debug)]\nstruct A(u8);\nstruct B;"), "struct B;");
        let (_, modules) = without_tests("#[cfg(test)]\npub(crate) mod naive;\nmod other;".to_owned());
        assert_eq!(modules, ["naive"]);
    }
}
