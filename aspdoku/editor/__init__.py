"""A language server, `aspdoku lsp`: findings while a file is typed, and what an editor asks about a
place in it. `document` is the text with what stands at a place, `words` answers from the text and
the library, `searches` by clingo; all of it runs in child processes, which `server` starts.
"""
