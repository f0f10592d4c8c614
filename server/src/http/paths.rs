//! Paths of one match: its websocket, and the routes by which people play.

/// The match of `/api/matches/{id}/live`; `None` for any other path.
pub(crate) fn match_of(path: &str) -> Option<&str> {
    path.strip_prefix("/api/matches/")?.strip_suffix("/live").filter(|id| !id.contains('/'))
}

/// What a person may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeatAction {
    Seat,
    Move,
    Leave,
}

/// The match and what is asked for; `None` for any other path.
pub(super) fn seat_action(path: &str) -> Option<(&str, SeatAction)> {
    let (id, action) = path.strip_prefix("/api/matches/")?.split_once('/')?;
    let action = match action {
        "seats" => SeatAction::Seat,
        "moves" => SeatAction::Move,
        "leave" => SeatAction::Leave,
        _ => return None,
    };
    Some((id, action))
}

/// Whether a path is for `POST` only.
pub(super) fn is_for_posts(path: &str) -> bool {
    seat_action(path).is_some()
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
        assert_eq!(seat_action("/api/matches/01ABC/seats"), Some(("01ABC", SeatAction::Seat)));
        assert_eq!(seat_action("/api/matches/01ABC/moves"), Some(("01ABC", SeatAction::Move)));
        assert_eq!(seat_action("/api/matches/01ABC/leave"), Some(("01ABC", SeatAction::Leave)));
        for other in ["/api/matches/01ABC", "/api/matches/01ABC/seats/", "/api/matches/a/b/seats", "/seats"] {
            assert_eq!(seat_action(other), None, "{other}");
        }
    }
}
