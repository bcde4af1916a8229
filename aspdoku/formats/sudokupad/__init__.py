"""What SudokuPad plays: its documents (`reader`, `writer`), squeezed for an address (`squeezed`), and givens alone (`givens`)."""
