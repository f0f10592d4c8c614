//! Bundle of the page's files, named so that clients can cache them for ever.
//!
//! Every file but `index.html` is named after its content, `NAME-DIGEST.EXT`, and is written three times: uncompressed,
//! `.gz` and `.br`. A text file refers to others by `{{NAME.EXT}}`; a file is written after those that it refers to, so
//! that its digest covers theirs. `files.txt`, written last, lists `NAME DIGEST` line by line; its presence means that
//! the page is complete.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, ensure};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};

/// The page's text sources, each after those that it refers to.
const SOURCES: &[&str] = &["page.css", "old.js", "icon.svg", "program.js", "page.js", "index.html"];
/// The files that are made, which those refer to.
const MADE: &[&str] = &[
    "grandstand.wasm",
    "grandstand.js",
    "insight.wasm",
    "insight.js",
    "sample-abalone.replay",
    "sample-shark.replay",
    "sample-fortress.replay",
    "sample-gomoku.replay",
    "sample-pente.replay",
    "sample-riskless.replay",
];

/// One file of the page.
pub(crate) struct Built {
    /// Name relative to the page's address.
    pub(crate) name: String,
    /// Sizes in bytes: uncompressed, gzip, brotli.
    pub(crate) sizes: [usize; 3],
}

/// Writes the page to `out`, which may hold an older one, from the `sources` directory and what was made.
pub(crate) fn write(sources: &Path, made: Vec<(String, Vec<u8>)>, out: &Path) -> anyhow::Result<Vec<Built>> {
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    // The list is removed first, so that a concurrent reader finds no page rather than a part of one.
    remove_older(out)?;

    let mut bundle = Bundle { out, names: Vec::new(), list: String::new(), built: Vec::new() };
    for (name, bytes) in made {
        // A file of another name would stay when the page is built again.
        ensure!(MADE.contains(&&*name), "{name} is no file of a page");
        bundle.add(&name, bytes)?;
    }
    for name in SOURCES {
        let path = sources.join(name);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let text = bundle.resolve(&text).with_context(|| path.display().to_string())?;
        bundle.add(name, text.into_bytes())?;
    }
    fs::write(out.join("files.txt"), &bundle.list)?;
    Ok(bundle.built)
}

struct Bundle<'a> {
    out: &'a Path,
    /// Names of the files in the sources, with their public names.
    names: Vec<(String, String)>,
    list: String,
    built: Vec<Built>,
}

impl Bundle<'_> {
    fn add(&mut self, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        let digest = digest(&bytes);
        let public = match name.rsplit_once('.') {
            Some((stem, extension)) if extension != "html" => format!("{stem}-{digest}.{extension}"),
            _ => name.to_owned(),
        };
        let gzip = gzip(&bytes)?;
        let brotli = brotli(&bytes)?;
        fs::write(self.out.join(&public), &bytes)?;
        fs::write(self.out.join(format!("{public}.gz")), &gzip)?;
        fs::write(self.out.join(format!("{public}.br")), &brotli)?;
        self.list.push_str(&format!("{public} {digest}\n"));
        self.built.push(Built { name: public.clone(), sizes: [bytes.len(), gzip.len(), brotli.len()] });
        self.names.push((name.to_owned(), public));
        Ok(())
    }

    /// Replaces `{{NAME}}` by the file's public name.
    fn resolve(&self, text: &str) -> anyhow::Result<String> {
        let mut resolved = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after.split_once("}}").context("`{{` without `}}`")?;
            let found = self.names.iter().find(|(known, _)| known == name);
            let (_, public) =
                found.with_context(|| format!("`{{{{{name}}}}}` names no file written before"))?;
            resolved.push_str(before);
            resolved.push_str(public);
            rest = after;
        }
        resolved.push_str(rest);
        Ok(resolved)
    }
}

