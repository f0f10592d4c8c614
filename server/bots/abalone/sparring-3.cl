(* sparring-3.cl: lines that push.

   Idea: look along the whole line, not only at the neighbours. Three push two, enemies are pushed off the board
   rather than about in its middle, and all bots of a line reckon the same, so that they agree without a word.

   Still weak: where two lines cross, the bot in both can go with one only, and the other line is too short. Who can't push
   still strolls about, over the rim too. *)

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

let live = rec live in fn x =>
  let around = do A_SCAN in
  let here = (do A_MYSTAT)[0] in
  let chance = best (push (here[0]) (here[1])) 0 in
  (* Who strolls every other turn only stands in a line more often than who never rests. *)
  let stroll = if rand 2 then find (fn dir => around[dir - 1] = T_EMPTY) else 0 in
  do (A_COMMITMOVE, if chance[0] then chance[0] else stroll);
  do A_WAITMYTURN;
  live x
in

let grow = rec grow in fn x =>
  if spawn (grow x) then grow x else live x
in

grow 0
