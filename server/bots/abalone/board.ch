(* The geometry of the board. It needs abalone/constants.ch before it.

   Directions are numbered from 1 to 6, counterclockwise from the right. A name that a program does not use costs it the one
   step of its `let`, once. *)

(* What one step in a direction adds to the row and to the diagonal. *)
let up    = (0, 0, 1, 1,  0, ~1, ~1) in
let right = (0, 1, 1, 0, ~1, ~1,  0) in
let opposite = fn dir => if dir > 3 then dir - 3 else dir + 3 in

(* A number from 0 to 80 for each hex, and what one step in a direction adds to it. *)
let hex = fn r => fn d => 9 * (r + 4) + d + 4 in
let step = (0, 1, 10, 9, ~1, ~10, ~9) in

(* How many steps (r, d) is from the centre: 4 on the rim, 5 one step off the board. *)
let abs = fn n => if n < 0 then ~n else n in
let max = fn a => fn b => if a > b then a else b in
let distance = fn r => fn d => max (max (abs r) (abs d)) (abs (r - d)) in

(* How many objects of one kind stand in a line that A_LOOK gave, one behind the other, from index `start` on. *)
let run = fn object => fn line => fn start =>
  (rec count in fn n => if line[n] = object then count (n + 1) else n - start) start
in

(* A direction for which `good` holds: the first one, beginning anywhere; 0 if there is none. *)
let find = fn good =>
  let start = rand 6 in
  (rec try in fn n =>
    if n = 6 then 0
    else let dir = (start + n) mod 6 + 1 in
      if good dir then dir else try (n + 1)) 0
in

(* (dir, value dir) for the direction with the highest value; (0, least) when none is above `least`. *)
let best = fn value => fn least =>
  (rec each in fn dir => fn chosen =>
    if dir > 6 then chosen
    else
      let v = value dir in
      each (dir + 1) (if v > chosen[1] then (dir, v) else chosen)) 1 (0, least)
in
