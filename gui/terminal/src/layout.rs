//! The layout of the screen.

use crate::games::{Size, TextBoard};
use crate::look::Look;

/// A part of the screen, in columns and lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Area {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

/// The parts of the screen of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The players, the score and the progress: two lines, or one.
    pub header: Area,
    pub board: Area,
    /// The list of events: beside the board or below it, where there is room.
    pub moments: Option<Area>,
    /// The timeline and the keys: two lines, one, or none.
    pub footer: Area,
}

/// The minimum width of the list of events beside the board, in columns.
const BESIDE: i32 = 24;
/// The maximum width of the list of events beside the board, in columns.
const BESIDE_MAX: i32 = 64;
/// The minimum height of the list of events below the board, in lines.
const BELOW: i32 = 3;
/// The screen height, in lines, below which header and footer are one line each.
const LOW: i32 = 12;
/// The screen height, in lines, below which only the board is shown.
const LOWEST: i32 = 5;

/// The parts of a screen of this size around a board.
pub(crate) fn arrange(screen: Size, board: &dyn TextBoard, look: Look) -> Layout {
    let rows = match screen.height {
        ..LOWEST => 0,
        LOWEST..LOW => 1,
        _ => 2,
    };
    let (width, height) = (screen.width, screen.height - 2 * rows);
    let header = Area { x: 0, y: 0, width, height: rows };
    let footer = Area { x: 0, y: screen.height - rows, width, height: rows };
    let size = |width: i32, height: i32| board.size(Size { width, height }, look);
    let covers = |size: Size| size.width * size.height;
    // One column stays free between the board and the list beside it.
    let beside = size(width - BESIDE - 1, height);
    let below = size(width, height - BELOW);
    let crowded = width < 2 * BESIDE || height < 3 * BELOW;
    let (board, moments) = if crowded {
        (size(width, height), None)
    } else if covers(beside) >= covers(below) {
        let x = beside.width + 1;
        let moments = Area { x, y: rows, width: (width - x).min(BESIDE_MAX), height };
        (beside, Some(moments))
    } else {
        let y = rows + below.height;
        (below, Some(Area { x: 0, y, width, height: height - below.height }))
    };
    let is_beside = moments.is_some_and(|moments| moments.x > 0);
    // Beside the list of events, the board is centred in the remaining space.
    let free = width - board.width - moments.filter(|_| is_beside).map_or(0, |moments| moments.width + 1);
    let x = (free / 2).max(0);
    let y = if is_beside || moments.is_none() { rows + ((height - board.height) / 2).max(0) } else { rows };
    let moments = moments.map(|area| if is_beside { Area { x: x + board.width + 1, ..area } } else { area });
    Layout { header, board: Area { x, y, width: board.width, height: board.height }, moments, footer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::board;
    use crate::look::Depth;
    use grandstand_protocol::{Game, Scene};

    #[test]
    fn at_every_size_parts_lie_on_the_screen_and_never_overlap() {
        for game in Game::ALL {
            let scene = Scene::new(game);
            for width in 1..140 {
                for height in 1..60 {
                    let look = Look { unicode: true, depth: Depth::True };
                    let layout = arrange(Size { width, height }, board(&scene), look);
                    let mut parts = vec![layout.header, layout.board, layout.footer];
                    parts.extend(layout.moments);
                    for (index, part) in parts.iter().enumerate() {
                        let place = format!("{game} {width}x{height} {layout:?}");
                        assert!(part.x >= 0 && part.x + part.width <= width, "{place}");
                        assert!(part.y >= 0 && part.y + part.height <= height, "{place}");
                        for other in &parts[..index] {
                            let apart = part.x + part.width <= other.x
                                || other.x + other.width <= part.x
                                || part.y + part.height <= other.y
                                || other.y + other.height <= part.y;
                            assert!(apart, "{place}");
                        }
                    }
                }
            }
        }
    }
}
