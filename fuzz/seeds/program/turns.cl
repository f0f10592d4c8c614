(rec grow in if spawn (do 8; grow) then grow else 0);
rec loop in (do (7, rand 7); do (10, "hello"); loop)
