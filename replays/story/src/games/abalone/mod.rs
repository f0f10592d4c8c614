//! Robot Abalone: events, figures and words.

pub mod motion;
pub mod text;

use grandstand_protocol::abalone::{self, Scene, Team};
use grandstand_protocol::{Command, Game, Place, TeamInfo};
use serde_json::Value;

use crate::findings::Findings;
use crate::format::number;
use crate::game::{ChatLine, EventNames, GameStory, Group, Line, Redraw, Sample, event_names, recording};
use crate::markers::kind;
use crate::plots::Plot;
use crate::sides::{Badge, Side, two_sides};

impl GameStory for Scene {
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        two_sides(
            teams,
            Team::ALL.map(|team| (team.color(), team.name(), Badge::Piece(team), self.score(team))),
        )
    }

    fn talk(&self) -> Vec<ChatLine<'_>> {
        ChatLine::all(self.talk())
    }

    fn progress_text(&self) -> String {
        format!("Turn {}", number(u64::from(self.turns())))
    }

    fn turn_counter(&self) -> Option<(&'static str, u64)> {
        Some(("Turn", self.turns().into()))
    }

    /// Black moves in odd turns (section 2.7).
    fn mover(&self) -> Option<usize> {
        let team = if self.turns() % 2 == 1 { Team::Black } else { Team::White };
        (self.turns() > 0).then_some(team.index())
    }

    fn has_turns(&self) -> bool {
        true
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Team::ALL.map(|team| (text::name(team).to_owned(), self.score(team))).into()
    }

    fn winning_score(&self, rules: Option<&Value>) -> Option<i32> {
        let value = rules?.get("WINNING_SCORE")?.as_i64()?;
        i32::try_from(value).ok().filter(|score| (1..=100).contains(score))
    }

    fn plots(&self) -> Vec<Plot> {
        vec![Plot::steps("Score", &Team::ALL.map(Team::name)).that_wins()]
    }

    fn figure(&self, plot: usize, team: &str) -> Option<i32> {
        let team = Team::ALL.into_iter().find(|other| other.name() == team)?;
        (plot == 0).then(|| self.score(team))
    }

    fn events(&self) -> &'static EventNames {
        event_names!("piece off the board")
    }

    fn record(&self, group: &Group<'_>, findings: &mut Findings) {
        let mut scores = Team::ALL.map(|team| self.score(team));
        let mut turns = self.turns();
        let mut scored = false;
        for (seq, t, command) in group.commands {
            match command {
                Command::Abalone(abalone::Command::Score { team, value }) => {
                    findings.put(0, team.name(), (*seq, *t), *value);
                    if *value > scores[team.index()] {
                        findings.event((*seq, *t), kind::SCORE, team.index(), "Point for", true);
                        scored = true;
                    }
                    scores[team.index()] = *value;
                }
                Command::Abalone(abalone::Command::Turns { value }) if *value != turns => {
                    // The turn that ends belongs to the mover of the last number.
                    let mover = if turns % 2 == 1 { Team::Black } else { Team::White };
                    findings.turn(*seq, *t, (turns > 0).then_some(mover.index()));
                    turns = *value;
                }
                _ => {}
            }
        }
        if scored {
            for (piece, how) in text::losses(self, group) {
                let (kind, what) = match how {
                    text::Loss::Pushed => (kind::LOSS, "Piece pushed off:"),
                    text::Loss::Died => (kind::DEATH, "Bot died:"),
                };
                findings.event((group.seq(), group.t()), kind, piece.team.index(), what, false);
            }
        }
    }

    fn narrate(&self, group: &Group<'_>) -> Vec<Line> {
        text::tell(self, group)
    }

    fn label(&self, label: &str) -> String {
        text::label(label)
    }

    fn describe(&self, place: Place) -> Option<String> {
        let Place::Hex(hex) = place else { return None };
        Some(text::describe(hex, self.get(hex)))
    }

    /// A moving piece is removed from one hex and put on another. Old servers may send the two lines far apart.
    fn redraw(&self, command: &Command) -> Redraw {
        let Command::Abalone(command) = command else { return Redraw::None };
        match command {
            abalone::Command::Set { hex, piece } => match (self.get(*hex), piece) {
                (Some(was), None) => Redraw::Erased(was.team.index() as u64),
                (None, Some(piece)) => Redraw::Drawn(piece.team.index() as u64),
                // A capture of the hex or a change of facing.
                _ => Redraw::None,
            },
            abalone::Command::Turns { .. } => Redraw::Boundary,
            _ => Redraw::None,
        }
    }

    fn widest_place(&self) -> Option<Place> {
        "A-4".parse().ok().map(Place::Hex)
    }

    fn chat_message(&self, command: &Command) -> Option<(String, String)> {
        let Command::Abalone(abalone::Command::Say { team, text }) = command else { return None };
        Some((text::name(*team).to_owned(), text.to_string()))
    }

    fn sample(&self) -> Option<Sample> {
        let recording = recording!("simple_bot-team.replay.zst");
        Some(Sample { game: Game::Abalone, recording, poster: 60 })
    }
}
