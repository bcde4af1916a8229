:- dynamic cage/3.        % cage(R,C,I): the cell in row R, column C lies in cage I
:- dynamic cage_value/2.  % cage_value(I,S): the numbers of cage I add up to S

% No number occurs twice in a cage, and its numbers add up to its sum
killer(Board) :-
  findall(I, (cage(_, _, I) ; cage_value(I, _)), Is), sort(Is, Cages),
  maplist(killer_cage(Board), Cages).

killer_cage(Board, I) :-
  findall([R,C], cage(R, C, I), Cells),
  maplist(killer_number(Board), Cells, L),
  all_different(L),
  findall(S, cage_value(I, S), Sums),
  maplist(sum(L, #=), Sums).

killer_number(Board, [R,C], X) :- nth1(R, Board, Row), nth1(C, Row, X).
