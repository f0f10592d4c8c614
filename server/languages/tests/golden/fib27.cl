(* value: 196418
   steps: 3495915 *)
let fib = rec fib in fn n => if n < 2 then n else fib (n - 1) + fib (n - 2) in
fib 27
