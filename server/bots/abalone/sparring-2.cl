(* sparring-2.cl: pairs that push.

   Idea: look around before moving. A bot that is half of a pair with an enemy in front of it pushes. The other half sees
   the same and does the same, so they push together without a word.

   Still weak: it sees pairs only, takes the first push that it finds, and its halves may find different ones. Who can't
   push strolls about, over the rim too. *)

#include abalone/constants.ch
#include abalone/board.ch

(* Is this bot the front or the rear of a pair that can push in a direction?
   `around` is what A_SCAN sees; the piece in direction 1 is at index 0. *)
let pushes = fn around => fn dir =>
  let ahead = around[dir - 1] in
  if ahead = T_OPIECE then around[opposite dir - 1] = T_PIECE
  else if ahead = T_PIECE then (do (A_LOOK, dir))[1] = T_OPIECE
  else 0
in

let live = rec live in fn x =>
  let around = do A_SCAN in
  let push = find (pushes around) in
  do (A_COMMITMOVE, if push then push else find (fn dir => around[dir - 1] = T_EMPTY));
  do A_WAITMYTURN;
  live x
in

let grow = rec grow in fn x =>
  if spawn (grow x) then grow x else live x
in

grow 0
