//! The files of `editors/` agree with the languages and the program.

use std::fs;
use std::path::{Path, PathBuf};

use grandstand_languages::Language;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_grammars_have_the_keywords_of_the_languages() {
    for language in Language::ALL {
        let extension = language.extension();
        let grammar = json(&format!("editors/vscode/syntaxes/{extension}.tmLanguage.json"));
        assert_eq!(grammar["scopeName"], format!("source.{extension}"));
        let matched = grammar["repository"]["keyword"]["match"].as_str().expect("keywords are matched");
        let words =
            matched.strip_prefix("\\b(").and_then(|rest| rest.split_once(')')).expect("alternatives").0;
        let mut words: Vec<&str> = words.split('|').collect();
        let mut expected = language.keywords().to_vec();
        words.sort_unstable();
        expected.sort_unstable();
        assert_eq!(words, expected, "{extension}");
        for pattern in grammar["patterns"].as_array().expect("patterns") {
            let name = pattern["include"].as_str().expect("an include").trim_start_matches('#');
            assert!(grammar["repository"][name].is_object(), "{extension} has {name}");
        }
    }
}

#[test]
fn the_extension_names_files_that_are_there_and_every_kind_of_program() {
    let package = json("editors/vscode/package.json");
    json("editors/vscode/language-configuration.json");
    let contributes = &package["contributes"];
    let list =
        |what: &str| contributes[what].as_array().unwrap_or_else(|| panic!("{what} is a list")).clone();
    let mut files = vec![package["main"].clone()];
    files.extend(list("languages").iter().map(|language| language["configuration"].clone()));
    files.extend(list("grammars").iter().map(|grammar| grammar["path"].clone()));
    for file in files {
        let file = file.as_str().expect("a path").trim_start_matches("./").to_owned();
        assert!(root().join("editors/vscode").join(&file).is_file(), "{file}");
    }
    let endings = list("languages")
        .iter()
        .flat_map(|of| of["extensions"].as_array().cloned())
        .flatten()
        .collect::<Vec<_>>();
    assert_eq!(endings, [".cl", ".ch", ".rcl", ".rch"]);
    let extension = text("editors/vscode/extension.js");
    for command in list("commands") {
        let command = command["command"].as_str().expect("a name");
        assert!(extension.contains(&format!("\"{command}\"")), "{command} is registered");
    }
    for setting in contributes["configuration"]["properties"].as_object().expect("settings").keys() {
        let name = setting.strip_prefix("grandstand.").expect("ours");
        assert!(extension.contains(&format!("setting(\"{name}\")")), "{setting} is read");
    }
}

#[test]
fn the_document_shows_what_the_files_say() {
    let document = text("docs/EDITORS.md");
    for file in ["editors/neovim/grandstand.lua", "editors/helix/languages.toml"] {
        assert!(document.contains(&text(file)), "{file}");
    }
    // The extension and the document list all launch arguments.
    let package = json("editors/vscode/package.json");
    let properties =
        package["contributes"]["debuggers"][0]["configurationAttributes"]["launch"]["properties"].clone();
    for property in properties.as_object().expect("properties").keys() {
        assert!(document.contains(&format!("`{property}`")), "{property}");
    }
}
