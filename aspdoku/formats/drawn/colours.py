"""English names for the colours of drawings.

Setters name the same colour differently, so a colour has every name whose range of hue and
lightness contains it, with the nearest name first. Transparency is blended on white.
"""

from __future__ import annotations

import re
import tomllib
from colorsys import rgb_to_hls
from math import hypot
from pathlib import Path

Colour = tuple[float, float, float]
UNKNOWN: Colour = (-1.0, -1.0, -1.0)  # a colour in a notation that is not known: it has no name


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_NAMES = {*_DATA["ranges"], "white", "black", "grey", "silver"}
_DULL = {"tan", "beige"}
_BASIC = {"red", "pink", "orange", "brown", "yellow", "green", "blue", "purple", "tan", "peach"}
_HEX = re.compile(r"[0-9a-f]{6}([0-9a-f]{2})?")
_FUNCTION = re.compile(r"rgba?\(((?:\s*[0-9.]{1,9}\s*,?){3,4})\)")
_TRANSPARENT = {"", "none", "transparent"}
_GREYISH, _COLOURED = 0.16, 0.06  # the greatest chroma of a grey, and the least with a hue
_FAINT = 0.03  # opacity below which nothing is visible


def colour(value: object) -> Colour | None:
    """The colour of a notation on white; None for one that cannot be seen."""
    text = value.strip().lstrip("#").lower() if isinstance(value, str) else ""
    if text in _TRANSPARENT:
        return None
    text = _DATA["css"].get(text, text)
    if function := _FUNCTION.fullmatch(text):
        numbers = [float(part) for part in re.findall(r"\d+(?:\.\d+)?", function[1])]
        channels = [min(each / 255, 1.0) for each in numbers[:3]]
        opacity = min(numbers[3], 1.0) if len(numbers) > 3 else 1.0
    else:
        text = text * 3 if len(text) == 1 else text
        text = "".join(sign * 2 for sign in text) if len(text) in (3, 4) else text
        if not _HEX.fullmatch(text):
            return UNKNOWN
        channels = [int(text[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        opacity = int(text[6:], 16) / 255 if len(text) == 8 else 1.0
    if opacity < _FAINT or len(channels) < 3:
        return None
    red, green, blue = (each * opacity + 1 - opacity for each in channels)
    return red, green, blue


def without_shade(name: str) -> str:
    """The name of a colour in a text without its shade; empty for one that is no single colour."""
    last = name.rpartition(" ")[2]
    last = _DATA["spellings"].get(last, last)
    return last if last in _NAMES else ""


def is_like(one: Colour | None, other: Colour | None, most: float = 0.1) -> bool:
    """Whether two colours look the same."""
    if one is None or other is None:
        return one is other
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < most


def notation(seen: Colour | None) -> str:
    """A colour as `#rrggbb`; empty for one that cannot be seen, or is not known."""
    if seen is None or seen == UNKNOWN:
        return ""
    return "#" + "".join(f"{round(255 * min(each, 1.0)):02x}" for each in seen)


def is_white(seen: Colour | None) -> bool:
    """Whether a colour cannot be seen on white."""
    return seen is None or is_like(seen, (1.0, 1.0, 1.0), 0.04)


def names(seen: Colour | None) -> tuple[str, ...]:
    """The English names of a colour, the nearest first."""
    if seen is None or seen == UNKNOWN:
        return ()
    angle, light, _ = rgb_to_hls(*seen)
    chroma = max(seen) - min(seen)
    closeness = _greys(light) if chroma < _GREYISH else {}
    for name, (low, high, usual, dark, pale, best) in _DATA["ranges"].items():
        turn = (angle * 360 - usual + 180) % 360 - 180
        in_range = low - usual <= turn <= high - usual and dark <= light <= pale
        if in_range and chroma > _COLOURED and not (name in _DULL and chroma > 0.5):
            rare = 0.4 * (name not in _BASIC) + (chroma < _GREYISH)
            closeness[name] = rare + hypot(turn / 40, (light - best) / 0.4)
    return tuple(sorted(closeness, key=lambda name: closeness[name]))


def _greys(light: float) -> dict[str, float]:
    closeness = {"white": 1 - light} if light > 0.93 else {"black": light} if light < 0.25 else {}
    if 0.1 <= light < 0.97:
        closeness |= {"grey": abs(light - 0.6), "silver": 1.0}
    return closeness
