(* Functions of several arguments: known and unknown ones, with too few arguments and with too many.
   value: (111, 6, 6, 123, 7)
   steps: 35 *)
let add = fn a => fn b => fn c => a + b + c in
let apply = fn f => fn x => fn y => f x y in
let some = add 100 10 in
let three = apply add 1 2 3 in
let id = fn x => x in
(some 1, three, id add 1 2 3, apply (fn a => fn b => a * 10 + b) 12 3, id id id 7)
