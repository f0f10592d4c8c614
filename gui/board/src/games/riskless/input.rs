//! The viewer's move: a territory, then its target, with what the move would lead to.

use std::cell::Cell;

use egui::layers::ShapeIdx;
use egui::{Color32, Shape, Stroke};
use grandstand_protocol::riskless::{Scene, Step, Team};

use super::paint::Canvas;
use crate::hint;

/// Outcome of a move with all armies of a territory to its neighbour, in words; nothing is random. `None` if nobody
/// holds `from`.
fn outcome(scene: &Scene, from: u8, to: u8) -> Option<String> {
    let own = scene.holding(from)?;
    let sent = own.armies;
    Some(match scene.holding(to) {
        None => format!("{sent} take it"),
        Some(held) if held.team == own.team => format!("{sent} join {}", held.armies),
        Some(held) if sent >= held.armies => {
            format!("{sent} attack {}: won, {} left", held.armies, sent - held.armies)
        }
        Some(held) => format!("{sent} attack {}: lost, {} left there", held.armies, held.armies - sent),
    })
}

impl Canvas<'_> {
    /// The viewer's choice of a territory and then of a target. `rings` is the place for their frames among the shapes.
    pub(super) fn choose(
        &self,
        mover: Option<Team>,
        (source, aim): (&Cell<Option<u8>>, &Cell<Option<u8>>),
        pointed: Option<u8>,
        (clicked, touched): (bool, bool),
        rings: ShapeIdx,
    ) -> Option<Step> {
        // While a move is on its way the choice stays: it may be refused.
        let team = mover?;
        let own = |territory: u8| self.scene.holding(territory).is_some_and(|held| held.team == team);
        let from = source.get().filter(|from| own(*from));
        source.set(from);
        let ring = |territory: u8, color: Color32, wide: f32| {
            let lines = self.atlas.outlines(territory).into_iter();
            let lines = lines.map(|line| Shape::closed_line(line, Stroke::new(wide, color)));
            lines.collect::<Vec<_>>()
        };
        let Some(from) = from else {
            // Those that may be chosen, and the one that is pointed at.
            let mut frames = Vec::new();
            for territory in self.scene.territories().map(|place| place.id).filter(|id| own(*id)) {
                frames.extend(ring(territory, self.accent(team), 2.0));
            }
            let chosen = pointed.filter(|pointed| own(*pointed));
            frames.extend(chosen.map(|pointed| ring(pointed, self.palette.text, 2.5)).into_iter().flatten());
            self.painter.set(rings, frames);
            let pointed = pointed?;
            if !own(pointed) {
                // A territory of somebody else: the move is sent anyway, so that the game server refuses it with the
                // reason.
                let mut others = self.scene.territories().map(|place| place.id);
                let to = others.find(|other| self.scene.has_road(pointed, *other)).unwrap_or(pointed);
                return clicked.then_some(Step { from: pointed, to });
            }
            if clicked {
                source.set(Some(pointed));
            }
            return None;
        };
        let mut frames = ring(from, self.palette.text, 3.0);
        let targets = self.scene.territories().map(|place| place.id);
        for target in targets.filter(|target| self.scene.has_road(from, *target)) {
            frames.extend(ring(target, self.accent(team), 2.0));
        }
        self.painter.set(rings, frames);
        let target = pointed.filter(|target| self.scene.has_road(from, *target));
        let aimed = aim.get().filter(|to| self.scene.has_road(from, *to));
        if let Some(to) = target.or(aimed) {
            self.painter.extend(self.arrow(from, to, self.accent(team), 0.75));
            self.outcome(from, to);
        }
        // A finger hides its target: the first press shows the outcome, the second one moves.
        aim.set(aimed.filter(|_| !clicked));
        if clicked && touched && target.is_some() && target != aimed {
            aim.set(target);
            return None;
        }
        if !clicked {
            return None;
        }
        // A press on another own territory chooses that, on the same one or beside the land cancels, and on any other is a
        // move, which may be refused.
        let instead = pointed.filter(|territory| target.is_none() && own(*territory));
        if instead.is_some() || pointed.is_none() {
            source.set(instead.filter(|territory| *territory != from));
        }
        pointed.filter(|_| instead.is_none()).map(|to| Step { from, to })
    }

    /// Outcome of a move, beside its target.
    fn outcome(&self, from: u8, to: u8) {
        let (Some(at), Some(words)) = (self.atlas.at(to), outcome(self.scene, from, to)) else { return };
        let away = self.atlas.radius * 1.6;
        hint::paint(&self.painter, self.palette, (at, away), self.atlas.map, (words, self.palette.accent));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Game, Micros, Scene as AnyScene};

    #[test]
    fn a_move_tells_what_it_leads_to() {
        let lines = [
            "map 10 60 Small",
            "territory 0 100 100 North",
            "territory 1 500 500 Middle",
            "territory 2 900 900 South",
            "territory 3 900 100 East",
            "set 0 maxie 4",
            "set 1 minnie 5",
            "set 2 minnie 4",
        ];
        let mut scene = AnyScene::new(Game::Riskless);
        for (seq, line) in (1..).zip(lines) {
            scene.apply(seq, Micros(0), &Command::parse(Game::Riskless, line.as_bytes()));
        }
        let AnyScene::Riskless(scene) = scene else { panic!("a map") };
        let told = |from, to| outcome(&scene, from, to).expect("a move");
        assert_eq!(told(0, 1), "4 attack 5: lost, 1 left there");
        assert_eq!(told(0, 2), "4 attack 4: won, 0 left");
        assert_eq!(told(1, 0), "5 attack 4: won, 1 left");
        assert_eq!(told(1, 2), "5 join 4");
        assert_eq!(told(0, 3), "4 take it");
        assert_eq!(outcome(&scene, 3, 0), None);
    }
}
