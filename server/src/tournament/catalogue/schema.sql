-- Catalogue of a tournament, version 1; the next file has what version 2 adds. server/TOURNAMENTS.md explains it.
-- Indices count from 0; sides are 0 (the first) and 1; seeds and digests are text, since they have 64 bits.
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    definition TEXT NOT NULL,
    definition_sha256 TEXT NOT NULL,
    directory TEXT NOT NULL,
    seed TEXT NOT NULL,
    seed_secret INTEGER NOT NULL,
    seed_sha256 TEXT NOT NULL,
    created TEXT NOT NULL,
    grandstand TEXT NOT NULL
) STRICT;
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    play TEXT NOT NULL,
    kind TEXT NOT NULL,
    joins INTEGER NOT NULL
) STRICT;
CREATE TABLE version (
    id INTEGER PRIMARY KEY,
    player INTEGER NOT NULL REFERENCES player,
    sha256 TEXT NOT NULL,
    since TEXT NOT NULL
) STRICT;
CREATE TABLE stage (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    plan TEXT NOT NULL
) STRICT;
CREATE TABLE round (
    id INTEGER PRIMARY KEY,
    stage INTEGER NOT NULL REFERENCES stage,
    round INTEGER NOT NULL,
    cycle INTEGER NOT NULL,
    field TEXT NOT NULL,
    byes TEXT NOT NULL,
    encounters INTEGER NOT NULL,
    UNIQUE (stage, round)
) STRICT;
CREATE TABLE encounter (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL REFERENCES round,
    first INTEGER NOT NULL REFERENCES player,
    second INTEGER NOT NULL REFERENCES player,
    first_game INTEGER NOT NULL,
    most_games INTEGER NOT NULL,
    bracket TEXT
) STRICT;
CREATE TABLE game (
    number INTEGER PRIMARY KEY,
    stage INTEGER NOT NULL REFERENCES stage,
    round INTEGER NOT NULL,
    encounter INTEGER NOT NULL REFERENCES encounter,
    pair INTEGER NOT NULL,
    first INTEGER NOT NULL REFERENCES player,
    second INTEGER NOT NULL REFERENCES player,
    seed TEXT NOT NULL,
    map INTEGER,
    opening INTEGER
) STRICT;
CREATE TABLE result (
    game INTEGER NOT NULL REFERENCES game,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('played', 'fault')),
    fault TEXT CHECK (fault IN ('first', 'second', 'both', 'machine')),
    winner INTEGER CHECK (winner IN (0, 1)),
    termination TEXT NOT NULL,
    reason TEXT,
    score_first INTEGER,
    score_second INTEGER,
    length INTEGER,
    unit TEXT,
    digest TEXT,
    version_first INTEGER NOT NULL REFERENCES version,
    version_second INTEGER NOT NULL REFERENCES version,
    started TEXT NOT NULL,
    wall_ms INTEGER NOT NULL,
    disturbed_ms INTEGER,
    pack INTEGER,
    offset INTEGER,
    bytes INTEGER,
    inputs_bytes INTEGER,
    PRIMARY KEY (game, attempt)
) STRICT, WITHOUT ROWID;
CREATE TABLE ruling (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES game,
    kind TEXT NOT NULL CHECK (kind IN ('annul', 'award')),
    winner INTEGER CHECK (winner IN (0, 1)),
    reason TEXT NOT NULL,
    made TEXT NOT NULL
) STRICT;
CREATE TABLE rating (
    stage INTEGER NOT NULL REFERENCES stage,
    player INTEGER NOT NULL REFERENCES player,
    elo REAL NOT NULL,
    low REAL,
    high REAL,
    games INTEGER NOT NULL,
    PRIMARY KEY (stage, player)
) STRICT, WITHOUT ROWID;
CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
-- Each game as it counts: its last attempt, and the ruling on it.
CREATE VIEW outcome AS
SELECT game.number, game.stage, game.round, game.encounter, first.name AS first, second.name AS second,
    coalesce(ruling.kind, result.kind) AS kind, result.fault,
    CASE WHEN ruling.id IS NULL THEN result.winner ELSE ruling.winner END AS winner,
    result.termination, coalesce(ruling.reason, result.reason) AS reason, result.length, result.unit, result.wall_ms
FROM game
JOIN player AS first ON first.id = game.first
JOIN player AS second ON second.id = game.second
JOIN result ON result.game = game.number
    AND result.attempt = (SELECT max(attempt) FROM result AS r WHERE r.game = game.number)
LEFT JOIN ruling ON ruling.id = (SELECT max(id) FROM ruling AS r WHERE r.game = game.number);
