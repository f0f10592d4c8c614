(* @NAME@: a team of robot Abalone.

     grandstand play abalone @FILE@ random                  who wins, and what cost the loser most
     grandstand play abalone @FILE@ random -vv              every action, its answer, and why it failed
     grandstand play abalone @FILE@ simple_bot --matches 100

   Every piece is a thread that runs this program and sees the board from its own hex. *)

#include abalone/constants.ch

(* A direction is a number from 1 to 6, counterclockwise from the right. *)
let opposite = fn dir => if dir > 3 then dir - 3 else dir + 3 in

(* What one step in a direction adds to the row and to the diagonal; index 0 is no direction. *)
let rowStep = (0, 0, 1, 1, 0, ~1, ~1) in
let diagonalStep = (0, 1, 1, 0, ~1, ~1, 0) in

(* How many steps a hex is away from the centre: 4 is the rim, from where pieces are pushed off. *)
let abs = fn n => if n < 0 then ~n else n in
let max = fn a => fn b => if a > b then a else b in
let distance = fn r => fn d => max (max (abs r) (abs d)) (abs (r - d)) in

(* Idea 1: push. With an enemy ahead and a friend behind, two push one. The friend must want
   the same, so it looks over the shoulder of whoever stands before it.
   `around` is the answer of A_SCAN; what stands in direction 1 is at index 0. *)
let canPush = fn around => fn dir =>
  let ahead = around[dir - 1] in
  if ahead = T_OPIECE then around[opposite dir - 1] = T_PIECE
  else if ahead = T_PIECE then (do (A_LOOK, dir))[1] = T_OPIECE
  else 0
in

(* Idea 2: go to the centre. Is the hex in this direction empty, and no farther out than this one? *)
let leadsInward = fn around => fn here => fn dir =>
  if around[dir - 1] = T_EMPTY
  then distance (here[0] + rowStep[dir]) (here[1] + diagonalStep[dir]) <= distance (here[0]) (here[1])
  else 0
in

(* The first direction for which `good` holds, 0 if there is none. It begins anywhere. *)
let findDirection = fn good =>
  let start = rand 6 in
  (rec try in fn n =>
    if n = 6 then 0
    else let dir = (start + n) mod 6 + 1 in
      if good dir then dir else try (n + 1)) 0
in

(* A bot's life: look, decide, commit the move, wait until the opponent has moved. It must never
   end: a thread that ends loses its piece, and the opponent gets a point. *)
let live = rec live in fn x =>
  let around = do A_SCAN in
  let here = (do A_MYSTAT)[0] in
  let push = findDirection (canPush around) in
  do (A_COMMITMOVE, if push then push else findDirection (leadsInward around here));
  do A_WAITMYTURN;
  live x
in

(* `spawn` makes another piece next to this one. It is 0 when that can't be; then the bot lives. *)
let grow = rec grow in fn x => if spawn (grow x) then grow x else live x in

grow 0

(* What to try next: don't stand where an enemy pair could push you off; chains of three; a plan
   that all bots share, in a cell made by `gref`. server/bots/README.md goes on from here. *)
