//! Sources of programs: directories, files and bundles.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use grandstand_languages::{MAX_BYTES, MemoryFiles, cl};
use grandstand_matches::bundle::{bundle, unbundle};
use grandstand_players::program_files::load;
use grandstand_protocol::Game;
use grandstand_testing::Folder;
use proptest::prelude::*;

fn directory() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("inside/lib")).unwrap();
    folder
}

#[test]
fn includes_stay_inside_of_the_directory() {
    let folder = directory();
    let outer = folder.path();
    let inner = outer.join("inside");
    fs::write(outer.join("secret.ch"), "let secret = 1 in").unwrap();
    fs::write(inner.join("lib/ours.ch"), "let ours = 1 in").unwrap();
    symlink("../secret.ch", inner.join("link.ch")).unwrap();
    symlink("lib", inner.join("alias")).unwrap();
    symlink("/", inner.join("root")).unwrap();
    let include = |what: &str| {
        let main = outer.join("main.cl");
        fs::write(&main, format!("#include {what}\n1")).unwrap();
        load(Game::Abalone, main.to_str().unwrap(), &inner).map(|_| ()).map_err(|error| error.to_string())
    };
    // The main file may be anywhere, and links within the directory are permitted.
    assert_eq!(include("lib/ours.ch"), Ok(()));
    assert_eq!(include("alias/ours.ch"), Ok(()));
    for (wrong, reason) in [
        ("link.ch", "it leads out of the directories that programs may read"),
        ("root/etc/passwd", "it leads out of the directories that programs may read"),
        ("../secret.ch", "the path must not contain `..`"),
        ("/etc/passwd", "the path must be relative to the working directory"),
        ("lib", "it is not a regular file"),
        ("none.ch", "there is no such file"),
        ("", "the name of a file is missing"),
    ] {
        let error = include(wrong).unwrap_err();
        assert!(error.contains(reason) && error.contains("main.cl:1:1"), "{wrong}: {error}");
        assert!(!error.contains("root:"), "no other file is shown: {error}");
    }
}

#[test]
fn files_that_are_too_large_or_no_text_are_refused() {
    let folder = directory();
    let outer = folder.path();
    let main = outer.join("main.cl");
    let error = || load(Game::Abalone, main.to_str().unwrap(), outer).unwrap_err().to_string();
    fs::write(&main, vec![b' '; MAX_BYTES + 1]).unwrap();
    assert!(error().contains("larger than"), "{}", error());
    fs::write(&main, b"1;\n\xff").unwrap();
    assert!(error().contains("line 2") || error().contains(":2"), "{}", error());
    // A file without an end.
    let error = load(Game::Abalone, "/dev/zero", Path::new(".")).unwrap_err().to_string();
    assert!(error.contains("it is not a regular file"), "{error}");
}

#[test]
fn a_files_name_tells_its_language_also_out_of_a_bundle() {
    let folder = directory();
    let outer = folder.path();
    let main = outer.join("main.rcl");
    fs::write(&main, "split [1, 2] of fn h => fn t => h else 0").unwrap();
    let program = load(Game::Shark, main.to_str().unwrap(), outer).unwrap();
    let text = bundle(&program);
    assert_eq!(unbundle(&text).unwrap().sources(), program.sources());
    let error = unbundle(&text.replace("main.rcl", "main.cl")).unwrap_err().to_string();
    assert!(error.contains("main.cl:1:"), "{error}");
}

#[test]
fn a_bundle_holds_what_was_included() {
    let files = MemoryFiles::new()
        .with("bots/a b.cl", "#include lib.ch\n#include lib.ch\ntwo + two")
        .with("lib.ch", "(* é *) let two = 2 in");
    let program = cl::load("bots/a b.cl", &files).unwrap();
    let text = bundle(&program);
    assert!(text.starts_with("#file 41 bots/a b.cl\n#include lib.ch\n"), "{text}");
    assert!(text.ends_with("#file 23 lib.ch\n(* é *) let two = 2 in\n"), "{text}");
    let again = unbundle(&text).unwrap();
    assert_eq!(again.sources(), program.sources());
    for wrong in [
        "",
        "two",
        "#file",
        "#file 3 a.cl\n12",
        "#file x a.cl\n1",
        "#file 1 a.cl\n12",
        "#file 2 a.cl\né",
        "#file 1 a.cl\n1\n#",
    ] {
        assert!(unbundle(wrong).is_err(), "{wrong:?}");
    }
}

proptest! {
    #[test]
    fn no_text_breaks_unbundling(text in "(#file [0-9]{1,3} [a-z.]{1,3}\n.{0,9}\n?){0,4}") {
        let _ = unbundle(&text);
    }

    #[test]
    fn any_sources_come_back(main in "[ -~\n]{0,40}", name in "[a-z /é]{1,9}") {
        // Any text in a comment is a valid program, except that comments nest.
        let text = format!("1 (* {} *)", main.replace(['*', '(', ')', '#'], "."));
        let program = cl::load(&name, &MemoryFiles::new().with(&name, text)).unwrap();
        let again = unbundle(&bundle(&program)).unwrap();
        prop_assert_eq!(again.sources(), program.sources());
    }
}
