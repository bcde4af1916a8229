def anti_knight(self):
    """A number is no longer available a knight's move away from its cell."""
    for (row, column), number in self.grid.items():
        for down, right in [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]:
            if (row + down, column + right) in self.grid:
                self.g_dom[row + down, column + right].discard(number)
