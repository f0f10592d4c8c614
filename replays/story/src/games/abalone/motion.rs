//! Motion between two positions of an Abalone board.
//!
//! The commands of a turn only set hexes, so the motion follows from the changes. A chain of equal pieces that moved by
//! one hex differs from the chain before only at its two ends. If several readings are possible, the former facings of
//! the pieces decide, since they show the committed moves. If chains move into hexes that others left, the commands are
//! read in parts, each of which is a complete move.

use grandstand_protocol::Micros;
use grandstand_protocol::abalone::{Command, Facing, Hex, Piece, Scene, Team};

/// Motion of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Motion {
    /// Moved by one hex, or by more after several pushes.
    Step {
        /// Piece that moved.
        piece: Piece,
        /// Start.
        from: Hex,
        /// End.
        to: Hex,
    },
    /// Pushed over the edge.
    PushedOff {
        /// Pushed piece.
        piece: Piece,
        /// Start.
        from: Hex,
        /// Last hex on the board.
        last: Hex,
        /// Direction of the push.
        direction: Facing,
    },
    /// Removed without a push.
    Vanished {
        /// Removed piece.
        piece: Piece,
        /// Its hex.
        from: Hex,
    },
    /// Put on the board.
    Appeared {
        /// New piece.
        piece: Piece,
        /// Its hex.
        at: Hex,
    },
}

impl Motion {
    /// Whether the motion ends on this hex.
    pub fn leads_to(&self, hex: Hex) -> bool {
        match *self {
            Motion::Step { to, .. } => to == hex,
            Motion::Appeared { at, .. } => at == hex,
            Motion::PushedOff { .. } | Motion::Vanished { .. } => false,
        }
    }
}

/// All motions of the commands after `before`.
pub fn while_drawing<'a>(before: &Scene, commands: impl IntoIterator<Item = &'a Command>) -> Vec<Motion> {
    let (mut start, mut scene) = (before.clone(), before.clone());
    let mut motions = Vec::new();
    let mut changed = false;
    for command in commands {
        let Command::Set { hex, piece } = command else { continue };
        let moved = scene.get(*hex).map(|p| p.team) != piece.map(|p| p.team);
        scene.apply(0, Micros(0), command);
        changed |= moved;
        if changed && moved {
            let part = between(&start, &scene);
            let explained = |m: &Motion| matches!(m, Motion::Step { .. } | Motion::PushedOff { .. });
            if !part.is_empty() && part.iter().all(explained) {
                join(&mut motions, part);
                start = scene.clone();
                changed = false;
            }
        }
    }
    join(&mut motions, between(&start, &scene));
    motions
}

/// Appends later motions. A piece that moves on keeps its first start.
fn join(motions: &mut Vec<Motion>, later: Vec<Motion>) {
    let earlier = motions.len();
    for mut motion in later {
        let (Motion::Step { piece, from: start, .. }
        | Motion::PushedOff { piece, from: start, .. }
        | Motion::Vanished { piece, from: start }) = &mut motion
        else {
            motions.push(motion);
            continue;
        };
        let same = |m: &Motion| matches!(m, Motion::Step { piece: p, to, .. } if to == start && p.team == piece.team);
        if let Some(index) = motions[..earlier].iter().position(same)
            && let Motion::Step { piece: first, from, .. } = motions[index]
        {
            (*piece, *start) = (first, from);
            motions[index] = motion;
        } else {
            motions.push(motion);
        }
    }
}

/// All motions from `before` to `after`. A turn on the spot is no motion.
pub fn between(before: &Scene, after: &Scene) -> Vec<Motion> {
    let mut search = Search { before, after, motions: Vec::new(), left: Vec::new(), arrived: Vec::new() };
    for hex in Hex::all() {
        let (was, is) = (before.get(hex), after.get(hex));
        if was.map(|p| p.team) == is.map(|p| p.team) {
            continue;
        }
        search.left.extend(was.map(|piece| (hex, piece)));
        search.arrived.extend(is.map(|piece| (hex, piece)));
    }
    search.committed_moves();
    search.pushes_over_the_edge();
    search.other_moves();
    search.remainder();
    search.motions
}

/// End of a chain of equal pieces.
enum Chain {
    /// A hex on which a piece of the team arrived; with the chain's length.
    Arrives(usize),
    /// The edge of the board; with the chain's length.
    Edge(usize),
    /// Anything else.
    Stands,
}

