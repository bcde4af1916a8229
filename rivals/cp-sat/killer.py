def killer(model, cell):
    """No number occurs twice in a cage, and its numbers add up to its sum."""
    cages = {}
    for row, column, name in instance.facts["cage"]:
        cages.setdefault(name, []).append(cell[row, column])
    for cells in cages.values():
        model.add_all_different(cells)
    for name, total in instance.facts["cage_value"]:
        model.add(sum(cages.get(name, [])) == total)
