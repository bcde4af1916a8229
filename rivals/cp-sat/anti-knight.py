def anti_knight(model, cell):
    """No two equal numbers are a knight's move apart."""
    for row, column in cell:
        for down, right in [(1, -2), (1, 2), (2, -1), (2, 1)]:
            if (row + down, column + right) in cell:
                model.add(cell[row, column] != cell[row + down, column + right])
