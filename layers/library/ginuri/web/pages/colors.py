"""The style with the color of a host: its links and buttons, with enough contrast in light and in dark."""

from __future__ import annotations

import hashlib
import re

from ginuri.web.pages.assets import DIGITS, Asset

LEAST_CONTRAST = 4.5
"""Web Content Accessibility Guidelines 2.2, success criterion 1.4.3."""
_DARKEST_LIGHT, _LIGHTEST_DARK = "#f3efe4", "#1d2326"
"""The backgrounds of `style.css` with the least contrast: `--wash` in light, `--raised` in dark."""
_STEP = 0.05
_NAME = re.compile("color-([0-9a-f]{6})")
_Color = tuple[float, float, float]


def color_path(color: str) -> str:
    """Return the path of the style of a color.

    >>> color_path("#0a5a78").startswith("/assets/color-0a5a78.")
    True
    """
    return _write(color).path


def find_color(stem: str) -> Asset | None:
    """Return the style by the beginning of its name; None for another file."""
    match = _NAME.fullmatch(stem)
    return _write(f"#{match[1]}") if match else None


def adapt(color: str, background: str) -> str:
    """Return a color darker or lighter, as far as it needs for its contrast with a background.

    >>> adapt("#0a5a78", "#f3efe4"), adapt("#ffff00", "#f3efe4"), adapt("#000000", "#1d2326")
    ('#0a5a78', '#666600', '#8c8c8c')
    """
    end = 0.0 if _luminance(_read(background)) > 0.5 else 255.0  # noqa: PLR2004  the middle of 0 and 1
    channels, share = _read(color), 0.0
    while contrast(color, background) < LEAST_CONTRAST:
        share += _STEP
        mixed = [round(channel + (end - channel) * share) for channel in channels]
        color = "#{:02x}{:02x}{:02x}".format(*mixed)
    return color


def contrast(color: str, other: str) -> float:
    """Return the contrast ratio of two colors (WCAG 2.2).

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    darker, lighter = sorted((_luminance(_read(color)), _luminance(_read(other))))
    return round((lighter + 0.05) / (darker + 0.05), 2)


def _write(color: str) -> Asset:
    light, dark = adapt(color, _DARKEST_LIGHT), adapt(color, _LIGHTEST_DARK)
    style = (
        f":root {{ --link: {light}; --accent: {light}; }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ --link: {dark}; --accent: {dark}; }} }}\n"
    ).encode()
    return Asset(f"color-{color[1:]}.css", style, hashlib.sha256(style).hexdigest()[:DIGITS])


def _read(color: str) -> _Color:
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue


def _luminance(color: _Color) -> float:
    # WCAG 2.2, relative luminance
    red, green, blue = (
        channel / 255 / 12.92 if channel / 255 <= 0.04045 else ((channel / 255 + 0.055) / 1.055) ** 2.4  # noqa: PLR2004  of sRGB
        for channel in color
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
