(* simple_bot.cl: a weak team, the one to beat first.

   Its bots never talk to each other. Each looks around once a turn: if it is
   half of a pair that can push an enemy, it pushes; if not, it takes a step,
   but none that leads away from the centre. The other half of a pair sees the
   same and does the same, so they push together without a word. *)

#include abalone/constants.ch

(* Directions are numbered from 1 to 6, counterclockwise from the right. *)
let opposite = fn dir => if dir > 3 then dir - 3 else dir + 3 in

(* What one step in a direction adds to the row and to the diagonal. *)
let up    = (0, 0, 1, 1,  0, ~1, ~1) in
let right = (0, 1, 1, 0, ~1, ~1,  0) in

(* How many steps (r, d) is away from the centre: 4 on the rim. *)
let abs = fn n => if n < 0 then ~n else n in
let max = fn a => fn b => if a > b then a else b in
let distance = fn r => fn d => max (max (abs r) (abs d)) (abs (r - d)) in

(* Can this bot push in a direction, as the front or the rear of a pair?
   `around` is what A_SCAN sees; the piece in direction 1 is at index 0. *)
let pushes = fn around => fn dir =>
  let ahead = around[dir - 1] in
  if ahead = T_OPIECE then around[opposite dir - 1] = T_PIECE
  else if ahead = T_PIECE then (do (A_LOOK, dir))[1] = T_OPIECE
  else 0
in

(* Is the hex in a direction empty, and no farther out than this one? *)
let inward = fn around => fn here => fn dir =>
  let r = here[0] in
  let d = here[1] in
  if around[dir - 1] = T_EMPTY
  then distance (r + up[dir]) (d + right[dir]) <= distance r d
  else 0
in

(* The first direction for which `good` holds, beginning anywhere; 0 if none. *)
let find = fn good =>
  let start = rand 6 in
  (rec try in fn n =>
    if n = 6 then 0
    else let dir = (start + n) mod 6 + 1 in
      if good dir then dir else try (n + 1)) 0
in

let live = rec live in fn x =>
  let around = do A_SCAN in
  let here = (do A_MYSTAT)[0] in
  let push = find (pushes around) in
  do (A_COMMITMOVE, if push then push else find (inward around here));
  do A_WAITMYTURN;
  live x
in

let grow = rec grow in fn x =>
  if spawn (grow x) then grow x else live x
in

do (A_TALK, "Simple, but many.");
grow 0
