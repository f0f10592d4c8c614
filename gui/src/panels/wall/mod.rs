//! Wall: many boards at once, of a server's live matches or of chosen matches and recordings.

mod caption;
mod game_name;
mod ranking;
mod roster;
mod show;
mod tile;
mod tile_frame;
mod tiling;

use grandstand_protocol::message::{MatchId, MatchState};

use roster::RosterEntry;
use tile::Tile;
pub(crate) use tile::{Framing, Painted, SharedLayout, paint_board};
pub(crate) use tile_frame::show_card_in_corner;
pub(crate) use tiling::{LINE, TILES_MAX, Text};

use crate::address::{Base, Target};
use crate::errors::SourceError;
use crate::session::{MatchView, NextFrame};
use crate::source::{self, Listing, Wake, watch_list};

/// Pause at the end of a recording before it starts again, in seconds.
const PAUSE: f64 = 6.0;
/// Least interval between updates of a wall that is not on the screen, in seconds.
const UNSEEN: f64 = 0.5;

/// Order of the boards, and whether new ones join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The server's live matches, the newest first; they come and go by themselves.
    Newest,
    /// Those most worth watching first: somebody is about to win, the score is close, the match is long.
    Worth,
    /// The viewer's own order; nothing joins or leaves.
    Hand,
}

/// A wall of boards.
#[derive(Debug)]
pub(crate) struct Wall {
    pub order: Order,
    /// The list from which the wall was opened, or the one that its boards are in.
    pub list: Option<Target>,
    server: Option<(Base, Listing)>,
    /// The event whose matches alone join: a tournament.
    event: Option<String>,
    /// Whether the viewer can't move boards and take them off.
    is_fixed: bool,
    /// The server's live matches as last listed, and the last error.
    live: Option<Vec<MatchId>>,
    trouble: Option<SourceError>,
    tiles: Vec<Tile>,
    /// Number of tiles made so far, for their `number`.
    numbers: u64,
    /// When the boards were put in the order of their interest last, in seconds of the interface's time.
    ranked: Option<f64>,
    /// Rotation: one board after the other is shown alone.
    in_turn: bool,
    /// Whether the recordings are paused; live matches never are.
    paused: bool,
    /// Index of the tile with the focus, or else under the pointer.
    current: Option<usize>,
    /// What the button of a tile under the pointer does, for the bar on top.
    pointed: Option<&'static str>,
    /// The board that was taken off last.
    removed: Option<Removed>,
    /// Number of the tile that gets the focus.
    leads_to: Option<u64>,
    /// Number of the tile that a finger holds.
    held: Option<u64>,
}

/// A board that was taken off, with its place and the order of the boards before.
#[derive(Debug)]
struct Removed {
    index: usize,
    tile: Tile,
    order: Order,
}

/// A request of the viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WallRequest {
    /// Show this tile's match alone.
    Enlarge(usize),
    /// Show the list of matches.
    List,
    /// Say that a board was taken off, and how it comes back.
    TellRemoved,
}

/// A change to the tiles.
enum TileAction {
    Move {
        from: usize,
        to: usize,
    },
    Pin(usize),
    /// `focus`: the tile had the focus, which goes to the next one.
    Remove {
        index: usize,
        focus: bool,
    },
}

impl Wall {
    /// Target that opens the same wall again: the server whose matches come and go, and the boards that stay.
    pub(crate) fn target(&self) -> Target {
        let server = self.server.as_ref().filter(|_| self.order != Order::Hand);
        let stays = |tile: &&Tile| server.is_none() || tile.pinned;
        let chosen = self.tiles.iter().filter(stays).map(|tile| tile.session.target.clone());
        let server = server.map(|(base, _)| Target::Server(base.clone()));
        Target::Wall(server.into_iter().chain(chosen).collect())
    }

