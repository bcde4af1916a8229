def killer(model, cell):
    """No number stands twice in a cage, and the numbers of a cage add up to its sum."""
    cages = {}
    for row, column, name in instance.facts["cage"]:
        cages.setdefault(name, []).append(cell[row, column])
    for cells in cages.values():
        model.add_all_different(cells)
    for name, total in instance.facts["cage_value"]:
        model.add(sum(cages.get(name, [])) == total)
