#!/usr/bin/env python3
"""A weak team of Steam Fortress, to learn from: server/FORTRESS-PROTOCOL.md explains every message.

    grandstand play fortress team:'python3 weak_team.py' strong

Every unit is for itself. It walks straight to the next control point and uses its primary ability on whoever is near.
"""

import json
import os
import random
import socket
import threading
import time

CLASSES = ["soldier", "pyro", "soldier", "medic", "soldier"]
AROUND = ["north", "east", "south", "west"]  # each is to the right of the one before it
SIGHT = 5
REST = 0.2  # seconds


class Connection:
    """Lines of JSON, out and in."""

    def __init__(self):
        host, port = os.environ.get("GRANDSTAND_ADDRESS", "127.0.0.1:3110").rsplit(":", 1)
        self.file = socket.create_connection((host, int(port))).makefile("rw", encoding="utf-8", newline="\n")

    def send(self, **message):
        self.file.write(json.dumps(message) + "\n")
        self.file.flush()

    def receive(self):
        line = self.file.readline()
        if not line:
            raise SystemExit  # ends this thread alone
        message = json.loads(line)
        if message["type"] == "GameEnd":
            raise SystemExit
        if message["type"] == "Error":
            print(message["reason"], flush=True)  # it is in the team's log
        return message


class Unit(threading.Thread):
    def __init__(self, index, identity, team, secret):
        super().__init__()
        self.unit_class = CLASSES[index % len(CLASSES)]
        self.id, self.team, self.secret = identity, team, secret

    def ask(self, action, **arguments):
        """Sends an action and waits for what came of it."""
        self.connection.send(type=action, id=self.id, secret=self.secret, **arguments)
        while True:
            answer = self.connection.receive()
            if answer.get("action") == action or answer["type"] == "Error":
                return answer

    def run(self):
        # Every unit has a connection of its own. The answer to its first Respawn comes when the game begins.
        self.connection = Connection()
        self.ask("Respawn", **{"class": self.unit_class})
        while self.connection.receive()["type"] != "GameStart":
            pass
        while True:
            me = self.ask("MyStatus")
            if me["type"] == "MyData" and me["health"] == 0:
                # This takes until the unit stands again.
                self.ask("Respawn", **{"class": self.unit_class})
            elif me["type"] == "MyData":
                self.fight(me)
                self.walk(me)
            time.sleep(REST)

    def fight(self, me):
        scan = self.ask("Scan", range=SIGHT)
        near = scan.get("units", [])  # the nearest first
        friends = [u for u in near if u["ally"] and u["position"] != me["position"]]
        enemies = [u for u in near if not u["ally"]]
        hurt = [u for u in friends if u["health"] < 1000]
        if self.unit_class == "medic" and hurt:
            self.ask("PrimaryAbility", position=hurt[0]["position"])
        elif self.unit_class == "medic" and enemies:
            self.ask("SecondaryAbility", position=enemies[0]["position"])
        elif enemies:
            self.ask("PrimaryAbility", position=enemies[0]["position"])

    def walk(self, me):
        points = self.ask("GameStatus").get("points", [])
        if self.team == "blue":
            points = points[::-1]  # red goes up the numbers, blue goes down
        goal = next((p["position"] for p in points if p["ours"] is not True), None)
        if goal is None:
            return
        dx, dy = goal[0] - me["position"][0], goal[1] - me["position"][1]
        if abs(dx) <= 1 and abs(dy) <= 1:
            return  # near enough to count for the point
        if abs(dx) >= abs(dy):
            way = "east" if dx > 0 else "west"
        else:
            way = "north" if dy > 0 else "south"
        turns = (AROUND.index(way) - AROUND.index(me["facing"])) % 4
        if turns == 3:
            self.ask("Turn", hand="left")
        elif turns > 0:
            self.ask("Turn", hand="right")
        elif self.ask("Move")["type"] == "Failed":
            # Somebody or something is in the way, or it is too soon after the last step.
            self.ask("Move", hand=random.choice(["left", "right"]))


def main():
    connection = Connection()
    # Without a secret the server takes the first who asks, if it waits for anybody.
    connection.send(type="GameRequest", name="weak in Python", secret=os.environ.get("GRANDSTAND_SECRET"))
    team = connection.receive()
    if team["type"] != "Units":
        raise SystemExit(str(team))
    units = [Unit(index, identity, team["team"], team["secret"]) for index, identity in enumerate(team["ids"])]
    for unit in units:
        unit.start()
    for unit in units:
        unit.join()


if __name__ == "__main__":
    main()
