"""Work that is put off until it is needed, because it takes much of the time of a short command."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from types import ModuleType
from typing import Any, cast


class _Pattern:
    """A regular expression that is compiled when one of its methods is first used."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """A method of the compiled pattern, which is kept: the next access does not come here."""
        method = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, method)
        return method


def pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Like `re.compile`, which takes 0.1 ms; but the pattern is compiled when it is first used."""
    return cast("re.Pattern[str]", _Pattern(pattern, flags))


def load_later(*names: str) -> None:
    """Load each of these modules when something in it is first used.

    Until then, whoever imports it gets a module that loads the real one. This is no help with
    `from NAME import …`. (`importlib.util.LazyLoader` does not help with `import NAME`, either:
    that loads a module of which `sys.modules` has the lazy version.)
    """
    for name in names:
        if name not in sys.modules:
            sys.modules[name] = _Module(name)


def import_without(name: str, classes: dict[str, str]) -> None:
    """Import a module, with an empty class instead of each of `classes`, which maps modules to one.

    For modules that import a class for something that is not used here. The others that import it
    get the real one.
    """
    empty = {module: ModuleType(module) for module in classes if module not in sys.modules}
    for module, placeholder in empty.items():
        setattr(placeholder, classes[module], type(classes[module], (), {}))
    sys.modules |= empty
    try:
        import_module(name)
    finally:
        for module in empty:
            del sys.modules[module]


class _Module(ModuleType):
    def __getattr__(self, attribute: str) -> Any:
        name = self.__name__
        if sys.modules.get(name) is self:
            del sys.modules[name]
        return getattr(import_module(name), attribute)
