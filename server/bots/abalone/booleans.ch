(* Truth values (the Abalone handout, section 4.4). Zero is false, every other integer is true; these functions give true or false.
   They are functions: both arguments are evaluated, whatever the first one is. *)

let true = 1 in
let false = 0 in
let not = fn a => if a then false else true in
let and = fn a => fn b => if a then (if b then true else false) else false in
let or = fn a => fn b => if a then true else if b then true else false in
let xor = fn a => fn b => if a then not b else if b then true else false in
