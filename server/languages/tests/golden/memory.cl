(* A list that grows without end comes to the limit of memory, counted in the cycles that are multiples of 1,024.
   error: memory.cl:4:31: out of memory: its team holds more than 1048576 words
   steps: 1049600 *)
(rec grow in fn list => grow (1, list)) 0
