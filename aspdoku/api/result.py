"""What the results of all public functions have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from html import escape
from typing import Any


class Result(ABC):
    """A frozen result.

    `str(result)` is what the command prints, `to_json()` what it prints with `--format json`, and a
    notebook shows the text.
    """

    @abstractmethod
    def __str__(self) -> str:
        """The result as the command prints it."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The result as a dictionary for `json.dumps`."""

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"
