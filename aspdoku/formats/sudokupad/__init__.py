"""What SudokuPad plays.

Its documents (`reader`, `writer`), squeezed for an address (`squeezed`), and givens alone
(`givens`).
"""
