#!/bin/sh
# Makes the films of the README again from the sample recordings: docs/pictures/make.sh [GRANDSTAND], from the root of the source tree.
set -eu
grandstand=${1:-target/release/grandstand}
film() {
    name=$1
    sample=$2
    shift 2
    "$grandstand" convert "replays/samples/$sample" "docs/pictures/$name.gif" --size 320x240 --fps 10 "$@"
}
film abalone team-team.replay --from 0:06 --to 0:14 --speed 2
film shark shark-shark-stupidbot.replay.zst --from 0:06 --to 0:18 --speed 2
film fortress fortress-strong-strong.replay.zst --from 0:20 --to 0:32 --speed 2
film gomoku gomoku-stupid-stupid.replay --speed 8
film pente pente-stupid-stupid.replay --speed 8
film riskless riskless-alphabeta-random.replay --speed 8
