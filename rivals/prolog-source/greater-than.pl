:- dynamic gt/4.  % gt(R,C,R1,C1): the number in row R, column C is greater than the one in row R1, column C1

% The number on the open side of each sign is greater than the one at its tip
greater_than(Board) :-
  findall([R,C,R1,C1], gt(R, C, R1, C1), Signs),
  maplist(greater_than_sign(Board), Signs).

greater_than_sign(Board, [R,C,R1,C1]) :-
  nth1(R, Board, Row), nth1(C, Row, X),
  nth1(R1, Board, Row1), nth1(C1, Row1, Y),
  X #> Y.
