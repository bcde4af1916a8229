% No two equal numbers are a knight's move apart.
anti_knight(Board) :-
    findall(R/C-R1/C1, anti_knight_move(R/C, R1/C1), Moves),
    maplist(anti_knight_differ(Board), Moves).

% One row down and two columns left or right, or two rows down and one column left or right.
anti_knight_move(R/C, R1/C1) :-
    cell(R/C),
    cell(R1/C1),
    (R1 - R) * abs(C1 - C) =:= 2.

anti_knight_differ(Board, Cell-Cell1) :-
    number(Board, Cell, X),
    number(Board, Cell1, Y),
    X #\= Y.
