"""Running something within limits: a command under supervision (`supervise`), a call in a child
process with limits on processor time, wall clock and memory, or another program (`child`), a call
in one of a pool (`pool`), or in a fork of a process that has its modules already (`fork_server`);
Ctrl-C (`signals`), time limits that several calls share (`deadline`), and what a long computation
is doing (`progress`).

Clingo cannot be interrupted while it grounds, and it may end its process when memory is exhausted.
Work that may do either therefore runs in a child process, whose end is a result.
"""
