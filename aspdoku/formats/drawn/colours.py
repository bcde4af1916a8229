"""English names for the colours of drawings.

Setters name the same colour differently, so a colour has every name whose range of hue and
lightness contains it, with the nearest name first. Transparency is blended on white.
"""

from __future__ import annotations

import re
from colorsys import rgb_to_hls
from math import hypot
from typing import NamedTuple

Colour = tuple[float, float, float]
UNKNOWN: Colour = (-1.0, -1.0, -1.0)  # a colour in a notation that is not known: it has no name


class _Range(NamedTuple):
    """A name: hues in degrees and lightness, each from, to, and where the name is most certain."""

    hue: tuple[int, int, int]
    lightness: tuple[float, float, float]


_RANGES = {
    "red": _Range((-20, 16, 0), (0.2, 0.8, 0.5)),
    "pink": _Range((-75, 12, -30), (0.5, 0.97, 0.78)),
    "salmon": _Range((-8, 25, 8), (0.6, 0.9, 0.72)),
    "orange": _Range((14, 46, 32), (0.35, 0.9, 0.55)),
    "peach": _Range((12, 44, 26), (0.72, 0.95, 0.84)),
    "brown": _Range((8, 45, 28), (0.1, 0.55, 0.3)),
    "tan": _Range((22, 50, 36), (0.5, 0.85, 0.7)),
    "beige": _Range((24, 60, 42), (0.7, 0.95, 0.85)),
    "gold": _Range((36, 56, 46), (0.35, 0.75, 0.5)),
    "yellow": _Range((44, 70, 57), (0.35, 0.97, 0.6)),
    "lime": _Range((65, 140, 95), (0.35, 0.9, 0.55)),
    "green": _Range((70, 170, 120), (0.1, 0.97, 0.5)),
    "turquoise": _Range((155, 196, 174), (0.3, 0.9, 0.6)),
    "teal": _Range((160, 196, 180), (0.15, 0.6, 0.35)),
    "cyan": _Range((170, 200, 184), (0.4, 0.95, 0.65)),
    "aqua": _Range((168, 200, 182), (0.4, 0.95, 0.65)),
    "blue": _Range((178, 255, 215), (0.1, 0.97, 0.55)),
    "indigo": _Range((235, 280, 260), (0.1, 0.6, 0.35)),
    "purple": _Range((255, 322, 288), (0.1, 0.97, 0.5)),
    "violet": _Range((250, 318, 275), (0.25, 0.95, 0.65)),
    "lavender": _Range((235, 310, 265), (0.65, 0.97, 0.85)),
    "lilac": _Range((255, 322, 285), (0.6, 0.95, 0.8)),
    "magenta": _Range((285, 335, 308), (0.3, 0.8, 0.5)),
}
_BASIC = {"red", "pink", "orange", "brown", "yellow", "green", "blue", "purple"}
_CSS = {
    **dict.fromkeys(("grey", "gray"), "808080"),
    **dict.fromkeys(("lightgrey", "lightgray"), "d3d3d3"),
    **dict.fromkeys(("darkgrey", "darkgray"), "a9a9a9"),
    **{"white": "ffffff", "black": "000000", "red": "ff0000", "green": "008000", "blue": "0000ff"},
    **{"lime": "00ff00", "yellow": "ffff00", "orange": "ffa500", "purple": "800080"},
    **{"pink": "ffc0cb", "cyan": "00ffff", "magenta": "ff00ff", "gold": "ffd700"},
    **{"lightblue": "add8e6", "lightgreen": "90ee90", "brown": "a52a2a", "violet": "ee82ee"},
}
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
    text = _CSS.get(text, text)
    if found := _FUNCTION.fullmatch(text):
        numbers = [float(part) for part in re.findall(r"\d+(?:\.\d+)?", found[1])]
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


def is_like(one: Colour | None, other: Colour | None, most: float = 0.1) -> bool:
    """Whether two colours look the same."""
    if one is None or other is None:
        return one is other
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < most


def is_white(seen: Colour | None) -> bool:
    """Whether a colour cannot be seen on white."""
    return seen is None or is_like(seen, (1.0, 1.0, 1.0), 0.04)


def names(seen: Colour | None) -> tuple[str, ...]:
    """The English names of a colour, the nearest first."""
    if seen is None or seen == UNKNOWN:
        return ()
    angle, light, _ = rgb_to_hls(*seen)
    chroma = max(seen) - min(seen)
    found = _greys(light) if chroma < _GREYISH else {}
    for name, (hue, lightness) in _RANGES.items() if chroma > _COLOURED else ():
        turn = (angle * 360 - hue[2] + 180) % 360 - 180
        if (
            hue[0] - hue[2] <= turn <= hue[1] - hue[2]
            and lightness[0] <= light <= lightness[1]
            and not (name in ("tan", "beige") and chroma > 0.5)
        ):
            less = (chroma < _GREYISH) + (0.0 if name in _BASIC else 0.4)
            found[name] = less + hypot(turn / 40, (light - lightness[2]) / 0.4)
    return tuple(sorted(found, key=lambda name: found[name]))


def _greys(light: float) -> dict[str, float]:
    found = {"white": 1 - light} if light > 0.93 else {"black": light} if light < 0.25 else {}
    if 0.1 <= light < 0.95:
        found |= {"grey": abs(light - 0.6), "silver": 1.0}
    return found
