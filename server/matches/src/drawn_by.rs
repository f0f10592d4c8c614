//! Provenance of a match, for headers: the versions of the software that draws it.

use grandstand_languages::Language;
use grandstand_protocol::{Game, Software};

use crate::games;

/// Versions of Grandstand, of the game's rules, and of the language of its programs; `None` for a game without rules.
pub fn drawn_by(game: Game, language: Option<Language>) -> Option<Software> {
    let language = language.map(Language::version);
    Some(Software {
        grandstand: env!("CARGO_PKG_VERSION").into(),
        rules: games::of(game)?.rules_version,
        language,
    })
}
