(* The numbers that the Abalone world and its programs agree on (the Abalone handout, sections 3 and 5). *)

(* Actions: do A_SCAN, do (A_LOOK, UL), do (A_INSPECT, r, d), do (A_TALK, "hello") *)
let A_MYSTAT = 1 in       (* ((r, d), dir): where the bot stands and the move that it has committed *)
let A_TEAMSTAT = 2 in     (* (pieces, score, spawns left, then the same of the opponent) *)
let A_GAMESTAT = 3 in     (* (turn, cycles until this team's next move) *)
let A_INSPECT = 4 in      (* with r, d: what stands there *)
let A_LOOK = 5 in         (* with a direction: what stands in that line, the nearest first, T_OFFBOARD last *)
let A_SCAN = 6 in         (* what stands to the R, UR, UL, L, DL, DR *)
let A_COMMITMOVE = 7 in   (* with a direction: move there when the team's turn comes *)
let A_WAITTURN = 8 in     (* waits for the start of the next turn *)
let A_WAITMYTURN = 9 in   (* waits until the opponent has moved *)
let A_TALK = 10 in        (* with a text: says it *)

(* What stands on a hex. None of them is 0, so that a 0 ends the array that A_LOOK gives. *)
let T_EMPTY = 1 in
let T_PIECE = 2 in        (* of this bot's team *)
let T_OPIECE = 3 in       (* of the opponent *)
let T_OFFBOARD = 4 in

(* Directions, counterclockwise from the right; 0 is none. *)
let R = 1 in
let UR = 2 in
let UL = 3 in
let L = 4 in
let DL = 5 in
let DR = 6 in
