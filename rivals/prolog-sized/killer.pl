:- dynamic cage/3.        % cage(R,C,I): the cell in row R, column C lies in cage I
:- dynamic cage_value/2.  % cage_value(I,S): the numbers of cage I add up to S

% No number occurs twice in a cage, and its numbers add up to its sum.
killer(Board) :-
    regions(cage, Board, Cages),
    maplist(all_distinct, Cages),
    findall(I-S, cage_value(I, S), Sums),
    maplist(killer_sum(Board), Sums).

killer_sum(Board, I-S) :-
    region(cage, Board, I, Cage),
    sum(Cage, #=, S).
