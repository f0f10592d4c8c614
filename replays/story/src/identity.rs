//! Identity of a match: its game and variant.

use grandstand_protocol::Scene;
use serde_json::Value;

use crate::games::story;

/// `Gomoku · 15×15 · swap2`, `λ-Shark · forts`: the game and its variant. `rules` come from the header.
pub fn identity(scene: &Scene, rules: Option<&Value>) -> String {
    let mut parts = vec![scene.game().title().to_owned()];
    parts.extend(story(scene).variant(rules));
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Command, Game, Micros};
    use serde_json::json;

    use super::*;

    #[test]
    fn a_match_is_named_by_its_game_and_variant() {
        let of = |game, rules: Value| identity(&Scene::new(game), Some(&rules));
        assert_eq!(
            of(Game::Gomoku, json!({"SIZE": 15, "OPENING": "swap2", "RULE": "freestyle"})),
            "Gomoku · 15×15 · swap2"
        );
        assert_eq!(
            of(Game::Gomoku, json!({"SIZE": 19, "OPENING": "centre", "RULE": "renju"})),
            "Gomoku · 19×19 · renju"
        );
        assert_eq!(of(Game::Riskless, json!({"MAP": "earth"})), "Riskless · earth");
        let rows: Vec<&str> = include_str!("../../../maps/shark/forts.map").lines().collect();
        assert_eq!(of(Game::Shark, json!({"MAP": rows})), "λ-Shark · forts");
        assert_eq!(of(Game::Shark, json!({"MAP": ["..", ".."]})), "λ-Shark");
        assert_eq!(identity(&Scene::new(Game::Abalone), None), "Robot Abalone");
    }

    #[test]
    fn without_rules_the_board_says_how_large_it_is() {
        let mut scene = Scene::new(Game::Pente);
        scene.apply(1, Micros(0), &Command::parse(Game::Pente, b"board 19"));
        assert_eq!(identity(&scene, None), "Pente · 19×19");
    }
}
