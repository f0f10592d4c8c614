(* sparring-6.cl: a plan that the team shares.

   Idea: decide together. Every turn, when the enemy has moved, each bot
   1. bids, if it is the front of a line that can push: on every hex of the line it notes the direction, and what the
      push is worth. If it is no front, it looks for the best step instead;
   2. waits until all bots have done so;
   3. does what the highest bid on its own hex says. Only a bot that may be pushed off the board itself leaves first, unless
      the bid sends an enemy off.

   So where lines cross, all agree on which of them goes, and nobody walks out of a line that is needed.

   Still weak: who is outbid does not try its second best push, nobody thinks of the enemy's next turn but on the rim, and
   a step may break a line that was worth more than the step. *)

#include abalone/constants.ch
#include abalone/board.ch

(* ---- The plan, in memory that the team shares ------------------------------ *)

(* A cell for each hex, with the highest bid on it. A bid is one number: the turn, what the push is worth (0 to 63) and the
   direction, as digits to base 64. Bids of turns gone by are lower than any new one, and need not be removed. *)
let plan =
  (rec fill in fn cells => fn n =>
    if n = 81 then cells else fill (cells[n := gref 0]) (n + 1)) () 0
in
let OFF = 40 in                   (* what a push that sends an enemy off the board is worth, at least *)

let bid = fn cell => fn number =>
  acquire cell;
  (if !cell < number then cell := number else 0);
  release cell
in

(* A barrier that asks the game how many must come. It counts for one turn, so a bot that comes late keeps nobody
   waiting. Those who wait go on one after the other, which takes the 14 of them some 300 cycles: hence the deadline, for
   a bot that dies on its way is waited for in vain. *)
let arrived = gref (0, 0) in      (* the turn, and how many have come in it *)
let gate = gref 0 in
let come = fn turn =>
  acquire arrived;
  arrived := (turn, if (!arrived)[0] = turn then (!arrived)[1] + 1 else 1);
  release arrived
in
let await = fn turn =>
  let pieces = (do A_TEAMSTAT)[0] in
  acquire gate;
  (rec watch in
    let now = !arrived in
    if if now[0] = turn then now[1] >= pieces else now[0] > turn then 0
    else if (do A_GAMESTAT)[1] < 400 then 0
    else watch);
  release gate
in

(* ---- Pushing ---------------------------------------------------------------- *)

(* What it is worth to push with the line whose front this bot is: enemies off the board first, then many enemies, then
   many friends. 0 when it is no front, or the line can't push. *)
let push = fn dir =>
  let ahead = do (A_LOOK, dir) in
  if ahead[0] <> T_OPIECE then 0 else
  let enemies = run T_OPIECE ahead 0 in
  if enemies > 2 then 0 else
  if ahead[enemies] = T_PIECE then 0 else
  let friends = run T_PIECE (do (A_LOOK, opposite dir)) 0 in
  if friends < enemies then 0 else
  (if ahead[enemies] = T_OFFBOARD then OFF else 0) + 6 * enemies + friends
in

(* Bids for the whole line behind the hex. *)
let claim = fn front => fn dir => fn number =>
  let friends = run T_PIECE (do (A_LOOK, opposite dir)) 0 in
  (rec each in fn n =>
    if n > friends then 0
    else (bid (plan[front - n * step[dir]]) number; each (n + 1))) 0
in

(* ---- Stepping alone ---------------------------------------------------------- *)

(* Could the enemy push off who stands on (r, d), as things are? He can when two of his stand in line behind a piece on
   the rim, or three behind two. *)
let isInPeril = fn r => fn d =>
  if distance r d < 4 then 0 else
  let at = fn dir => fn n => do (A_INSPECT, r + n * up[dir], d + n * right[dir]) in
  let enemies = fn dir => fn from => fn to =>
    (rec each in fn n =>
      if n > to then 1 else if at dir n = T_OPIECE then each (n + 1) else 0) from
  in
  find (fn dir =>
    if at dir ~1 <> T_OFFBOARD then 0
    else if at dir 1 = T_PIECE then enemies dir 2 4
    else enemies dir 1 2)
in

(* What it is worth to stand on (r, d): near the centre, beside friends, and beside enemies, but not on the rim. A
   little chance keeps two teams from standing face to face for ever. *)
let stand = fn r => fn d =>
  let out = distance r d in
  let worth = ()[T_PIECE := 3][T_OPIECE := if out = 4 then ~10 else 2] in
  (rec each in fn dir => fn sum =>
    if dir > 6 then sum
    else each (dir + 1) (sum + worth[do (A_INSPECT, r + up[dir], d + right[dir])])) 1 (rand 6 - 10 * out)
in

(* The same for the hex that is one step away, if it is free and safe. *)
let go = fn r => fn d => fn dir =>
  let r' = r + up[dir] in
  let d' = d + right[dir] in
  if do (A_INSPECT, r', d') <> T_EMPTY then ~100
  else if isInPeril r' d' then ~100
  else stand r' d'
in

(* ---- A bot's life ------------------------------------------------------------ *)

let live = rec live in fn x =>
  let turn = (do A_GAMESTAT)[0] in
  let place = (do A_MYSTAT)[0] in
  let r = place[0] in
  let d = place[1] in
  let here = hex r d in
  let chance = best push 0 in
  let danger = isInPeril r d in
  (if chance[0] then claim here (chance[0]) ((turn * 64 + chance[1]) * 64 + chance[0]) else 0);
  come turn;
  let alone =
    if danger then (best (go r d) ~99)[0]
    else if chance[0] then 0
    else (best (go r d) (stand r d))[0] in
  await turn;
  (* All bids are in. *)
  let order = !(plan[here]) in
  let obeys =
    if order / 4096 < turn then 0
    else if if danger then alone else 0 then order / 64 mod 64 > OFF
    else 1 in
  do (A_COMMITMOVE, if obeys then order mod 64 else alone);
  do A_WAITMYTURN;
  live x
in

let grow = rec grow in fn x =>
  if spawn (grow x) then grow x else live x
in

grow 0
