"""What SudokuPad plays: its documents (`reader`), squeezed for an address (`squeezed`), and givens alone (`givens`)."""
