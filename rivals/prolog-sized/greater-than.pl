:- dynamic gt/4.  % gt(R,C,R1,C1): the number in row R, column C is greater than the one in row R1, column C1

% The number on the open side of each sign is greater than the one at its tip.
greater_than(Board) :-
    findall(R/C-R1/C1, gt(R, C, R1, C1), Signs),
    maplist(greater_than_sign(Board), Signs).

greater_than_sign(Board, Cell-Cell1) :-
    number(Board, Cell, X),
    number(Board, Cell1, Y),
    X #> Y.