    /// A wall of these targets. The first server adds its live matches; the tiles of other targets are pinned in front of them.
    pub(crate) fn new(targets: &[Target], wake: &Wake) -> Wall {
        let mut servers = targets.iter().filter_map(|target| match target {
            Target::Server(base) => Some(base.clone()),
            _ => None,
        });
        let server = servers.next().map(|base| (base.clone(), watch_list(base, wake.clone())));
        let joins = server.is_some();
        let order = if joins { Order::Newest } else { Order::Hand };
        let chosen = targets.iter().filter_map(|target| preview(target, wake));
        let tiles =
            (0..).zip(chosen.take(TILES_MAX)).map(|(number, session)| Tile::new(number, session, joins));
        let tiles: Vec<Tile> = tiles.collect();
        Wall {
            order,
            list: list_of(targets),
            server,
            event: None,
            is_fixed: false,
            live: None,
            trouble: None,
            numbers: tiles.len() as u64,
            tiles,
            ranked: None,
            in_turn: false,
            paused: false,
            current: None,
            pointed: None,
            removed: None,
            leads_to: None,
            held: None,
        }
    }

    /// A wall of the live games of a tournament.
    pub(crate) fn of_event(base: Base, event: &str, wake: &Wake) -> Wall {
        Wall { event: Some(event.to_owned()), ..Wall::fixed(&[Target::Server(base)], wake) }
    }

    /// A wall whose boards the viewer can't move and take off.
    pub(crate) fn fixed(targets: &[Target], wake: &Wake) -> Wall {
        Wall { is_fixed: true, ..Wall::new(targets, wake) }
    }

    /// Whether the server has told its matches, or could not.
    pub(crate) fn is_listed(&self) -> bool {
        self.live.is_some() || self.trouble.is_some()
    }

    /// Calls the matches in their captions as `name` says, in full and shorter: all of them if it says something `fresh`.
    pub(crate) fn call(&mut self, fresh: bool, name: impl Fn(&MatchView) -> Option<[String; 2]>) {
        for tile in self.tiles.iter_mut().filter(|tile| fresh || tile.called.is_none()) {
            tile.called = name(&tile.session);
        }
    }

    /// Finds what tells tiles with the same captions from each other.
    fn tell_apart(&mut self) {
        let known: Vec<_> =
            self.tiles.iter().map(|tile| (tile.captions(), tile.session.target.stem())).collect();
        for (tile, (captions, name)) in self.tiles.iter_mut().zip(&known) {
            // A name that both have tells nothing.
            let has_twin = known.iter().any(|(others, other)| others == captions && other != name);
            tile.apart = has_twin.then(|| name.clone());
        }
    }

    /// Adds newer recordings, `newest` with the newest first. Each gets a free place, or else that of a recording that
    /// was played to its end.
    pub(crate) fn bring(&mut self, newest: Vec<Target>, wake: &Wake) {
        let is_recording = |tile: &Tile| matches!(tile.session.target, Target::Recording { .. });
        let most = newest.len();
        for target in newest {
            if self.tiles.iter().any(|tile| tile.session.target == target) {
                continue;
            }
            let recordings = self.tiles.iter().filter(|tile| is_recording(tile)).count();
            let full =
                recordings >= most || self.tiles.iter().filter(|tile| tile.pinned).count() >= TILES_MAX;
            let ended = |tile: &Tile| is_recording(tile) && tile.over.is_some();
            let place = match (full, self.tiles.iter().position(ended)) {
                (true, None) => return,
                (true, Some(ended)) => {
                    self.tiles.remove(ended);
                    ended
                }
                (false, _) => self.tiles.iter().take_while(|tile| is_recording(tile)).count(),
            };
            let Some(session) = preview(&target, wake) else { continue };
            self.numbers += 1;
            self.tiles.insert(place, Tile::new(self.numbers, session, true));
        }
    }

    /// Number of boards.
    pub(crate) fn len(&self) -> usize {
        self.tiles.len()
    }

    /// The wall as the value of `wall=` in an address: empty for all live matches, `None` if no address can name it.
    pub(crate) fn ids(&self) -> Option<String> {
        if self.order != Order::Hand && self.server.is_some() {
            return Some(String::new());
        }
        let ids = self.tiles.iter().map(|tile| match &tile.session.target {
            Target::Match { id, .. } => Some(id.as_str()),
            _ => None,
        });
        Some(ids.collect::<Option<Vec<_>>>()?.join(",")).filter(|ids| !ids.is_empty())
    }

    /// Asks for the list at once, and reconnects the tiles without a connection.
    pub(crate) fn refresh(&self) {
        if let Some((_, listing)) = &self.server {
            listing.refresh();
        }
        self.tiles.iter().for_each(|tile| tile.session.reconnect_now());
    }

