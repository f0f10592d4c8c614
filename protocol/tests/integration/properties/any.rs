//! Commands and streams of all sorts.

use grandstand_protocol::{
    Color, Command, Game, Label, Mark, Marker, Micros, Overlay, Scene, Text, abalone, fortress, grid, name,
    riskless, shark, stones, team, turn,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Text with the characters that break things in it.
pub(crate) fn nasty_text() -> impl Strategy<Value = String> {
    let nasty = select(vec![
        "\n", "\r", "\t", "\0", " ", "~", "-", "\"", "\\", "\u{2028}", "é", "🎲", "#gs ", "\u{7f}",
    ]);
    vec(prop_oneof![nasty.prop_map(str::to_owned), "[ -~]{1,4}", any::<char>().prop_map(String::from)], 0..12)
        .prop_map(|parts| parts.concat())
}

pub(crate) fn text() -> impl Strategy<Value = Text> {
    nasty_text().prop_map(|text| match Text::verbatim(&text) {
        Ok(text) => text,
        Err(_) => Text::from(text),
    })
}

pub(crate) fn label() -> impl Strategy<Value = Label> {
    nasty_text().prop_map(Label::from)
}

pub(crate) fn hex() -> impl Strategy<Value = abalone::Hex> {
    select(abalone::Hex::all().collect::<Vec<_>>())
}

fn abalone_command() -> impl Strategy<Value = abalone::Command> {
    use abalone::Command::{Say, Score, Set, Turns};
    let team = || select(abalone::Team::ALL.to_vec());
    let piece = (team(), select(abalone::Facing::ALL.to_vec()));
    let piece = piece.prop_map(|(team, facing)| abalone::Piece { team, facing });
    prop_oneof![
        (team(), text()).prop_map(|(team, text)| Say { team, text }),
        (team(), any::<i32>()).prop_map(|(team, value)| Score { team, value }),
        any::<u32>().prop_map(|value| Turns { value }),
        (hex(), option::of(piece)).prop_map(|(hex, piece)| Set { hex, piece }),
    ]
}

pub(crate) fn color() -> impl Strategy<Value = Color> {
    select(Color::ALL.to_vec())
}

pub(crate) fn place() -> impl Strategy<Value = grid::Coord> {
    (0..grid::SIZE_MAX, 0..grid::SIZE_MAX).prop_map(|(x, y)| grid::Coord::new(x, y).expect("on the grid"))
}

fn grid_command() -> impl Strategy<Value = grid::Command> {
    use grid::Command::{Cell, Clear, Say, Score, Size, Step};
    let team = || prop_oneof!["[a-c]", "[^\\s\\pC]{1,32}"].prop_map(|name| name.parse().expect("a name"));
    let glyph =
        any::<char>().prop_map(|c| grid::Glyph::try_from(c).unwrap_or('x'.try_into().expect("a glyph")));
    let cell = (glyph, option::of(color())).prop_map(|(glyph, color)| grid::Cell { glyph, color });
    let extent = || 1..=grid::SIZE_MAX;
    prop_oneof![
        1 => (extent(), extent()).prop_map(|(width, height)| Size { width, height }),
        6 => (place(), option::of(cell)).prop_map(|(at, cell)| Cell { at, cell }),
        1 => Just(Clear),
        2 => (team(), any::<i32>()).prop_map(|(team, value)| Score { team, value }),
        1 => any::<u32>().prop_map(|value| Step { value }),
        2 => (team(), text()).prop_map(|(team, text)| Say { team, text }),
    ]
}

fn red_or_blue() -> impl Strategy<Value = team::RedBlue> {
    select(team::RedBlue::ALL.to_vec())
}

fn tile() -> impl Strategy<Value = shark::Tile> {
    select(shark::Tile::all().collect::<Vec<_>>())
}

fn shark_command() -> impl Strategy<Value = shark::Command> {
    use shark::Command::{Draw, Erase, Map, Names, Say, Score, Shot, Spawn, Stand, Time, Win};
    let ground = vec(select(shark::Ground::ALL.to_vec()), shark::Tile::COUNT);
    let who = any::<(u32, u8)>().prop_map(|(pid, health)| shark::BotStatus { pid, health });
    let bot = (red_or_blue(), select(shark::Heading::ALL.to_vec()), any::<bool>(), option::of(who));
    let sprite = prop_oneof![
        1 => Just(shark::Sprite::Wall),
        1 => Just(shark::Sprite::Powerup),
        6 => bot.prop_map(|(team, heading, flag, who)| shark::Sprite::Bot(shark::Bot { team, heading, flag, who })),
    ];
    let time = |text: String| serde_json::from_value(text.into()).expect("any text is a time");
    prop_oneof![
        1 => ground.prop_map(|ground| Map { rows: shark::Map::new(|place| ground[place.index()]) }),
        8 => (tile(), sprite).prop_map(|(at, sprite)| Draw(shark::Draw { at, sprite })),
        4 => tile().prop_map(Erase),
        3 => (tile(), tile()).prop_map(|(from, to)| {
            let corner = shark::Tile::new(to.x(), from.y()).expect("on the board");
            Shot(shark::Shot::new(from, corner).expect("a row"))
        }),
        1 => by_team(any::<u32>()).prop_map(Spawn),
        1 => by_team(full_name()).prop_map(Names),
        1 => by_team(any::<i32>()).prop_map(Score),
        1 => full_name().prop_map(|words| Win(words.into())),
        1 => nasty_text().prop_map(move |text| Time { text: time(text) }),
        1 => any::<u64>().prop_map(|steps| Time { text: shark::TimeText::steps(steps) }),
        2 => (red_or_blue(), text()).prop_map(|(team, text)| Say { team, text }),
        1 => (red_or_blue(), any::<bool>()).prop_map(|(team, full)| Stand { team, full }),
    ]
}

fn square() -> impl Strategy<Value = fortress::Square> {
    select(fortress::Square::all().collect::<Vec<_>>())
}

fn fortress_command() -> impl Strategy<Value = fortress::Command> {
    use fortress::Command::{
        Axe, Capture, Cone, Control, Elevation, Hit, Init, Over, Point, Remove, Say, Shot, Spawn, Time,
        Update,
    };
    let owner = || option::of(red_or_blue());
    let facing = || select(fortress::Direction::ALL.to_vec());
    let class = select(fortress::UnitClass::ALL.to_vec());
    let weapon = select(fortress::Weapon::ALL.to_vec());
    let elevation = select(fortress::Elevation::ALL.to_vec());
    // Few units, so that they are hit and fall.
    let id = || prop_oneof![6 => 0..4_u32, 1 => any::<u32>()];
    let point = || 0..fortress::POINTS;
    prop_oneof![
        1 => Just(Init),
        2 => (red_or_blue(), text()).prop_map(|(team, text)| Say { team, text }),
        2 => (square(), elevation).prop_map(|(at, elevation)| Elevation { at, elevation }),
        8 => (id(), red_or_blue(), square(), facing(), any::<i32>(), class)
            .prop_map(|(id, team, at, facing, health, class)| Spawn { id, team, at, facing, health, class }),
        4 => (id(), square(), facing(), any::<i32>())
            .prop_map(|(id, at, facing, health)| Update { id, at, facing, health }),
        2 => id().prop_map(|id| Remove { id }),
        4 => (point(), square(), owner()).prop_map(|(point, at, owner)| Point { point, at, owner }),
        2 => (point(), owner()).prop_map(|(point, owner)| Control { point, owner }),
        1 => owner().prop_map(|winner| Over { winner: winner.into() }),
        4 => (id(), weapon, square(), square())
            .prop_map(|(id, weapon, stop, target)| Shot { id, weapon, stop, target }),
        2 => (id(), facing()).prop_map(|(id, facing)| Cone { id, facing }),
        2 => (id(), facing()).prop_map(|(id, facing)| Axe { id, facing }),
        6 => (id(), id(), any::<i32>()).prop_map(|(by, on, amount)| Hit { by, on, amount }),
        4 => (point(), owner(), any::<u32>())
            .prop_map(|(point, team, millis)| Capture { point, team, millis }),
        1 => any::<u32>().prop_map(|millis| Time { millis }),
    ]
}

fn full_name() -> impl Strategy<Value = name::FullName> + Clone {
    let nasty = nasty_text().prop_filter_map("a name", |text| text.parse().ok()).boxed();
    let plain = prop_oneof!["[a-c]", "[^\\s\\pC]{1,32}", "red", "draw", "a_b", "a b"];
    prop_oneof![plain.prop_map(|name| name.parse().expect("a name")), nasty]
}

fn by_team<T: team::TwoTeams, V: std::fmt::Debug>(
    value: impl Strategy<Value = V> + Clone,
) -> impl Strategy<Value = team::ByTeam<T, V>> {
    (value.clone(), value).prop_map(|(first, second)| team::ByTeam::new(first, second))
}

fn clock<T: team::TwoTeams>() -> impl Strategy<Value = turn::Clock<T>> {
    (select(T::ALL.to_vec()), any::<i32>(), any::<bool>()).prop_map(|(team, millis, running)| turn::Clock {
        team,
        millis,
        running,
    })
}

fn thought<T: team::TwoTeams, M: std::fmt::Debug>(
    mv: impl Strategy<Value = M>,
) -> impl Strategy<Value = turn::Thought<T, M>> {
    (select(T::ALL.to_vec()), any::<i32>(), any::<u32>(), any::<u64>(), vec(mv, 0..=turn::LINE_MAX)).prop_map(
        |(team, score, depth, nodes, line)| turn::Thought { team, score, depth, nodes, line: line.into() },
    )
}

/// Often near the corner, so that stones meet.
pub(crate) fn point() -> impl Strategy<Value = stones::Point> {
    prop_oneof![4 => (0..4_u16, 0..4_u16), 2 => (0..20_u16, 0..20_u16), 1 => (0..999_u16, 0..999_u16)]
        .prop_map(|(x, y)| stones::Point::new(x, y).expect("a point"))
}

fn stones_command() -> impl Strategy<Value = stones::Command> {
    use stones::Command::{Board, Captures, Common, Five, Forbid, Move, Set};
    let team = || select(stones::Team::ALL.to_vec());
    let size = (2..500_u16).prop_map(|half| stones::Size::new(2 * half + 1).expect("a size"));
    prop_oneof![
        1 => size.prop_map(|size| Board { size }),
        4 => (point(), option::of(team())).prop_map(|(point, stone)| Set { point, stone }),
        8 => (team(), point()).prop_map(|(team, point)| Move { team, point }),
        1 => (team(), any::<u32>()).prop_map(|(team, pairs)| Captures { team, pairs }),
        1 => (point(), point()).prop_map(|(from, to)| Five { from, to }),
        1 => vec(point(), 0..9).prop_map(|points| Forbid { points: points.into() }),
        9 => common(point()).prop_map(Common),
    ]
}

/// A command that all turn games have.
fn common<T: team::TwoTeams, M: std::fmt::Debug + Clone + 'static>(
    mv: impl Strategy<Value = M> + 'static,
) -> BoxedStrategy<turn::Command<T, M>> {
    use turn::Command::{Clock, Names, Say, Thought, Turn, Win};
    let team = || select(T::ALL.to_vec());
    prop_oneof![
        1 => team().prop_map(|team| Turn { team }),
        2 => clock().prop_map(Clock),
        2 => thought(mv).prop_map(Thought),
        1 => by_team(full_name()).prop_map(Names),
        1 => option::of(team()).prop_map(|winner| Win { winner: winner.into() }),
        2 => (team(), text()).prop_map(|(team, text)| Say { team, text }),
    ]
    .boxed()
}

