def greater_than(model, cell):
    """The number on the open side of a sign is greater than the one at its tip."""
    for row, column, row1, column1 in instance.facts["gt"]:
        model.add(cell[row, column] > cell[row1, column1])
