//! The clock and the evaluation of a player in games by turns, as shown beside the score.

use grandstand_protocol::Micros;
use grandstand_protocol::team::TwoTeams;
use grandstand_protocol::turn::TurnScene;
use grandstand_story::GameStory;
use grandstand_story::games::turns::clock_text;

/// The clock of a team and its evaluation of the position, as far as they are known.
pub(super) fn figures<T: TwoTeams, M: Clone>(
    game: &dyn GameStory,
    table: &TurnScene<T, M>,
    team: T,
    t: Micros,
) -> Vec<String> {
    let mut figures = Vec::new();
    if let Some(clock) = table.clock(team) {
        let ticks = clock.running && table.winner().is_none();
        figures.push(clock_text(if ticks { clock.left(t) } else { i64::from(clock.millis) }));
    }
    if let Some(line) = table.thought(team) {
        figures.push(format!("{} depth {}", game.score_text(line.thought.score), line.thought.depth));
    }
    figures
}