fn riskless_command() -> impl Strategy<Value = riskless::Command> {
    use riskless::Command::{Battle, Common, Map, Move, Road, Set, Territory};
    let team = || select(riskless::Team::ALL.to_vec());
    // Few territories, so that they are there.
    let id = || prop_oneof![8 => 0..6_u8, 1 => any::<u8>()];
    let name = || nasty_text().prop_map(|text| riskless::Name::from(text.as_str()));
    let holding = (team(), any::<u32>()).prop_map(|(team, armies)| riskless::Holding { team, armies });
    let step = (id(), id()).prop_map(|(from, to)| riskless::Step { from, to });
    prop_oneof![
        1 => (any::<u32>(), any::<u32>(), name())
            .prop_map(|(cap, goal, title)| Map(riskless::Map { cap, goal, title })),
        6 => (id(), 0..=1000_u16, 0..=1000_u16, name())
            .prop_map(|(id, x, y, name)| Territory(riskless::Territory { id, x, y, name })),
        4 => (id(), id()).prop_map(|(a, b)| Road(riskless::Road { a, b })),
        6 => (id(), option::of(holding)).prop_map(|(territory, holding)| Set(riskless::Set { territory, holding })),
        3 => (team(), id(), id()).prop_map(|(team, from, to)| Move(riskless::March { team, from, to })),
        2 => (id(), any::<u32>(), any::<u32>()).prop_map(|(territory, attackers, defenders)| {
            Battle(riskless::Battle { territory, attackers, defenders })
        }),
        9 => common(step).prop_map(Common),
    ]
}

