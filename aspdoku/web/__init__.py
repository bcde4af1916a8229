"""Pages that solve puzzles in the browser: the live page and handouts.

Python composes and renders; clingo, compiled to WebAssembly, answers in the reader's browser. The
JavaScript, the style and clingo are in `static/`; `docs/architecture.md` describes the interfaces.
"""