/// Removes the files of an earlier build. A directory with any other file is refused.
fn remove_older(out: &Path) -> anyhow::Result<()> {
    let list = out.join("files.txt");
    if !list.exists() {
        let strangers = fs::read_dir(out)?.filter_map(Result::ok).find(|entry| !is_ours(&entry.file_name()));
        ensure!(
            strangers.is_none(),
            "{} holds files that are not a page's; name another directory",
            out.display()
        );
    } else {
        fs::remove_file(&list)?;
    }
    for entry in fs::read_dir(out)? {
        let entry = entry?;
        if is_ours(&entry.file_name()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn is_ours(name: &std::ffi::OsStr) -> bool {
    let name = name.to_string_lossy();
    let name = name.trim_end_matches(".gz").trim_end_matches(".br");
    SOURCES.iter().chain(MADE).copied().any(|source| {
        let (stem, extension) = source.rsplit_once('.').unwrap_or((source, ""));
        name == source
            || name
                .strip_prefix(stem)
                .and_then(|rest| rest.strip_prefix('-'))
                .and_then(|rest| rest.strip_suffix(extension))
                .and_then(|rest| rest.strip_suffix('.'))
                .is_some_and(|digest| {
                    digest.len() == 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
                })
    })
}

/// The first 64 bits of the SHA-256, as 16 hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn brotli(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut out = Vec::new();
    let settings = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: bytes.len(),
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &settings)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(directory: &Path, page: &str) {
        for name in SOURCES {
            fs::write(directory.join(name), format!("/* {name} */")).unwrap();
        }
        fs::write(directory.join("page.js"), page).unwrap();
        fs::write(directory.join("index.html"), "<script src=\"{{page.js}}\"></script>").unwrap();
    }

    fn made(glue: &str, module: &[u8]) -> Vec<(String, Vec<u8>)> {
        let name = str::to_owned;
        vec![(name("grandstand.wasm"), module.to_vec()), (name("grandstand.js"), glue.as_bytes().to_vec())]
    }

    #[test]
    fn a_changed_file_renames_those_that_name_it() {
        let (from, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        sources(from.path(), "import('./{{grandstand.js}}')");
        let first = write(from.path(), made("glue", b"module"), out.path()).unwrap();
        let second = write(from.path(), made("other glue", b"module"), out.path()).unwrap();
        let changed: Vec<_> =
            first.iter().zip(&second).filter(|(a, b)| a.name != b.name).map(|(a, _)| &a.name[..5]).collect();
        assert_eq!(changed, ["grand", "page-"]);
        let index = fs::read_to_string(out.path().join("index.html")).unwrap();
        let page =
            second.iter().find(|file| file.name.starts_with("page-") && file.name.ends_with(".js")).unwrap();
        assert_eq!(index, format!("<script src=\"{}\"></script>", page.name));
        // No file of the first build is left.
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), second.len() * 3 + 1);
    }

    #[test]
    fn what_is_compressed_comes_back() {
        let (from, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        sources(from.path(), "page");
        let module: Vec<u8> = (0..100_000u32).flat_map(|n| (n / 7).to_le_bytes()).collect();
        let built = write(from.path(), made("glue", &module), out.path()).unwrap();
        let name = &built[0].name;
        let mut unpacked = Vec::new();
        let packed = fs::read(out.path().join(format!("{name}.br"))).unwrap();
        brotli::BrotliDecompress(&mut &packed[..], &mut unpacked).unwrap();
        assert_eq!(unpacked, module);
        let packed = fs::read(out.path().join(format!("{name}.gz"))).unwrap();
        let mut unpacked = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&packed[..]), &mut unpacked).unwrap();
        assert_eq!(unpacked, module);
        let list = fs::read_to_string(out.path().join("files.txt")).unwrap();
        assert_eq!(list.lines().count(), built.len());
    }

    #[test]
    fn no_file_name_and_a_directory_of_others_are_refused() {
        let (from, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        sources(from.path(), "{{nothing.js}}");
        let error = write(from.path(), made("glue", b"module"), out.path()).err().unwrap();
        assert!(format!("{error:#}").contains("names no file written before"), "{error:#}");
        fs::write(out.path().join("thesis.tex"), "years of work").unwrap();
        let error = write(from.path(), made("glue", b"module"), out.path()).err().unwrap();
        assert!(format!("{error:#}").contains("not a page's"), "{error:#}");
    }
}
