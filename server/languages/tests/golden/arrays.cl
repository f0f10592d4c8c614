(* Arrays are values, zero where nothing was written; a text is an array of codes.
   value: ((1, 2), (1, 7), (0, 0, 0, 9), (72, 105), 0)
   steps: 10 *)
let a = (1, 2) in
let b = a[1 := 7] in
let c = ()[3 := 9] in
(a, b, c, "Hi", a[100000])
