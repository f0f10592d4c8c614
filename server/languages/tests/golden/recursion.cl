(* Recursion that does not end comes to the limit of depth.
   error: recursion.cl:4:36: more than 50000 calls are under way: endless recursion?
   steps: 150005 *)
let down = rec down in fn n => 1 + down (n + 1) in
down 0
