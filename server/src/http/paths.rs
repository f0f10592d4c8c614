//! Paths of one match: its websocket, and the routes for players.

use grandstand_protocol::SeatPath;

/// The match of `/api/matches/{id}/live`; `None` for any other path.
pub(crate) fn match_of(path: &str) -> Option<&str> {
    path.strip_prefix("/api/matches/")?.strip_suffix("/live").filter(|id| !id.contains('/'))
}

/// The match and the kind of request of a player's path; `None` for any other path.
pub(super) fn seat_path(path: &str) -> Option<(&str, SeatPath)> {
    let (id, rest) = path.strip_prefix("/api/matches/")?.split_once('/')?;
    Some((id, SeatPath::named(rest)?))
}

/// Whether a path accepts only `POST`.
pub(super) fn is_for_posts(path: &str) -> bool {
    seat_path(path).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_live_path_of_one_match() {
        assert_eq!(match_of("/api/matches/01ABC/live"), Some("01ABC"));
        for other in ["/api/matches/live", "/api/matches/a/b/live", "/api/matches/a/live/", "/", ""] {
            assert_eq!(match_of(other).filter(|id| !id.is_empty()), None, "{other}");
        }
    }

    #[test]
    fn the_paths_of_playing() {
        assert_eq!(seat_path("/api/matches/01ABC/seats"), Some(("01ABC", SeatPath::Seats)));
        assert_eq!(seat_path("/api/matches/01ABC/moves"), Some(("01ABC", SeatPath::Moves)));
        assert_eq!(seat_path("/api/matches/01ABC/leave"), Some(("01ABC", SeatPath::Leave)));
        for other in ["/api/matches/01ABC", "/api/matches/01ABC/seats/", "/api/matches/a/b/seats", "/seats"] {
            assert_eq!(seat_path(other), None, "{other}");
        }
    }
}
