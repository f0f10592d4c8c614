//! Playable maps: the handout's section 3.1, and warnings about unfair maps.

use grandstand_protocol::shark::{Ground, HEIGHT, Heading, Map, Team, Tile, WIDTH};

use crate::map::{MAP_MAX_BYTES, MapFaults};

const ROWS_OF_MAP: &str = "16 lines of 32 characters";

/// A playable map: at least one spawn point and one stand for each team, and both flags within reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayableMap {
    map: Map,
    stands: [Tile; 2],
    spawns: [Vec<Tile>; 2],
    drops: Vec<Tile>,
}

impl PlayableMap {
    /// Reads a map file: sixteen lines of 32 letters. Lines end with a line feed; a carriage return before it and empty lines
    /// at the end are ignored.
    ///
    /// # Errors
    /// All faults of the map. If the text is not a board, it is not checked whether the map is playable.
    pub fn parse(text: &[u8]) -> Result<Self, MapFaults> {
        Self::new(&read(text)?)
    }

    /// The field of a map.
    ///
    /// # Errors
    /// All faults that make the map unplayable.
    pub fn new(map: &Map) -> Result<Self, MapFaults> {
        let mut faults = MapFaults::default();
        count(map, &mut faults);
        if faults.is_empty() {
            Team::ALL.iter().for_each(|&team| reach_flags(map, team, &mut faults));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let all = |ground| places(map, ground).collect::<Vec<_>>();
        let stand = |team| places(map, Ground::Stand(team)).next();
        let [Some(red), Some(blue)] = Team::ALL.map(stand) else { return Err(faults) };
        Ok(Self {
            map: map.clone(),
            stands: [red, blue],
            spawns: Team::ALL.map(|team| all(Ground::Spawn(team))),
            drops: all(Ground::Drop),
        })
    }

    /// Warnings about a playable map: unreachable tiles, bottlenecks, no powerups, asymmetric
    /// sides.
    pub fn warnings(&self) -> MapFaults {
        let mut odd = MapFaults::default();
        pockets(&self.map, &mut odd);
        bottlenecks(&self.map, &mut odd);
        if self.drops.is_empty() {
            let (line, column) = (usize::from(HEIGHT), usize::from(WIDTH));
            odd.push(line, column, "no powerup drop `i`: no spawn credits beyond the first ones");
        }
        asymmetry(&self.map, &mut odd);
        odd
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The tile of the team's flag stand.
    pub fn stand(&self, team: Team) -> Tile {
        self.stands[team.index()]
    }

    /// The spawn points of the team, row by row; at least one.
    pub fn spawns(&self, team: Team) -> &[Tile] {
        &self.spawns[team.index()]
    }

    /// The drop points of powerups, row by row.
    pub fn drops(&self) -> &[Tile] {
        &self.drops
    }
}

/// Reads the letters of a map file.
fn read(text: &[u8]) -> Result<Map, MapFaults> {
    let mut faults = MapFaults::default();
    if text.len() > MAP_MAX_BYTES {
        faults.push(1, 1, format!("{} bytes are too many for a map; expected {ROWS_OF_MAP}", text.len()));
        return Err(faults);
    }
    let mut tiles = vec![Ground::Empty; Tile::COUNT];
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> =
        text.trim_end_matches(['\r', '\n']).split('\n').map(|line| line.trim_end_matches('\r')).collect();
    for ((line, row), number) in lines.iter().zip(tiles.chunks_exact_mut(usize::from(WIDTH))).zip(1..) {
        for ((letter, tile), column) in line.chars().zip(row).zip(1..) {
            match Ground::from_letter(letter) {
                Some(ground) => *tile = ground,
                None => {
                    let reason = format!("unknown character {letter:?}; expected one of . * r b R B i");
                    faults.push(number, column, reason);
                }
            }
        }
        let (found, expected) = (line.chars().count(), usize::from(WIDTH));
        if found != expected {
            let reason = format!("a line of {found} characters; expected {expected}");
            faults.push(number, found.min(expected) + 1, reason);
        }
    }
    if lines.len() != usize::from(HEIGHT) {
        let line = lines.len().min(usize::from(HEIGHT)) + 1;
        faults.push(line, 1, format!("a map of {} lines; expected {ROWS_OF_MAP}", lines.len()));
    }
    if faults.is_empty() { Ok(Map::new(|place| tiles[place.index()])) } else { Err(faults) }
}

fn places(map: &Map, ground: Ground) -> impl Iterator<Item = Tile> {
    Tile::all().filter(move |&place| map.get(place) == ground)
}

/// The line and the column of a tile in a map file, both from 1.
fn line_and_column(place: Tile) -> (usize, usize) {
    (usize::from(place.y()) + 1, usize::from(place.x()) + 1)
}

fn push(faults: &mut MapFaults, place: Tile, reason: String) {
    let (line, column) = line_and_column(place);
    faults.push(line, column, reason);
}

/// Checks that each team has a spawn point and exactly one stand. A missing one is reported at the end of the map.
fn count(map: &Map, faults: &mut MapFaults) {
    let (last_line, last_column) = (usize::from(HEIGHT), usize::from(WIDTH));
    for team in Team::ALL {
        let (spawn, stand) = (Ground::Spawn(team), Ground::Stand(team));
        if places(map, spawn).next().is_none() {
            let reason = format!("no spawn point of {team}; expected at least one `{}`", spawn.letter());
            faults.push(last_line, last_column, reason);
        }
        let mut stands = places(map, stand);
        let Some(first) = stands.next() else {
            let reason = format!("no flag stand of {team}; expected one `{}`", stand.letter());
            faults.push(last_line, last_column, reason);
            continue;
        };
        for place in stands {
            let (line, column) = line_and_column(first);
            let reason =
                format!("another flag stand of {team}; the first is at line {line}, column {column}");
            push(faults, place, reason);
        }
    }
}

/// Checks that a robot can go from each of the team's spawn points to the other team's flag, and home with it.
fn reach_flags(map: &Map, team: Team, faults: &mut MapFaults) {
    let near = |stand: Team| {
        let stand = places(map, Ground::Stand(stand)).next();
        let around = stand.into_iter().flat_map(|stand| Heading::ALL.map(|heading| stand.neighbour(heading)));
        reach(map, around.flatten())
    };
    let goals = [(team.opponent(), "the flag"), (team, "its own stand")]
        .map(|(stand, what)| (stand, what, near(stand)));
    for spawn in places(map, Ground::Spawn(team)) {
        if let Some((stand, what, _)) = goals.iter().find(|(.., near)| !near[spawn.index()]) {
            let letter = Ground::Stand(*stand).letter();
            push(faults, spawn, format!("{team} can't get from this spawn point to {what}, `{letter}`"));
        }
    }
}

/// Whether a robot can stand on the ground.
fn is_open(ground: Ground) -> bool {
    matches!(ground, Ground::Empty | Ground::Spawn(_) | Ground::Drop)
}

/// For each tile, whether a robot can get there from one of the open tiles of `from`.
fn reach(map: &Map, from: impl Iterator<Item = Tile>) -> Vec<bool> {
    let mut reached = vec![false; Tile::COUNT];
    let mut open: Vec<Tile> = from.collect();
    while let Some(place) = open.pop() {
        if is_open(map.get(place)) && !std::mem::replace(&mut reached[place.index()], true) {
            open.extend(Heading::ALL.iter().filter_map(|&heading| place.neighbour(heading)));
        }
    }
    reached
}

/// Reports tiles that no robot can reach.
fn pockets(map: &Map, odd: &mut MapFaults) {
    let reached = reach(map, places(map, Ground::Spawn(Team::Red)));
    for place in Tile::all().filter(|&place| is_open(map.get(place)) && !reached[place.index()]) {
        let what = if map.get(place) == Ground::Drop { "powerup drop" } else { "tile" };
        push(odd, place, format!("no robot can get to this {what}"));
    }
}

/// Reports places where a single robot can stop a team.
fn bottlenecks(map: &Map, odd: &mut MapFaults) {
    for team in Team::ALL {
        let mut spawns = places(map, Ground::Spawn(team));
        if let (Some(only), None) = (spawns.next(), spawns.next()) {
            push(
                odd,
                only,
                format!("the only spawn point of {team}: nobody appears while a robot stands on it"),
            );
        }
        for stand in places(map, Ground::Stand(team)) {
            let around = Heading::ALL.iter().filter_map(|&heading| stand.neighbour(heading));
            if around.filter(|&next| is_open(map.get(next))).count() == 1 {
                push(
                    odd,
                    stand,
                    format!("{team}'s stand has one open side: one robot keeps everybody from it"),
                );
            }
        }
    }
}

/// Reports the violations of the best symmetry: of the reflections and the half turn that map red's side to blue's, the one with
/// the fewest violations.
fn asymmetry(map: &Map, odd: &mut MapFaults) {
    let swapped = |ground| match ground {
        Ground::Spawn(team) => Ground::Spawn(team.opponent()),
        Ground::Stand(team) => Ground::Stand(team.opponent()),
        ground => ground,
    };
    let turns = [("reflection", true, false), ("reflection", false, true), ("half turn", true, true)];
    let broken = turns.map(|(name, flip_x, flip_y)| {
        let image = |place: Tile| {
            let x = if flip_x { WIDTH - 1 - place.x() } else { place.x() };
            let y = if flip_y { HEIGHT - 1 - place.y() } else { place.y() };
            Tile::new(x, y).unwrap_or(place)
        };
        let pairs = Tile::all().map(|place| (place, image(place)));
        let broken: Vec<(Tile, Tile)> =
            pairs.filter(|&(place, image)| map.get(image) != swapped(map.get(place))).collect();
        (name, broken)
    });
    let best = broken.into_iter().min_by_key(|(_, broken)| broken.len());
    if let Some((name, broken)) = best
        && let Some(&(place, image)) = broken.first()
    {
        let (line, column) = line_and_column(image);
        let [found, expected] = [map.get(image), swapped(map.get(place))].map(Ground::letter);
        let reason = format!(
            "not fair: by the {name} that fits best, line {line}, column {column} must be `{expected}`, and is `{found}`"
        );
        push(odd, place, reason);
    }
}
