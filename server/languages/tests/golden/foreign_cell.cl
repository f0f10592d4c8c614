(* A child may not touch its parent's own cells: the child is stuck, and the parent goes on.
   value: 2
   steps: 12 *)
let cell = lref 0 in
let seen = gref 0 in
spawn (seen := 1; !cell);
rec wait in if !seen = 0 then wait else !seen + 1
