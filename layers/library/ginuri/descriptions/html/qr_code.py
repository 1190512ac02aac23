"""The identifier's URI as a QR code (ISO/IEC 18004), for paper and for the phone."""

from __future__ import annotations

_QUIET_ZONE = 4
"""ISO/IEC 18004 §6.3.8: so many modules of nothing on every side."""

_MASK = 2
"""Of eight. The code says which it has; to try all for the most even one would take five times as long."""


def draw_qr_code(uri: str) -> str:
    """Draw a URI as SVG without an attribute `style`, which the security policy would not allow."""
    import segno  # noqa: PLC0415  what is no page does not pay for it

    drawn: str = segno.make(uri, error="m", micro=False, mask=_MASK).svg_inline(
        border=_QUIET_ZONE, omitsize=True, svgclass=None, lineclass=None, dark="#000", light="#fff"
    )
    return drawn
