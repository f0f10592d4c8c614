(* random.cl: a team whose bots move at random.

   Everything that a team needs is here: every bot spawns others while it can,
   and then lives for ever, with one move a turn. *)

#include abalone/constants.ch

(* One move of this bot's each turn. Directions are numbered from 1 to 6. *)
let live = rec live in fn x =>
  do (A_COMMITMOVE, 1 + rand 6);
  do A_WAITMYTURN;
  live x
in

(* `spawn e` makes a bot that runs `e`, and is 0 when that can't be: no hex
   beside this bot is empty, the team is complete, or its first turn is over. *)
let grow = rec grow in fn x =>
  if spawn (grow x) then grow x else live x
in

grow 0
