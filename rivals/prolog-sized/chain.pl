:- dynamic chain/3.  % chain(R,C,I): the cell in row R, column C lies on chain I

% Every chain is valid.
chain(Board) :-
    regions(chain, Board, Chains),
    maplist(valid, Chains).
