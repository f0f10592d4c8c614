//! Bodies of the fuzz targets of Gomoku and Pente.

use grandstand_protocol::{Micros, Scene};

use super::{Opening, Openings, Position, Rule, Rules};
use crate::turn::{Drawn, Position as _};

/// Any bytes as a file of openings: it is refused with at least one reason, or each of its openings begins a game.
pub fn stones_openings(data: &[u8]) {
    match Openings::parse(data) {
        Ok(openings) => {
            assert!(!openings.is_empty());
            for seed in 0..8 {
                let rules = openings.begin(&Rules::default(), seed);
                let rules = rules.expect("every opening fits on the usual board");
                assert!(Position::new(&rules).is_ok(), "{rules:?}");
            }
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            let lines = data.split(|&byte| byte == b'\n').count();
            assert!(faults.iter().all(|fault| (1..=lines).contains(&fault.line) && fault.column >= 1));
        }
    }
}

/// Any bytes as the text of a move: it is refused, or written so that it reads the same.
pub fn stones_move(data: &[u8]) {
    let position = Position::new(&Rules::default()).expect("the usual rules");
    match position.parse_move(&String::from_utf8_lossy(data)) {
        Ok(mv) => assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv)),
        Err(error) => assert!(error.to_string().len() < 300, "a reason is short"),
    }
}

/// Any bytes as rules and moves: the drawn scene matches the position, and a refused move returns the position unchanged.
pub fn stones_play(data: &[u8]) {
    let Some((&[rule, size], moves)) = data.split_first_chunk() else { return };
    let rule = Rule::ALL[usize::from(rule % 4)];
    let rules = Rules { size: 5 + u32::from(size % 6) * 2, rule, opening: Opening::Free, ..Rules::default() };
    let mut position = Position::new(&rules).expect("odd sizes are good");
    let mut scene = Scene::new(position.game());
    let draw = |scene: &mut Scene, commands: Vec<_>| {
        commands.iter().for_each(|command| scene.apply(0, Micros(0), command));
    };
    draw(&mut scene, position.draw());
    for &byte in moves {
        let edge = position.size().get();
        let index = u16::from(byte) % (edge * edge + 2);
        let Some(mv) = super::Point::new(index % edge, index / edge) else { continue };
        let is_legal = position.check(mv).is_ok();
        match position.clone().play(mv) {
            Ok(after) => {
                assert!(is_legal && position.end().is_none());
                draw(&mut scene, position.draw_move(mv, &after));
                position = after;
                assert_eq!(scene, position.scene());
            }
            Err(refused) => assert!(!is_legal && *refused.position == position),
        }
    }
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    assert_eq!(legal.is_empty(), position.end().is_some());
}
