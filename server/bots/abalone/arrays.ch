(* Folding, mapping and joining arrays (the Abalone handout, section 4.3).
   An array ends at its first entry of zero, or after its first s entries, whichever comes first. *)

(* foldl f acc l s: f (l[n-1]) (… (f (l[1]) (f (l[0]) acc))) *)
let foldl = fn f => fn acc => fn l => fn s =>
  (rec go in fn i => fn acc =>
    if i < s then
      let x = l[i] in
      if x = 0 then acc else go (i + 1) (f x acc)
    else acc) 0 acc
in

(* How many entries come before the end of l, at most s. *)
let extent = fn l => fn s =>
  (rec go in fn i =>
    if i < s then (if l[i] = 0 then i else go (i + 1)) else i) 0
in

(* foldr f acc l s: f (l[0]) (f (l[1]) (… (f (l[n-1]) acc))) *)
let foldr = fn f => fn acc => fn l => fn s =>
  (rec go in fn i => fn acc =>
    if i < 0 then acc else go (i - 1) (f (l[i]) acc)) (extent l s - 1) acc
in

(* map f l s: the array of f (l[0]), f (l[1]), … *)
let map = fn f => fn l => fn s =>
  (rec go in fn i => fn new =>
    if i < s then
      let x = l[i] in
      if x = 0 then new else go (i + 1) (new[i := f x])
    else new) 0 ()
in

(* append l1 l2 s1 s2: l1 with the first s2 entries of l2 written over what follows its own first s1 *)
let append = fn l1 => fn l2 => fn s1 => fn s2 =>
  let start = extent l1 s1 in
  (rec go in fn i => fn new =>
    if i < s2 then
      let x = l2[i] in
      if x = 0 then new else go (i + 1) (new[start + i := x])
    else new) 0 l1
in
