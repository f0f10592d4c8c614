(* A name that nothing binds is an error when it is reached, not before.
   error: unbound.cl:7:3: stuck: the name `nobody` is not bound
   steps: 5 *)
let f = fn x => nobody in
if 1 < 2 then
  (3; 4);
  nobody + f 1
else f 2