struct Search<'a> {
    before: &'a Scene,
    after: &'a Scene,
    motions: Vec<Motion>,
    /// Hexes that lost or gained a piece of a team and are not explained yet.
    left: Vec<(Hex, Piece)>,
    arrived: Vec<(Hex, Piece)>,
}

impl Search<'_> {
    /// Chains that moved in the facing of their last piece.
    fn committed_moves(&mut self) {
        for (hex, piece) in self.left.clone() {
            if piece.facing != Facing::None
                && let Chain::Arrives(length) = self.chain(hex, piece.team, piece.facing)
            {
                self.take(hex, piece.facing, length, false);
            }
        }
    }

    /// Chains whose first piece another team's piece pushed over the edge.
    fn pushes_over_the_edge(&mut self) {
        for (hex, piece) in self.left.clone() {
            let pusher = self.motions.iter().find_map(|motion| match *motion {
                Motion::Step { piece: mover, from, to } if to == hex && mover.team != piece.team => {
                    Facing::DIRECTIONS.into_iter().find(|d| from.neighbour(*d) == Some(to))
                }
                _ => None,
            });
            if let Some(direction) = pusher
                && let Chain::Edge(length) = self.chain(hex, piece.team, direction)
            {
                self.take(hex, direction, length, true);
            }
        }
    }

    /// Chains that moved in another direction than their facing: pushed ones, and those of servers without facings.
    fn other_moves(&mut self) {
        let mut edge = false;
        for (hex, piece) in self.left.clone() {
            let ways = Facing::DIRECTIONS.into_iter().filter_map(|d| match self.chain(hex, piece.team, d) {
                Chain::Arrives(length) => Some((length, d)),
                _ => None,
            });
            if let Some((length, direction)) = ways.min_by_key(|(length, _)| *length) {
                self.take(hex, direction, length, false);
                edge = true;
            }
        }
        if edge {
            // These moves explain further pushes.
            self.pushes_over_the_edge();
        }
    }

    fn remainder(&mut self) {
        let vanished = self.left.drain(..).map(|(from, piece)| Motion::Vanished { piece, from });
        self.motions.extend(vanished);
        let appeared = self.arrived.drain(..).map(|(at, piece)| Motion::Appeared { piece, at });
        self.motions.extend(appeared);
    }

    /// Follows the team's pieces that stand before and after, from `start`.
    fn chain(&self, start: Hex, team: Team, direction: Facing) -> Chain {
        if !self.left.iter().any(|(hex, _)| *hex == start) {
            return Chain::Stands;
        }
        let is_team = |scene: &Scene, hex| scene.get(hex).is_some_and(|piece| piece.team == team);
        let mut hex = start;
        for length in 1.. {
            let Some(next) = hex.neighbour(direction) else { return Chain::Edge(length) };
            if self.arrived.iter().any(|(h, p)| *h == next && p.team == team) {
                return Chain::Arrives(length);
            }
            if !(is_team(self.before, next) && is_team(self.after, next)) {
                break;
            }
            hex = next;
        }
        Chain::Stands
    }

    /// Adds the steps of a chain, and removes its ends from the unexplained hexes.
    fn take(&mut self, start: Hex, direction: Facing, length: usize, over_the_edge: bool) {
        let mut hex = start;
        self.left.retain(|(h, _)| *h != start);
        for n in 1..=length {
            let Some(piece) = self.before.get(hex) else { return };
            match hex.neighbour(direction) {
                Some(to) => {
                    self.motions.push(Motion::Step { piece, from: hex, to });
                    if n == length && !over_the_edge {
                        self.arrived.retain(|(h, p)| !(*h == to && p.team == piece.team));
                    }
                    hex = to;
                }
                None => self.motions.push(Motion::PushedOff { piece, from: hex, last: hex, direction }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command as AnyCommand, Game};

    fn parse(line: &str) -> Command {
        match AnyCommand::parse(Game::Abalone, line.as_bytes()) {
            AnyCommand::Abalone(command) => command,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn scene(lines: &str) -> Scene {
        let mut scene = Scene::default();
        lines.split(", ").for_each(|line| scene.apply(1, Micros(0), &parse(line)));
        scene
    }

    fn moved(before: &str, lines: &str) -> Vec<String> {
        let before = scene(before);
        let commands: Vec<Command> = lines.split(", ").map(parse).collect();
        let mut words: Vec<String> = while_drawing(&before, &commands)
            .into_iter()
            .map(|motion| match motion {
                Motion::Step { piece, from, to } => format!("{} {from}-{to}", piece.team),
                Motion::PushedOff { piece, from, last, direction } => {
                    format!("{} {from}-{last} off {direction:?}", piece.team)
                }
                Motion::Vanished { piece, from } => format!("{} {from} gone", piece.team),
                Motion::Appeared { piece, at } => format!("{} {at} new", piece.team),
            })
            .collect();
        words.sort();
        words
    }

    #[test]
    fn one_piece_steps_to_the_hex_beside_it() {
        assert_eq!(moved("set E0 b1", "set E0 e, set E1 b0"), ["black E0-E1"]);
        assert_eq!(moved("set E0 b0", "set F1 b0, set E0 e"), ["black E0-F1"]);
    }

    #[test]
    fn turning_on_the_spot_moves_nothing() {
        assert_eq!(moved("set E0 b1", "set E0 b4"), Vec::<String>::new());
    }

    #[test]
    fn all_pieces_of_a_chain_step_though_only_its_ends_differ() {
        let before = "set E0 b1, set E1 b1, set E2 b1";
        let steps = ["black E0-E1", "black E1-E2", "black E2-E3"];
        assert_eq!(moved(before, "set E0 e, set E3 b0, set E1 b0, set E2 b0"), steps);
    }

    #[test]
    fn a_pushed_chain_moves_with_its_pusher() {
        let before = "set E~2 b1, set E~1 b1, set E0 b1, set E1 w4, set E2 w4";
        let after = "set E~2 e, set E~1 b0, set E0 b0, set E1 b0, set E2 w4, set E3 w4";
        let steps = ["black E0-E1", "black E~1-E0", "black E~2-E~1", "white E1-E2", "white E2-E3"];
        assert_eq!(moved(before, after), steps);
    }

    #[test]
    fn a_push_over_the_edge_shows_who_left_and_which_way() {
        let before = "set E1 b1, set E2 b1, set E3 b1, set E4 w0";
        let after = "set E1 e, set E4 b0";
        let steps = ["black E1-E2", "black E2-E3", "black E3-E4", "white E4-E4 off Right"];
        assert_eq!(moved(before, after), steps);
        let before = "set E0 b1, set E1 b1, set E2 b1, set E3 w0, set E4 w5";
        let steps = ["black E0-E1", "black E1-E2", "black E2-E3", "white E3-E4", "white E4-E4 off Right"];
        assert_eq!(moved(before, "set E0 e, set E3 b0, set E4 w5"), steps);
    }

    #[test]
    fn servers_that_draw_no_facings_are_understood_too() {
        let before = "set E2 b0, set E3 b0, set E4 w0";
        assert_eq!(
            moved(before, "set E2 e, set E4 b0"),
            ["black E2-E3", "black E3-E4", "white E4-E4 off Right"]
        );
    }

    #[test]
    fn what_no_move_explains_appears_or_vanishes() {
        assert_eq!(moved("set E0 b0", "set E0 e"), ["black E0 gone"]);
        assert_eq!(moved("set E0 b0", "set A0 w0"), ["white A0 new"]);
        assert_eq!(moved("set E0 b0", "set E0 e, set I4 b0"), ["black E0 gone", "black I4 new"]);
    }

    #[test]
    fn chains_that_follow_each_other_are_told_apart() {
        // Two pieces move right, and a third moves into the hex that they left.
        let before = "set E0 b1, set E1 b1, set D~1 b2";
        let after = "set E2 b0, set E1 b0, set E0 e, set E0 b0, set D~1 e";
        assert_eq!(moved(before, after), ["black D~1-E0", "black E0-E1", "black E1-E2"]);
    }

    #[test]
    fn a_piece_that_is_pushed_twice_goes_all_the_way() {
        let before = "set E0 b1, set E1 b1, set E2 w0, set D2 b2, set C1 b2";
        let push_right = "set E3 w0, set E2 b0, set E1 b0, set E0 e";
        let push_up = "set F4 w0, set E3 b0, set D2 b0, set C1 e";
        let steps = ["black C1-D2", "black D2-E3", "black E0-E1", "black E1-E2", "white E2-F4"];
        assert_eq!(moved(before, &format!("{push_right}, {push_up}")), steps);
    }

    #[test]
    fn the_committed_facing_decides_between_two_ways() {
        // Two pieces step right at once. Without facings, each of them might have moved up.
        let before = "set D0 b2, set D1 b2";
        assert_eq!(moved(before, "set D0 e, set D1 e, set E1 b0, set E2 b0"), ["black D0-E1", "black D1-E2"]);
    }
}
