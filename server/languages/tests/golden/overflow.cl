(* Integers have 64 bits, and say so when that is not enough.
   error: overflow.cl:5:53: stuck: the result of `*` does not fit in 64 bits
   steps: 579 *)
let power = rec power in fn n =>
  if n = 0 then 1 else 2 * (if n < 0 then 0 else 1) * power (n - 1) in power 64
