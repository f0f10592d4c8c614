#!/usr/bin/env python3
"""@NAME@: an engine for Gomoku and Pente that speaks the Gomocup protocol (server/GOMOCUP.md).

    grandstand play @GAME@ engine:'python3 @FILE@' random -v
    grandstand play @GAME@ engine:'python3 @FILE@' stupid --move-time 1s --logs .

It reads commands from standard input and writes answers to standard output, a line each. What it
writes to standard error is in the log that --logs keeps.
"""

import sys

LINES = [(1, 0), (0, 1), (1, 1), (1, -1)]


class Board:
    def __init__(self, size, pente):
        self.size, self.pente = size, pente
        self.clear()

    def clear(self):
        self.moves = []
        self.stones = {}  # (x, y): 1 for ours, 2 for theirs

    def put(self, at, who):
        self.moves.append((at, who))
        self.stones[at] = who
        if self.pente:
            self.capture(at, who)

    def capture(self, at, who):
        """Pairs of the other side between this stone and another one of `who` are taken off."""
        for dx, dy in LINES + [(-x, -y) for x, y in LINES]:
            line = [(at[0] + n * dx, at[1] + n * dy) for n in (1, 2, 3)]
            if [self.stones.get(p) for p in line] == [3 - who, 3 - who, who]:
                del self.stones[line[0]], self.stones[line[1]]

    def take_back(self):
        moves = self.moves[:-1]
        self.clear()
        for at, who in moves:
            self.put(at, who)

    def empty(self):
        return [(x, y) for y in range(self.size) for x in range(self.size) if (x, y) not in self.stones]

    def row(self, at, who, dx, dy):
        """How many stones of `who` are in a row with `at`, which is not counted."""
        count = 0
        for sign in (1, -1):
            x, y = at[0] + sign * dx, at[1] + sign * dy
            while self.stones.get((x, y)) == who:
                count += 1
                x, y = x + sign * dx, y + sign * dy
        return count

    def worth(self, at):
        """The longer the row that a stone would make, or break, the better; near the centre, else."""
        ours = max(self.row(at, 1, dx, dy) for dx, dy in LINES)
        theirs = max(self.row(at, 2, dx, dy) for dx, dy in LINES)
        if ours >= 4:
            return 1000  # five: it wins
        if theirs >= 4:
            return 900  # they would win there
        centre = self.size // 2
        return 10 * ours + 9 * theirs - 0.1 * max(abs(at[0] - centre), abs(at[1] - centre))

    def choose(self):
        # What to try next: look ahead, count open rows of three, capture pairs in Pente.
        return max(self.empty(), key=self.worth)


def point(text):
    x, y = text.split(",")[:2]
    return int(x), int(y)


def say(text):
    print(text, flush=True)  # without flush the manager waits for ever


def play(board):
    at = board.choose()
    board.put(at, 1)
    say(f"{at[0]},{at[1]}")


def main():
    board = Board(15, False)
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        command = command.upper()
        if command in ("START", "PENTESTART"):
            board = Board(int(rest), command == "PENTESTART")
            say("OK")
        elif command == "RESTART":
            board.clear()
            say("OK")
        elif command == "BEGIN":
            play(board)
        elif command == "TURN":
            board.put(point(rest), 2)
            play(board)
        elif command == "BOARD":
            board.clear()
            for stone in sys.stdin:
                if stone.strip().upper() == "DONE":
                    break
                x, y, who = stone.strip().split(",")
                board.put((int(x), int(y)), int(who))
            play(board)
        elif command == "TAKEBACK":
            board.take_back()
            say("OK")
        elif command == "ABOUT":
            say('name="@NAME@", version="1.0"')
        elif command == "END":
            return
        elif command and command != "INFO":
            say("UNKNOWN")


if __name__ == "__main__":
    main()
