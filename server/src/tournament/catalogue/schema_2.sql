-- From version 1 to version 2 of the catalogue: who played a game, where workers play.
-- The worker's name, and its measured speed in thousands of nodes a second.
ALTER TABLE result ADD COLUMN worker TEXT;
ALTER TABLE result ADD COLUMN speed INTEGER;
-- Workers whose results differed from those of others, and how many rows were taken out for it.
CREATE TABLE set_aside (
    worker TEXT PRIMARY KEY,
    why TEXT NOT NULL,
    at TEXT NOT NULL,
    removed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