fn overlay(place: BoxedStrategy<String>) -> impl Strategy<Value = Overlay> {
    let place = move || place.clone().prop_map(Label::from);
    let mark = prop_oneof![
        (place(), option::of(color())).prop_map(|(at, color)| Mark::Dot { at, color }),
        (place(), place(), option::of(color())).prop_map(|(from, to, color)| Mark::Arrow { from, to, color }),
        (place(), label(), option::of(color())).prop_map(|(at, text, color)| Mark::Text { at, text, color }),
    ];
    (label(), label(), vec(mark, 0..5))
        .prop_map(|(team, by, marks)| Overlay::new(team, by, marks).expect("few marks"))
}

/// A line that the game's dialect does not understand, of whatever bytes.
pub(crate) fn unknown(game: Game) -> impl Strategy<Value = Command> {
    prop_oneof![vec(any::<u8>(), 1..20), nasty_text().prop_map(String::into_bytes), spoiled_line()].prop_map(
        move |bytes| {
            let command = Command::parse(game, &bytes);
            if matches!(command, Command::Unknown(_)) { command } else { Command::parse(game, b"nonsense") }
        },
    )
}

/// A canonical line with one byte changed.
fn spoiled_line() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        abalone_command().prop_map(Command::Abalone).boxed(),
        shark_command().prop_map(Command::Shark).boxed(),
        stones_command().prop_map(Command::Stones).boxed(),
        riskless_command().prop_map(Command::Riskless).boxed(),
        grid_command().prop_map(Command::Grid).boxed(),
    ];
    (line, any::<prop::sample::Index>(), any::<u8>()).prop_map(|(command, index, byte)| {
        let mut line = command.to_line().into_bytes();
        let index = index.index(line.len());
        line[index] = byte;
        line
    })
}

