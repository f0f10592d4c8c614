//! Identity of a match: game, variant, event and round.

use grandstand_protocol::Scene;
use serde_json::Value;

use crate::games::story;

/// `Gomoku · 15×15 · swap2`, `λ-Shark · forts`: the game and its variant. `rules` come from the header.
pub fn identity(scene: &Scene, rules: Option<&Value>) -> String {
    let mut parts = vec![scene.game().title().to_owned()];
    parts.extend(story(scene).variant(rules));
    parts.join(" · ")
}

/// `Spring cup · round 3`, `Spring cup · Final`: the event of a match and the round; `None` for a match by itself.
pub fn occasion(event: &str, round: &str) -> Option<String> {
    let round = match round.trim() {
        "" => None,
        number if number.starts_with(|first: char| first.is_ascii_digit()) => Some(format!("round {number}")),
        name => Some(name.to_owned()),
    };
    let event = Some(event.trim()).filter(|event| !event.is_empty()).map(str::to_owned);
    let parts: Vec<String> = event.into_iter().chain(round).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
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
    fn an_occasion_is_the_event_and_the_round() {
        let of = |event, round| occasion(event, round);
        assert_eq!(of("Spring cup", "3").as_deref(), Some("Spring cup · round 3"));
        assert_eq!(of("Spring cup", "Final").as_deref(), Some("Spring cup · Final"));
        assert_eq!(of(" ", "2.1").as_deref(), Some("round 2.1"));
        assert_eq!((of("", ""), of("Spring cup", "").as_deref()), (None, Some("Spring cup")));
    }

    #[test]
    fn without_rules_the_board_says_how_large_it_is() {
        let mut scene = Scene::new(Game::Pente);
        scene.apply(1, Micros(0), &Command::parse(Game::Pente, b"board 19"));
        assert_eq!(identity(&scene, None), "Pente · 19×19");
    }
}
