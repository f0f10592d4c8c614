(* A barrier for n threads (the Abalone handout, section 10): whoever comes to it waits until all n have come, then all go on.
   It can be used again and again.

   A barrier is (n, how many have come, the number of the round, the gate of even rounds, the gate of odd rounds).
   Only the thread that holds a lock can give it back, so those who wait can't all sleep: one of them holds the gate and watches the
   number of the round; the others sleep in the queue for the gate's lock. If the watcher dies, its lock goes to the next, who then watches.
   There are two gates because a thread can be slow to leave: it then still finds the gate of its own round open. *)

let makeBarrier = fn n => (n, gref 0, gref 0, gref 0, gref 0) in

let waitB = fn barrier =>
  let come = barrier[1] in
  let round = barrier[2] in
  acquire come;
  if !come + 1 = barrier[0] then (come := 0; round := !round + 1; release come)
  else
    let mine = !round in
    let gate = barrier[3 + mine mod 2] in
    come := !come + 1;
    release come;
    acquire gate;
    rec watch in if !round = mine then watch else release gate
in
