(* Closures keep what they were made with; cells change under them.
   value: (15, 25, 3)
   steps: 40 *)
let cell = lref 1 in
let adder = fn n => fn x => x + n * !cell in
let five = adder 5 in
let before = five 10 in
cell := 3;
let after = five 10 in
(before, after, (rec count in if !cell < 10 then (cell := !cell * 2; count) else !cell / 4))
