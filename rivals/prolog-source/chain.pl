:- dynamic chain/3.  % chain(R,C,I): the cell in row R, column C lies on chain I

% Each chain is valid, and as long as a row
chain(Board) :-
  findall(I, chain(_, _, I), Is), sort(Is, Chains),
  maplist(chain_valid(Board), Chains).

chain_valid(Board, I) :-
  findall([R,C], chain(R, C, I), Cells),
  same_length(Cells, Board),
  maplist(chain_number(Board), Cells, L),
  valid(L).

chain_number(Board, [R,C], X) :- nth1(R, Board, Row), nth1(C, Row, X).
