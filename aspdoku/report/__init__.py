"""Results as text, JSON and HTML. Nothing is computed here.

`aspdoku/schemas/KIND.json` is the JSON Schema of each kind of JSON result. The version of the
schemas is raised when a key is removed, renamed or gets another meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCHEMA_VERSION = 1
# Why a search ended early.
STOPPED = {"time": "the time limit was reached", "interrupted": "interrupted"}


def tagged(kind: str, result: Mapping[str, object]) -> dict[str, Any]:
    """A result with the key `schema`, which names its kind and the version of the schema."""
    return {"schema": f"aspdoku/{kind}/{SCHEMA_VERSION}", **result}
