"""What the rules take for said where the facts do not say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Signature = tuple[str, int]  # a predicate: its name, and how many arguments it has

# The last argument that is meant, in a grid of so many rows, where no fact of these says any: of a
# line, or at all.
UNSAID: Mapping[Signature, Callable[[int], int]] = {
    ("lockout_value", 2): lambda size: size // 2,
    ("modular_value", 2): lambda _: 3,
    ("negative_black_dot", 1): lambda _: 2,
    ("pill_arrow_pill", 2): lambda _: 2,
    ("whispers_value", 2): lambda size: (size + 1) // 2,
}
