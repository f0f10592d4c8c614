(* sparring-5.cl: a formation around the centre.

   Idea: every step has a value. It counts how near to the centre it leads, and how many friends are beside the hex. So the
   pieces stand together, where lines are found in every direction, and the enemy is pushed outwards.

   Still weak: nobody knows what the others are about to do. Where lines cross they hinder each other, and a piece on the
   rim with enemies behind it just stays there. *)

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

(* How many friends are beside (r, d). *)
let company = fn r => fn d =>
  (rec each in fn dir => fn sum =>
    if dir > 6 then sum
    else each (dir + 1) (sum + (do (A_INSPECT, r + up[dir], d + right[dir]) = T_PIECE))) 1 0
in

(* What the hex in a direction is worth. A little chance keeps two teams from standing face to face for ever. *)
let go = fn around => fn here => fn dir =>
  let r = here[0] + up[dir] in
  let d = here[1] + right[dir] in
  if around[dir - 1] = T_EMPTY then rand 6 + company r d - 4 * distance r d else ~100
in

let live = rec live in fn x =>
  let around = do A_SCAN in
  let here = (do A_MYSTAT)[0] in
  let chance = best (push (here[0]) (here[1])) 0 in
  do (A_COMMITMOVE, if chance[0] then chance[0] else (best (go around here) ~99)[0]);
  do A_WAITMYTURN;
  live x
in

let grow = rec grow in fn x =>
  if spawn (grow x) then grow x else live x
in

grow 0
