"""The identifier's URI as a QR code (ISO/IEC 18004), for paper and phones."""

from __future__ import annotations

from io import BytesIO

_QUIET_ZONE = 4
"""ISO/IEC 18004 §6.3.8: empty modules on every side."""

_MASK = 2
"""One of eight; the code contains its mask. Trying all of them takes five times as long."""


def draw_qr_code(uri: str) -> bytes:
    """Draw a URI of at most 2,331 bytes as SVG; an identifier has 1,024, and a host 253."""
    import segno

    drawn = BytesIO()
    segno.make(uri, error="m", micro=False, mask=_MASK).save(
        drawn,
        kind="svg",
        border=_QUIET_ZONE,
        omitsize=True,
        xmldecl=False,
        nl=False,
        svgclass=None,
        lineclass=None,
        dark="#000",
        light="#fff",
    )
    return drawn.getvalue()