    /// Sets spoiler mode for all tiles.
    pub(crate) fn set_spoiler_free(&mut self, on: bool) {
        self.tiles.iter_mut().for_each(|tile| tile.session.set_spoiler_free(on));
    }

    /// The match of a tile.
    pub(crate) fn session(&self, index: usize) -> Option<&MatchView> {
        self.tiles.get(index).map(|tile| &tile.session)
    }

    /// Whether a board shows a recording.
    pub(crate) fn has_recordings(&self) -> bool {
        self.tiles.iter().any(Tile::is_recording)
    }

    /// Pauses the recordings, or plays them on.
    pub(crate) fn play_or_pause(&mut self) {
        self.paused = !self.paused;
        let recordings = self.tiles.iter_mut().filter(|tile| tile.is_recording());
        recordings.for_each(|tile| tile.session.pause(self.paused));
    }

    /// Takes what has arrived, and returns when the next frame is needed. `now` is egui's time in seconds.
    pub(crate) fn update(&mut self, now: f64, seen: bool, wake: &Wake) -> NextFrame {
        self.take_list();
        let mut next = NextFrame::Idle;
        for tile in &mut self.tiles {
            if seen
                && tile.session.has_left()
                && let Some(feed) = source::preview(&tile.session.target, wake.clone())
            {
                tile.session.join(feed);
            }
            next = next.sooner(tile.session.update(now));
            if !tile.session.is_over() {
                continue;
            }
            // A complete recording counts as over once it was played to its end.
            let live = !tile.is_recording();
            if !live && (self.paused || !tile.session.is_at_end()) && !tile.session.is_failed() {
                tile.over = None;
                continue;
            }
            let since = *tile.over.get_or_insert(now);
            if !live && !tile.session.is_failed() {
                if now - since > PAUSE {
                    tile.over = None;
                    tile.session.play_again();
                }
                next = next.sooner(NextFrame::After(0.5));
            }
        }
        if self.order != Order::Hand {
            // What is live comes back by itself.
            self.removed = None;
            self.fill(now, wake);
        }
        if self.order == Order::Worth {
            next = next.sooner(self.rank(now));
        }
        if seen { next } else { next.later_than(UNSEEN) }
    }

    /// Leaves the match of a tile that is to be shown alone, until the wall is seen again: who watches it is counted once. Then
    /// the tile has the focus.
    fn leave(&mut self, index: usize) {
        let Some(tile) = self.tiles.get(index) else { return };
        self.leads_to = Some(tile.number);
        let target = tile.session.target.clone();
        let same = self.tiles.iter_mut().filter(|tile| tile.session.target == target);
        same.for_each(|tile| tile.session.leave());
    }

    fn take_list(&mut self) {
        let Some((_, listing)) = &self.server else { return };
        for answer in listing.updates.try_iter() {
            match answer {
                Ok(matches) => {
                    let event = self.event.as_deref();
                    let is_of_it = |of: Option<&str>| event.is_none() || of == event;
                    let live = matches.into_iter().filter(|summary| {
                        summary.state == MatchState::Live && is_of_it(summary.event.as_deref())
                    });
                    (self.live, self.trouble) = (Some(live.map(|summary| summary.id).collect()), None);
                }
                Err(trouble) => self.trouble = Some(trouble),
            }
        }
    }

