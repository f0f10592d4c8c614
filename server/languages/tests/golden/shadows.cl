(* The innermost binding counts; a parameter hides a function's own name.
   value: (2, 1, 9)
   steps: 8 *)
let x = 1 in
let y = (let x = 2 in x) in
let f = rec f in fn f => f * f in
(y, x, f 3)
