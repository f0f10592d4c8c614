//! Embeds the web spectator into the server, if it has been built.
//!
//! `cargo xtask web` writes the page to `target/web` (or to the directory that `GRANDSTAND_WEB` names, here as there),
//! with the list `files.txt` as the last file. Without the list, the server is built without the page.
//!
//! A page that is built later is noticed because `cargo xtask web` touches this file. Watching a list that does not
//! exist would make cargo run this script at every build, and a directory to watch would have to be created outside of
//! where this script may write.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=GRANDSTAND_WEB");
    let named = env::var_os("GRANDSTAND_WEB").map(PathBuf::from);
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("no CARGO_MANIFEST_DIR")?);
    let page = named.clone().unwrap_or_else(|| manifest.join("../target/web"));

    let list = page.join("files.txt");
    let table = if list.exists() {
        println!("cargo::rerun-if-changed={}", list.display());
        table(&page.canonicalize()?, &fs::read_to_string(&list)?)?
    } else if named.is_some() {
        return Err(format!("{} does not exist; `cargo xtask web` writes it", list.display()).into());
    } else {
        "&[]".to_owned()
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?).join("page.rs");
    fs::write(out, table)?;
    Ok(())
}

/// The Rust expression with all files of the list.
fn table(page: &Path, list: &str) -> Result<String, Box<dyn Error>> {
    let mut table = String::from("&[\n");
    for line in list.lines() {
        let (name, digest) =
            line.split_once(' ').ok_or_else(|| format!("files.txt: no digest in {line:?}"))?;
        writeln!(table, "    File {{ name: {name:?}, digest: {digest:?},")?;
        for (field, ending) in [("identity", ""), ("gzip", ".gz"), ("brotli", ".br")] {
            let path = page.join(format!("{name}{ending}"));
            if !path.is_file() {
                return Err(
                    format!("{} is missing; build the page again: cargo xtask web", path.display()).into()
                );
            }
            writeln!(
                table,
                "        {field}: include_bytes!({:?}),",
                path.to_str().ok_or("a path that is not UTF-8")?
            )?;
        }
        table.push_str("    },\n");
    }
    table.push_str("]\n");
    Ok(table)
}
