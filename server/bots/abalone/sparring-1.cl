(* sparring-1.cl: the walkers.

   Idea: all walk in the same direction at the same time, another one in each turn. Nobody looks; but whoever walks
   in line walks as a chain, and a chain pushes what stands in its way.

   Still weak: each of them forgets a step now and then, which breaks the lines. And blind walkers push an
   enemy only where they happen upon him. *)

#include abalone/constants.ch

let live = rec live in fn x =>
  let turn = (do A_GAMESTAT)[0] in
  do (A_COMMITMOVE, if rand 20 then turn / 2 mod 6 + 1 else 0);
  do A_WAITMYTURN;
  live x
in

(* `spawn e` makes a bot that runs `e`, and is 0 when that can't be. *)
let grow = rec grow in fn x =>
  if spawn (grow x) then grow x else live x
in

grow 0
