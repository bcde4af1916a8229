def killer(self):
    """A number is no longer available in its cage, and a cell keeps the numbers that its cage can
    complete to the sum.
    """
    cages = {}
    for row, column, name in instance.facts["cage"]:
        cages.setdefault(name, []).append((row, column))
    for cells in cages.values():
        for cell in cells:
            for other in cells:
                if other != cell:
                    self.g_dom[other].discard(self.grid[cell])
    for name, total in instance.facts["cage_value"]:
        for cell in cages.get(name, self.g_dom):
            rest = [self.g_dom[other] for other in cages.get(name, []) if other != cell]
            least = sum(min(domain, default=0) for domain in rest)
            most = sum(max(domain, default=0) for domain in rest)
            self.g_dom[cell] &= set(range(total - most, total - least + 1))
