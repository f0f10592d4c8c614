//! PGN headers for rating programs: players and result of each game, without moves.
//!
//! Only rated games are included: no forfeits, no games with a ruling, and only the first of games with identical
//! commands. The first side is `White`, since rating programs give it the advantage of the side.

use std::fmt::Write as _;

use super::super::report::Snapshot;

/// The games of all stages.
pub fn pgn(of: &Snapshot) -> String {
    let event = of.tournament.definition.name.as_str();
    let mut out = String::new();
    let lines = of.game_lines();
    let rated = lines.iter().filter(|line| {
        line.counts && line.fault.is_none() && line.ruling.is_none() && line.same_as.is_none()
    });
    for line in rated {
        let result = match (line.result.as_deref(), line.winner) {
            (_, Some(0)) => "1-0",
            (_, Some(_)) => "0-1",
            (Some("½-½"), None) => "1/2-1/2",
            _ => continue,
        };
        let date = line.started.get(..10).unwrap_or("????-??-??").replace('-', ".");
        let [first, second] = line.players.each_ref().map(|name| text(name));
        // Writing to a string can't fail.
        let _ = write!(
            out,
            "[Event \"{}\"]\n[Site \"{}\"]\n[Date \"{date}\"]\n[Round \"{}.{}\"]\n[White \"{first}\"]\n[Black \"{second}\"]\n\
             [Result \"{result}\"]\n[Termination \"{}\"]\n\n{result}\n\n",
            text(event),
            text(&line.stage),
            line.round,
            line.pair,
            text(&line.termination),
        );
    }
    out
}

/// Escapes a text for a quoted PGN tag.
fn text(of: &str) -> String {
    let visible = of.chars().map(|c| if c.is_control() { ' ' } else { c });
    visible.collect::<String>().replace('\\', "\\\\").replace('"', "\\\"")
}
