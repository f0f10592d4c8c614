(* The handout's example, section 4.1.
   value: 6
   steps: 23 *)
let fact =
  rec f in
    fn n => if n=0 then 1 else n * f(n-1)
in fact 3
