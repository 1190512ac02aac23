"""The identifier's URI as a QR code (ISO/IEC 18004), for paper and for the phone."""

from __future__ import annotations

_QUIET_ZONE = 4
"""ISO/IEC 18004 §6.3.8: empty modules on every side."""

_MASK = 2
"""One of eight; the code names its mask. Trying all of them takes five times as long."""


def draw_qr_code(uri: str) -> str:
    """Draw a URI as SVG without a `style` attribute, which the security policy forbids."""
    import segno  # noqa: PLC0415  only pages load it

    drawn: str = segno.make(uri, error="m", micro=False, mask=_MASK).svg_inline(
        border=_QUIET_ZONE, omitsize=True, svgclass=None, lineclass=None, dark="#000", light="#fff"
    )
    return drawn
