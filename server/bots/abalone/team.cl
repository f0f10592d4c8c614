(* team.cl: a team whose bots share a plan.

   Every turn, when the enemy has moved, each bot
   1. looks along the six lines from its hex. Where it is the front of a chain
      that can push enemies, it bids for that chain: on every hex of the chain
      it notes the direction, and what the push is worth;
   2. waits until all bots have done so;
   3. reads the highest bid on its own hex, and obeys it. A bot on whose hex
      nobody has bid takes the best step for itself.

   So a single bot moves a whole chain, and where chains cross, all agree on
   which of them goes. *)

#include abalone/constants.ch

(* ---- The board ---------------------------------------------------------- *)

(* Directions are numbered from 1 to 6, counterclockwise from the right.
   What one step in a direction adds to the row and to the diagonal: *)
let up    = (0, 0, 1, 1,  0, ~1, ~1) in
let right = (0, 1, 1, 0, ~1, ~1,  0) in
let opposite = fn dir => if dir > 3 then dir - 3 else dir + 3 in

(* Hexes are numbered too, row by row, and so are steps between them. *)
let hex = fn r => fn d => 9 * (r + 4) + d + 4 in
let step = (0, 1, 10, 9, ~1, ~10, ~9) in

(* How many steps (r, d) is from the centre: 4 on the rim, more off the board. *)
let abs = fn n => if n < 0 then ~n else n in
let max = fn a => fn b => if a > b then a else b in
let distance = fn r => fn d => max (max (abs r) (abs d)) (abs (r - d)) in

(* How many of the first objects in a line are of one kind. *)
let run = fn object => fn line =>
  (rec count in fn n => if line[n] = object then count (n + 1) else n) 0
in

(* The direction for which `value` is highest, and how high; direction 0 when
   it is above `least` for none. *)
let best = fn value => fn least =>
  (rec each in fn dir => fn chosen =>
    if dir > 6 then chosen
    else
      let v = value dir in
      each (dir + 1) (if v > chosen[1] then (dir, v) else chosen)) 1 (0, least)
in

(* ---- The plan, in memory that the team shares --------------------------- *)

(* A cell for each hex, with the highest bid on it. A bid is one number: the
   turn, what it is worth (0 to 63) and the direction, as digits to base 64. The
   bids of turns gone by are lower than any new one, and need not be removed. *)
let plan =
  (rec fill in fn cells => fn n =>
    if n = 81 then cells else fill (cells[n := gref 0]) (n + 1)) () 0
in

let bid = fn cell => fn number =>
  acquire cell;
  (if !cell < number then cell := number else 0);
  release cell
in

(* A barrier: waits until every living piece has come. It counts for one turn,
   so that a bot that comes late keeps nobody waiting, and it has a deadline,
   for a bot that dies on its way is waited for in vain. Who holds the lock of
   the gate watches; the others sleep until it is their turn to look. *)
let arrived = gref (0, 0) in      (* the turn, and how many have come in it *)
let gate = gref 0 in
let meet = fn turn =>
  acquire arrived;
  (let now = !arrived in
    if now[0] < turn then arrived := (turn, 1)
    else if now[0] = turn then arrived := (turn, now[1] + 1)
    else 0);
  release arrived;
  let pieces = (do A_TEAMSTAT)[0] in
  acquire gate;
  (rec watch in
    let now = !arrived in
    if now[0] > turn then 0
    else if now[1] >= pieces then 0
    else if (do A_GAMESTAT)[1] < 300 then 0
    else watch);
  release gate
in

(* ---- Pushing ------------------------------------------------------------ *)

(* What it is worth to push from (r, d) in a direction: much when enemies get
   far out or off the board, less when the own front gets far out. 0 when no
   chain with its front on (r, d) can push there. *)
let push = fn r => fn d => fn dir =>
  let ahead = do (A_LOOK, dir) in
  if ahead[0] <> T_OPIECE then 0 else
  let enemies = run T_OPIECE ahead in
  if enemies > 2 then 0 else
  if ahead[enemies] = T_PIECE then 0 else
  if run T_PIECE (do (A_LOOK, opposite dir)) < enemies then 0 else
  let after = fn n => distance (r + n * up[dir]) (d + n * right[dir]) in
  10 * after (enemies + 1) - after 1 + 10
in

(* Bids for the whole chain behind (r, d). *)
let claim = fn turn => fn r => fn d => fn dir => fn worth =>
  let front = hex r d in
  let friends = run T_PIECE (do (A_LOOK, opposite dir)) in
  (rec each in fn n =>
    if n > friends then 0
    else (
      bid (plan[front - n * step[dir]]) ((turn * 64 + worth) * 64 + dir);
      each (n + 1))) 0
in

(* ---- Stepping alone ----------------------------------------------------- *)

(* What it is worth to stand on (r, d): near the centre, beside friends, and
   beside enemies, but not on the rim, where they push pieces off. A little
   chance keeps two teams from standing face to face for ever. *)
let stand = fn r => fn d =>
  let out = distance r d in
  let worth = ()[T_PIECE := 3][T_OPIECE := if out = 4 then ~10 else 2] in
  (rec each in fn dir => fn sum =>
    if dir > 6 then sum
    else
      let beside = do (A_INSPECT, r + up[dir], d + right[dir]) in
      each (dir + 1) (sum + worth[beside])) 1 (rand 6 - 10 * out)
in

(* The same for the hex that is one step away, if it is free. *)
let go = fn r => fn d => fn dir =>
  let r' = r + up[dir] in
  let d' = d + right[dir] in
  if do (A_INSPECT, r', d') = T_EMPTY then stand r' d' else ~100
in

(* ---- A bot's life ------------------------------------------------------- *)

let shouts = ("Off you go!", "Mind the edge!", "Heave ho!") in

let live = rec live in fn x =>
  let turn = (do A_GAMESTAT)[0] in
  let here = (do A_MYSTAT)[0] in
  let r = here[0] in
  let d = here[1] in
  (* Who can push bids for it; who can't looks for a step. *)
  let chance = best (push r d) 0 in
  let alone =
    if chance[0] then claim turn r d chance[0] chance[1]
    else (best (go r d) (stand r d))[0] in
  meet turn;
  (* All bids are in. *)
  let order = !(plan[hex r d]) in
  let ordered = order / 4096 = turn in
  do (A_COMMITMOVE, if ordered then order mod 64 else alone);
  (* A push is worth more than 50 only if it sends an enemy off the board. *)
  (if chance[1] > 50 then do (A_TALK, shouts[rand 3]) else 0);
  do A_WAITMYTURN;
  live x
in

let grow = rec grow in fn x =>
  if spawn (grow x) then grow x else live x
in

do (A_TALK, "Many bots, one plan.");
grow 0
