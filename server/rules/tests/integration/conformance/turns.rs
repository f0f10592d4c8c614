//! Conformance of every turn game. A game joins with an implementation of [`TurnGame`], its line among the tests of
//! [`crate`] (`conforms::<Turns<Game>>()`), and a test of its own that calls [`positions_and_keys_agree`].

use grandstand_protocol::{Command, Game, Micros, Scene};
use grandstand_rules::SplitMix64;
use grandstand_rules::turn::{Drawn, Outcome, Position, Refused, Side, Thought, WhyRefused, random_move};

use super::Simulation;

/// A turn game, for [`Turns`].
pub(crate) trait TurnGame: Clone + 'static {
    type Position: Drawn;
    const GAME: Game;
    const MATCHES: u64;
    /// Number of moves after which each match is over.
    const MAX_PLIES: u64;

    /// The start of a match; the seed also selects its rules.
    fn start(seed: u64) -> Self::Position;

    /// A plausible move in a position that is not over.
    fn choose(position: &Self::Position, random: &mut SplitMix64) -> <Self::Position as Position>::Move {
        random_move(position, random).unwrap()
    }

    /// Any move that has a notation, legal or not, or one of another board.
    fn any_move(position: &Self::Position, random: &mut SplitMix64) -> <Self::Position as Position>::Move;

    /// Asserts all other invariants.
    fn check(position: &Self::Position) {
        let _ = position;
    }
}

/// A match of random players.
#[derive(Clone)]
pub(crate) struct Turns<G: TurnGame> {
    pub(crate) position: G::Position,
    drawn: Vec<(Micros, Command)>,
}

impl<G: TurnGame> Simulation for Turns<G> {
    const GAME: Game = G::GAME;
    const MATCHES: u64 = G::MATCHES;
    const MAX_STEPS: u64 = 2 * G::MAX_PLIES;

    fn start(seed: u64) -> Self {
        let position = G::start(seed);
        assert_eq!(position.game(), G::GAME);
        let drawn = position.draw().into_iter().map(|command| (Micros(0), command)).collect();
        Self { position, drawn }
    }

    fn step(&mut self, random: &mut SplitMix64) {
        if self.is_over() || random.below(4) == 0 {
            let mv = G::any_move(&self.position, random);
            if self.is_over() || self.position.check(mv).is_err() {
                refuses(&self.position, mv);
            }
            return;
        }
        let before = self.position.clone();
        let mv = G::choose(&before, random);
        self.position = before.clone().play(mv).unwrap();
        let mut advanced = before.clone();
        advanced.advance(mv);
        assert_eq!(advanced, self.position, "`advance` and `play` differ");
        let now = Micros(u64::from(self.position.ply()));
        let mut commands = before.draw_move(mv, &self.position);
        if let Some(end) = self.position.end() {
            commands.push(G::Position::over(end.outcome));
        }
        self.drawn.extend(commands.into_iter().map(|command| (now, command)));
    }

    fn drain(&mut self) -> Vec<(Micros, Command)> {
        std::mem::take(&mut self.drawn)
    }

    fn check_picture(&self, drawn: &Scene) {
        let mut projected = self.position.scene();
        if let Some(end) = self.position.end() {
            projected.apply(0, Micros(0), &G::Position::over(end.outcome));
        }
        assert_eq!(drawn, &projected);
    }

    fn check(&self) {
        let position = &self.position;
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        assert!(legal.is_sorted_by(|a, b| a < b), "legal moves are in ascending order, each once: {legal:?}");
        assert_eq!(legal.is_empty(), position.end().is_some(), "there is a move as long as the game goes on");
        for &mv in &legal {
            assert_eq!(position.check(mv), Ok(()));
            let text = position.move_text(mv);
            assert_eq!(position.parse_move(&text).unwrap(), mv, "{text}");
            assert!(!text.is_empty() && !text.contains(char::is_whitespace), "a move is one word: {text:?}");
        }
        let mut random = SplitMix64::new(position.key());
        for _ in 0..8 {
            let mv = G::any_move(position, &mut random);
            assert_eq!(position.check(mv).is_ok(), legal.binary_search(&mv).is_ok(), "{mv:?}");
        }
        let clone = position.clone();
        assert_eq!((&clone, clone.key()), (position, position.key()));
        G::check(position);
    }

