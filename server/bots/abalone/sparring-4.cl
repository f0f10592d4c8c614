(* sparring-4.cl: lines that push, and keep off the edge.

   Idea: pieces are lost on the rim only, so nobody steps there of his own will.

   Still weak: a bot that was pushed to the rim may stay there, and between the rim and the centre one hex is as good as
   another to it. So its pieces are scattered, and find themselves in a line by chance. *)

#include abalone/constants.ch
#include abalone/board.ch

(* What it is worth to push in a direction with the whole line through this bot, wherever in that line it stands: much when
   enemies get far out or off the board. 0 when the line can't push. All bots of the line see the same line, and come to
   the same number. *)
let push = fn r => fn d => fn dir =>
  let ahead = do (A_LOOK, dir) in
  let friends = run T_PIECE ahead 0 in
  let enemies = run T_OPIECE ahead friends in
  let behind = friends + enemies in
  if enemies = 0 then 0 else
  if ahead[behind] = T_PIECE then 0 else
  if friends + run T_PIECE (do (A_LOOK, opposite dir)) 0 < enemies then 0 else
  if enemies > 2 then 0 else
  let after = fn n => distance (r + n * up[dir]) (d + n * right[dir]) in
  10 * after (behind + 1) - after (friends + 1) + 10
in

(* Is the hex in a direction empty, and not on the rim? *)
let isSafe = fn around => fn here => fn dir =>
  if around[dir - 1] = T_EMPTY then distance (here[0] + up[dir]) (here[1] + right[dir]) < 4 else 0
in

let live = rec live in fn x =>
  let around = do A_SCAN in
  let here = (do A_MYSTAT)[0] in
  let chance = best (push (here[0]) (here[1])) 0 in
  do (A_COMMITMOVE, if chance[0] then chance[0] else find (isSafe around here));
  do A_WAITMYTURN;
  live x
in

let grow = rec grow in fn x =>
  if spawn (grow x) then grow x else live x
in

grow 0
