(* idle.cl: a team that does nothing but live.

   One bot, which waits for ever. It must not just end: a team whose thread
   ends loses the piece, and the other team gets a point for it. *)

#include abalone/constants.ch

rec wait in (do A_WAITTURN; wait)
