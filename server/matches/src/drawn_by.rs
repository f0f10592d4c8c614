//! What draws a match here, for headers; and whether a match that is played again may be drawn differently.

use grandstand_languages::Language;
use grandstand_protocol::{By, Game, MatchHeader};
use grandstand_rules::version;

use crate::programs;

/// What draws a match of this game here; `None` for a game without rules.
pub fn by(game: Game) -> Option<By> {
    let language = programs::language(game).map(Language::version);
    Some(By { grandstand: env!("CARGO_PKG_VERSION").into(), rules: version(game)?, language })
}

/// Why the match of a header may be drawn differently when it is played again, in words; `None` if nothing says so, as in a header that does not tell
/// what drew it.
pub fn changed(game: Game, header: &MatchHeader) -> Option<String> {
    header.by.as_ref()?.changed(&by(game)?)
}
