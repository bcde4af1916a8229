def chain(model, cell):
    """No number stands twice on a chain."""
    chains = {}
    for row, column, name in instance.facts["chain"]:
        chains.setdefault(name, []).append(cell[row, column])
    for cells in chains.values():
        model.add_all_different(cells)
