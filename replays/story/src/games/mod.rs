//! Games: events, figures and words of their commands, one module each.

pub mod abalone;
pub mod fortress;
pub mod grid;
mod maps;
pub mod riskless;
pub mod shark;
pub mod stones;
pub mod turns;

use grandstand_protocol::{Game, Scene, TeamInfo, by_scene};

use crate::game::{GameStory, Sample};
use crate::sides::Side;

/// The story of a scene's game.
pub fn story(scene: &Scene) -> &dyn GameStory {
    by_scene!(scene, scene => scene)
}

/// Teams of a match, in the order of play. `teams` comes from the header.
pub fn sides(scene: &Scene, teams: &[TeamInfo]) -> Vec<Side> {
    story(scene).sides(teams)
}

/// One sample for each game that has one.
pub fn samples() -> impl Iterator<Item = Sample> {
    Game::ALL.into_iter().filter_map(|game| story(&Scene::new(game)).sample())
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Color, Command, Micros, Place};
    use serde_json::json;

    fn info(name: &str, color: Color) -> TeamInfo {
        TeamInfo { name: name.into(), color }
    }

    #[test]
    fn teams_are_named_by_the_header_and_otherwise_by_their_colour() {
        let scene = Scene::new(Game::Abalone);
        let names = |teams: &[TeamInfo]| sides(&scene, teams).into_iter().map(|s| s.name).collect::<Vec<_>>();
        assert_eq!(names(&[]), ["Black", "White"]);
        assert_eq!(names(&[info("Simple", Color::White), info("Team", Color::Black)]), ["Team", "Simple"]);
        assert_eq!(names(&[info("One", Color::Red), info("", Color::Blue)]), ["One", "White"]);
        let same = [info("Team", Color::Black), info("Team", Color::White)];
        assert_eq!(names(&same), ["Team (black)", "Team (white)"]);
        let short: Vec<String> = sides(&scene, &same).iter().map(|side| side.short().to_owned()).collect();
        assert_eq!(short, ["Team", "Team"]);
        assert_eq!(sides(&scene, &[])[0].short(), "Black");
    }

    #[test]
    fn a_title_made_of_names_has_those_of_the_people_who_sat_down() {
        let teams = [info("person", Color::Black), info("search", Color::White)];
        let mut scene = Scene::new(Game::Gomoku);
        let title =
            |scene: &Scene, title: &str| crate::format::match_title(title, &teams, &sides(scene, &teams));
        assert_eq!(title(&scene, "person – search"), "person – search");
        scene.apply(1, Micros(0), &Command::parse(Game::Gomoku, b"names Anna search"));
        assert_eq!(title(&scene, "person – search"), "Anna – search");
        assert_eq!(
            (title(&scene, "Final"), title(&scene, "")),
            ("Final".to_owned(), "Anna – search".to_owned())
        );
        let same = [info("Team", Color::Black), info("Team", Color::White)];
        let twice =
            crate::format::match_title("Team – Team", &same, &sides(&Scene::new(Game::Abalone), &same));
        assert_eq!(twice, "Team – Team");
    }

    #[test]
    fn a_grids_teams_appear_with_their_first_score() {
        let mut scene = Scene::new(Game::Grid);
        for line in ["score red 2", "score zed 7"] {
            scene.apply(1, Micros(0), &Command::parse(Game::Grid, line.as_bytes()));
        }
        let sides = sides(&scene, &[info("red", Color::Red)]);
        let scores: Vec<_> = sides.iter().map(|side| (side.key.as_str(), side.score)).collect();
        assert_eq!(scores, [("red", 2), ("zed", 7)]);
    }

    #[test]
    fn every_game_measures_in_its_own_way() {
        let world = [
            "map 10 60 W",
            "territory 1 0 0 A",
            "territory 2 500 500 B",
            "territory 3 900 900 C",
            "territory 4 900 0 D",
            "road 1 2",
            "road 2 3",
        ];
        for (game, lines, from, to, words, turns) in [
            (Game::Abalone, &[][..], "A-4", "I4", "8 hexes in a line", 2),
            (Game::Abalone, &[], "E0", "F2", "2 hexes", 2),
            (Game::Abalone, &[], "E0", "F-1", "2 hexes", 2),
            (Game::Shark, &[], "0,0", "3,1", "4 steps by sides, 3 with diagonals; 3 × 1", 2),
            (Game::Fortress, &[], "-2,0", "3,0", "5 steps in a line", 2),
            (Game::Gomoku, &[], "a1", "e5", "5 points in a row, both ends counted", 2),
            (Game::Gomoku, &[], "a1", "c2", "2 points apart; 2 × 1", 2),
            (Game::Riskless, &world, "1", "3", "2 roads", 3),
            (Game::Riskless, &world, "1", "4", "no way by road", 2),
            (Game::Grid, &[], "1,1", "2,1", "1 step in a line", 2),
        ] {
            let mut scene = Scene::new(game);
            for (seq, line) in (1..).zip(lines) {
                scene.apply(seq, Micros(0), &Command::parse(game, line.as_bytes()));
            }
            let place = |name: &str| Place::parse(game, name).expect("a place");
            let distance = story(&scene).distance(place(from), place(to)).expect("two places");
            assert_eq!((&*distance.words, distance.path.len()), (words, turns), "{game}: {from} to {to}");
        }
    }

    #[test]
    fn the_games_by_moves_are_those_that_have_a_table() {
        for game in Game::ALL {
            let has_table = story(&Scene::new(game)).turns().is_some();
            assert_eq!(game.goes_by_moves(), has_table, "{game}");
        }
    }

    #[test]
    fn a_move_that_the_rules_demand_is_told() {
        let demand = |game, lines: &[&str], rules: serde_json::Value| {
            let mut scene = Scene::new(game);
            for (seq, line) in (1..).zip(lines) {
                scene.apply(seq, Micros(0), &Command::parse(game, line.as_bytes()));
            }
            story(&scene).demand(Some(&rules))
        };
        let (gomoku, centre) = (Game::Gomoku, json!({ "OPENING": "centre" }));
        let told = demand(gomoku, &["board 15"], centre.clone());
        assert_eq!(told.as_deref(), Some("The first stone goes on the centre, h8"));
        assert_eq!(demand(gomoku, &["board 15", "move black h8"], centre), None);
        assert_eq!(demand(gomoku, &["board 15"], json!({ "OPENING": "free" })), None);
        let moves = ["board 19", "move black j10", "move white k10"];
        let far = json!({ "OPENING": "centre", "TOURNAMENT": true });
        let told = demand(Game::Pente, &moves, far);
        assert_eq!(told.as_deref(), Some("At least three points from the centre, j10"));
    }
}
