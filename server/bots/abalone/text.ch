(* Numbers and arrays as texts, to say and to join: do (A_TALK, cat "at " (show here 2)).

   A text is the array of its character codes, and ends at the first 0. *)

(* Writes an integer into a text from the place `at` on: (the text, the place behind it). *)
let writeInt =
  let digits = rec digits in fn n => if n < 10 then 1 else 1 + digits (n / 10) in
  (* Writes the digits of n, the last one at `at`. *)
  let put = rec put in fn n => fn at => fn text =>
    let text = text[at := 48 + n mod 10] in
    if n < 10 then text else put (n / 10) (at - 1) text in
  fn n => fn at => fn text =>
    if n < 0 then
      (* The least integer has no opposite: its last digit is taken off first. *)
      let last = (10 - n mod 10) mod 10 in
      let rest = 0 - (n + last) / 10 in
      let length = if rest = 0 then 0 else digits rest in
      let text = text[at := 126] in
      ((if rest = 0 then text else put rest (at + length) text)[at + length + 1 := 48 + last], at + length + 2)
    else let length = digits n in (put n (at + length - 1) text, at + length)
in

(* The text of an integer, with `~` before one that is negative. *)
let str = fn n => (writeInt n 0 ())[0] in

(* How many characters a text has. *)
let textLength = fn text => (rec count in fn i => if text[i] = 0 then i else count (i + 1)) 0 in

(* The one text, and behind it the other one. *)
let cat = fn text => fn other =>
  (rec go in fn from => fn to => fn text =>
    let code = other[from] in
    if code = 0 then text else go (from + 1) (to + 1) (text[to := code])) 0 (textLength text) text
in

(* An integer as its text; of an array the first n entries: show (3, ~4) 2 is "(3, ~4)". Arrays in it are shown with n entries too;
   functions and cells are `?`. *)
let show = fn value => fn n =>
  let write = rec write in fn value => fn at => fn text =>
    let kind = typeof value in
    if kind = 0 then writeInt value at text
    else if kind = 2 then
      (rec go in fn i => fn at => fn text =>
        if i < n then
          let written = write (value[i]) at text in
          let at = written[1] in
          if i + 1 = n then (written[0][at := 41], at + 1)
          else go (i + 1) (at + 2) (written[0][at := 44][at + 1 := 32])
        else (text[at := 41], at + 1)) 0 (at + 1) (text[at := 40])
    else (text[at := 63], at + 1)
  in
  (write value 0 ())[0]
in