fn command_of(game: Game) -> BoxedStrategy<Command> {
    let (dialect, place) = match game {
        Game::Abalone => (
            abalone_command().prop_map(Command::Abalone).boxed(),
            hex().prop_map(|hex| hex.to_string()).boxed(),
        ),
        Game::Shark => {
            (shark_command().prop_map(Command::Shark).boxed(), tile().prop_map(|at| at.to_string()).boxed())
        }
        Game::Fortress => (
            fortress_command().prop_map(Command::Fortress).boxed(),
            square().prop_map(|at| at.to_string()).boxed(),
        ),
        Game::Gomoku | Game::Pente => (
            stones_command().prop_map(Command::Stones).boxed(),
            point().prop_map(|at| at.to_string()).boxed(),
        ),
        Game::Riskless => (
            riskless_command().prop_map(Command::Riskless).boxed(),
            any::<u8>().prop_map(|territory| territory.to_string()).boxed(),
        ),
        Game::Grid => {
            (grid_command().prop_map(Command::Grid).boxed(), place().prop_map(|at| at.to_string()).boxed())
        }
    };
    let marker = (label(), option::of(label()), option::of(label()))
        .prop_map(|(label, kind, team)| Command::from(Marker { label, kind, team }));
    prop_oneof![
        8 => dialect,
        1 => marker,
        2 => overlay(place).prop_map(Command::from),
        2 => unknown(game),
    ]
    .boxed()
}

pub(crate) fn game() -> impl Strategy<Value = Game> {
    select(Game::ALL.to_vec())
}

pub(crate) fn commands() -> impl Strategy<Value = (Game, Vec<Command>)> {
    game().prop_flat_map(|game| (Just(game), vec(command_of(game), 0..12)))
}

pub(crate) fn micros() -> impl Strategy<Value = Micros> {
    prop_oneof![0..2_000_000_u64, 0..=Micros::MAX.0, (0..10_000_u64).prop_map(|s| s * 1_000_000)]
        .prop_map(Micros)
}

pub(crate) fn scene_of(game: Game, commands: &[Command]) -> Scene {
    let mut scene = Scene::new(game);
    for (command, seq) in commands.iter().zip(1..) {
        scene.apply(seq, Micros(seq * 1_000), command);
    }
    scene
}

/// Lines of all sorts and bytes of all sorts, with both line endings, the last line perhaps without.
pub(crate) fn stream() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        4 => game().prop_flat_map(command_of).prop_map(|command| {
            let mut bytes = Vec::new();
            command.write_bytes(&mut bytes);
            bytes
        }),
        1 => spoiled_line().boxed(),
        1 => vec(any::<u8>(), 0..40),
        1 => select(vec!["", " ", "#gs game grid", "#gs game shark", "#gs game fortress", "#gs game abalone", "#gs game gomoku", "#gs game pente", "#gs game riskless", "#gs match {}", "#gs result {\"termination\":\"x\"}"])
            .prop_map(|line| line.as_bytes().to_vec()),
    ];
    let ending = select(vec!["\n", "\r\n", "\n\n", ""]);
    vec((line, ending), 0..12).prop_map(|lines| {
        lines.into_iter().flat_map(|(line, end)| [&line, end.as_bytes()].concat()).collect()
    })
}
