"""SudokuPad: documents (`reader`, `writer`), and their encodings in URLs (`encoding`).

`table` lists the keys of documents that can be interpreted.
"""
