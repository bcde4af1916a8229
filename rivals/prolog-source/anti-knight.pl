% No two equal numbers are a knight's move apart
anti_knight(Board) :-
  length(Board, N),
  findall([R,C,R1,C1], anti_knight_move(N, R, C, R1, C1), Moves),
  maplist(anti_knight_differ(Board), Moves).

% From one of N rows to another: one row down and two aside, or two down and one aside
anti_knight_move(N, R, C, R1, C1) :-
  between(1, N, R), between(R, N, R1),
  between(1, N, C), between(1, N, C1),
  abs(R1 - R) * abs(C1 - C) =:= 2.

anti_knight_differ(Board, [R,C,R1,C1]) :-
  nth1(R, Board, Row), nth1(C, Row, X),
  nth1(R1, Board, Row1), nth1(C1, Row1, Y),
  X #\= Y.
