//! Shipped programs and actions of the games in the editor.

use grandstand_languages::Language;
use grandstand_matches::games::GAMES;

use crate::client::Client;

/// Each shipped program and library, with its language.
fn files() -> impl Iterator<Item = (&'static str, &'static str, Language)> {
    GAMES.into_iter().filter_map(|game| Some((game, game.language?))).flat_map(|(game, language)| {
        game.program_files.iter().map(move |(path, text)| (*path, *text, language))
    })
}

#[test]
fn nothing_is_wrong_in_what_is_shipped() {
    for (path, text, _) in files() {
        let client = Client::with(path, text);
        let problems = client.problems(path);
        let wrong: Vec<&String> = problems.iter().filter(|problem| !problem.contains(": hint: ")).collect();
        assert_eq!(wrong, Vec::<&String>::new(), "{path}");
    }
}

#[test]
fn every_action_has_help_that_is_right() {
    for game in GAMES {
        let Some(language) = game.language else { continue };
        let extension = language.extension();
        let include = format!("#include {}/constants.{}h\n", game.game, &extension[..extension.len() - 1]);
        assert!(!game.actions.is_empty(), "{} has actions", game.game);
        for (number, action) in game.actions.iter().enumerate() {
            let name = format!("a.{extension}");
            let mut client = Client::with(&name, &format!("{include}{}", action.usage));
            assert_eq!(client.problems(&name), Vec::<String>::new(), "{}", action.usage);
            let at = action.usage.find(action.name).expect("the example does it") as u32;
            let said = client.ask("hover", &name, 1, at).to_string();
            assert!(said.contains(&format!("{} = {}\\n", action.name, number + 1)), "{said}");
            assert!(action.does.ends_with('.') && !action.answer.ends_with('.'), "{}", action.name);
        }
    }
}

#[test]
fn every_name_of_the_library_can_be_explained_and_found() {
    for (path, text, language) in files().filter(|(path, ..)| path.ends_with('h')) {
        let name = format!("a.{}", language.extension());
        let mut client = Client::with(&name, &format!("#include {path}\n1"));
        client.open(path, text);
        for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with("let ")) {
            let said = client.ask("hover", path, number as u32, 4);
            let defined = line["let ".len()..].split(' ').next().expect("a let has a name");
            let said = said["contents"]["value"].as_str().unwrap_or_else(|| panic!("{path}: {line}"));
            assert!(said.contains(defined), "{path}: {said}");
            let place = client.ask("definition", path, number as u32, 4);
            assert_eq!(place["range"]["start"]["line"], number, "{path}: {line}");
        }
    }
}