    /// Adds new live matches and removes finished ones.
    fn fill(&mut self, now: f64, wake: &Wake) {
        let (Some((base, _)), Some(live)) = (&self.server, &self.live) else { return };
        let id = |tile: &Tile| match &tile.session.target {
            Target::Match { id, .. } => Some(id.clone()),
            _ => None,
        };
        let places = self
            .tiles
            .iter()
            .filter_map(|tile| Some(RosterEntry { id: id(tile)?, pinned: tile.pinned, over: tile.over }));
        let others = self.tiles.iter().filter(|tile| id(tile).is_none()).count();
        let room = TILES_MAX.saturating_sub(others);
        let wanted = roster::next(&places.collect::<Vec<_>>(), live, now, room);
        let stays = match self.order {
            // The order is that of the interest.
            Order::Worth => ranking::same(self.tiles.iter().filter_map(id), &wanted),
            _ => self.tiles.iter().filter_map(id).eq(wanted.iter().cloned()),
        };
        if stays {
            return;
        }
        self.ranked = None;
        let mut before: Vec<Tile> = std::mem::take(&mut self.tiles);
        // Recordings stand before the matches that come and go.
        self.tiles.extend(before.extract_if(.., |tile| id(tile).is_none()));
        for wanted in wanted {
            let kept = before.iter().position(|tile| id(tile).as_ref() == Some(&wanted));
            self.tiles.push(match kept {
                Some(index) => before.swap_remove(index),
                None => {
                    let target = Target::of_match(base.clone(), wanted);
                    let Some(session) = preview(&target, wake) else { continue };
                    self.numbers += 1;
                    Tile::new(self.numbers, session, false)
                }
            });
        }
    }

    /// Whether a tile can be moved by keyboard: one has the focus or the pointer.
    pub(crate) fn can_shift(&self) -> bool {
        !self.is_fixed && self.current.is_some() && self.tiles.len() > 1
    }

    /// Moves that tile one place forward or back; returns its new place in words.
    pub(crate) fn shift(&mut self, forward: bool) -> Option<String> {
        let from = self.current.filter(|index| *index < self.tiles.len())?;
        let to = if forward { from.checked_sub(1)? } else { from + 1 };
        if to >= self.tiles.len() {
            return None;
        }
        self.apply(&TileAction::Move { from, to });
        self.current = Some(to);
        Some(format!("Place {} of {}", to + 1, self.tiles.len()))
    }

    fn apply(&mut self, action: &TileAction) {
        match *action {
            TileAction::Move { from, to } if from != to => {
                let tile = self.tiles.remove(from);
                self.tiles.insert(to, tile);
                self.order = Order::Hand;
            }
            TileAction::Move { .. } => {}
            TileAction::Pin(index) => {
                let mut tile = self.tiles.remove(index);
                tile.pinned = !tile.pinned;
                let to = self.tiles.iter().filter(|tile| tile.pinned).count();
                self.tiles.insert(to, tile);
            }
            TileAction::Remove { index, focus } => {
                let mut tile = self.tiles.remove(index);
                // Nobody watches it here.
                tile.session.leave();
                let next = self.tiles.get(index).or(self.tiles.last()).filter(|_| focus);
                self.leads_to = next.map(|tile| tile.number);
                self.removed = Some(Removed { index, tile, order: self.order });
                self.order = Order::Hand;
            }
        }
    }

    /// Whether a tile can be taken off by keyboard: one has the focus or the pointer.
    pub(crate) fn can_remove(&self) -> bool {
        !self.is_fixed && self.current.is_some_and(|index| index < self.tiles.len())
    }

    /// Takes that tile off.
    pub(crate) fn remove(&mut self) {
        if let Some(index) = self.current.take().filter(|index| *index < self.tiles.len()) {
            self.apply(&TileAction::Remove { index, focus: true });
        }
    }

    /// Whether a board was taken off that can come back.
    pub(crate) fn can_restore(&self) -> bool {
        self.removed.is_some() && self.tiles.len() < TILES_MAX
    }

    /// Puts the board back that was taken off last.
    pub(crate) fn restore(&mut self) {
        let Some(Removed { index, tile, order }) = self.removed.take() else { return };
        self.leads_to = Some(tile.number);
        self.tiles.insert(index.min(self.tiles.len()), tile);
        self.order = order;
    }
}

/// The list that has these boards: a server's, or the folder of a file.
fn list_of(targets: &[Target]) -> Option<Target> {
    targets.iter().find_map(|target| match target {
        Target::Server(base) | Target::Match { base, .. } => Some(Target::Server(base.clone())),
        Target::File(path) => path.parent().map(|folder| match folder.as_os_str().is_empty() {
            true => Target::Folder(".".into()),
            false => Target::Folder(folder.to_owned()),
        }),
        _ => None,
    })
}

/// A preview of a match, for a tile.
fn preview(target: &Target, wake: &Wake) -> Option<MatchView> {
    Some(MatchView::preview(target.clone(), source::preview(target, wake.clone())?))
}
