(* Division rounds down.
   value: (3, 1, ~4, 1, ~4, ~1, 3, ~1)
   steps: 9 *)
(7 / 2, 7 mod 2, ~7 / 2, ~7 mod 2, 7 div ~2, 7 mod ~2, ~7 div ~2, ~7 mod ~2)
