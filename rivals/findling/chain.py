def chain(self):
    """A number is used up on its chain."""
    chains = {}
    for row, column, name in instance.facts["chain"]:
        chains.setdefault(name, []).append((row, column))
    for cells in chains.values():
        for cell in cells:
            for other in cells:
                if other != cell:
                    self.g_dom[other].discard(self.grid[cell])
