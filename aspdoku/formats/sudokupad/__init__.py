"""SudokuPad: documents (`reader`, `writer`), their compact form in URLs (`compact_json`), and codes
for givens only (`classic_codes`).
"""
