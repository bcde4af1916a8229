def anti_knight(self):
    """A number is used up a knight's move from where it stands."""
    for (row, column), number in self.grid.items():
        for down, right in [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]:
            if (row + down, column + right) in self.grid:
                self.g_dom[row + down, column + right].discard(number)