    fn is_over(&self) -> bool {
        self.position.end().is_some()
    }

    fn state(&self) -> String {
        format!("{:?}", self.position)
    }
}

/// Asserts that an illegal move, and any move after the end, returns the position unchanged.
fn refuses<P: Position>(position: &P, mv: P::Move) {
    let Err(Refused { position: back, why }) = position.clone().play(mv) else {
        panic!("{mv:?} was played though it is not legal")
    };
    assert_eq!(&*back, position);
    match (why, position.end()) {
        (WhyRefused::Over(end), Some(known)) => assert_eq!(end, known),
        (WhyRefused::Illegal(why), None) => assert_eq!(position.check(mv), Err(why)),
        (why, end) => panic!("{why:?}, and the end is {end:?}"),
    }
    assert!(position.check(mv).is_err());
}

/// Asserts that positions are equal if and only if their keys are, whatever their history. Walks keep to the first
/// few legal moves, so that they meet again.
pub(crate) fn positions_and_keys_agree<G: TurnGame>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut positions = vec![G::start(seed)];
    for _ in 0..60 {
        let mut position = G::start(seed);
        for _ in 0..5 {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            let Some(mv) = random.choose(&legal[..legal.len().min(5)]) else { break };
            position.advance(mv);
            positions.push(position.clone());
        }
    }
    let mut met = 0;
    for (index, a) in positions.iter().enumerate() {
        for b in &positions[..index] {
            assert_eq!(a == b, a.key() == b.key(), "{a:?}\n{b:?}");
            met += u32::from(a == b);
        }
    }
    assert!(met > 0, "no walks met");
}

/// Asserts that every command of the dialect has its line and its JSON.
pub(crate) fn table_commands_have_their_forms<G: TurnGame>() {
    let position = G::start(0);
    let mut random = SplitMix64::new(1);
    let line: Vec<_> = (0..100).map(|_| G::choose(&position, &mut random)).collect();
    let thought = Thought { score: -12, depth: 3, nodes: u64::MAX, line };
    let mut commands = vec![
        G::Position::clock(Side::First, 299_500, true),
        G::Position::clock(Side::Second, -5, false),
        G::Position::clock(Side::Second, i64::MIN, false),
        G::Position::say(Side::First, "one\r\ntwo \u{7}"),
        G::Position::over(Outcome::Draw),
    ];
    for side in Side::ALL {
        commands.extend([G::Position::thought(side, &thought), G::Position::over(Outcome::Win(side))]);
        assert!(!G::Position::team_name(side).is_empty());
    }
    commands.extend(G::Position::names(["a person", "search:time=1s"]));
    assert!(G::Position::names(["", "x"]).is_none());
    for command in commands {
        let line = command.to_line();
        assert!(!matches!(command, Command::Unknown(_)), "{line}");
        assert_eq!(Command::parse(G::GAME, line.as_bytes()), command, "{line}");
        let mut json = Vec::new();
        command.write_json(&mut json);
        assert_eq!(Command::from_json(G::GAME, str::from_utf8(&json).unwrap()).unwrap(), command);
    }
}

/// Plays a match with moves of [`TurnGame::choose`]; returns its termination.
pub(crate) fn termination<G: TurnGame>(seed: u64) -> &'static str {
    let mut position = G::start(seed);
    let mut random = SplitMix64::new(!seed);
    loop {
        if let Some(end) = position.end() {
            return end.termination;
        }
        let mv = G::choose(&position, &mut random);
        position.advance(mv);
    }
}
