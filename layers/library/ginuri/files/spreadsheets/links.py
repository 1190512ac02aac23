"""The web addresses that cells of a sheet link to, beside their texts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ginuri.files.spreadsheets.cell_references import read_range
from ginuri.files.spreadsheets.xml_parts import Package
from ginuri.identifiers.errors import UnreadableFile

MOST_LINKED = 200_000
"""The most cells of a sheet with a link beside them; Excel writes at most 65,530 links."""
# HYPERLINK("https://a.example/";"Report"); an address that is computed is not known.
_FORMULA = re.compile(
    r'(?:of:)?=?\s*(?:_xlfn\.)?HYPERLINK\(\s*"((?:[^"]|"")*)"\s*(?:[,;].*)?\)\s*', re.IGNORECASE | re.DOTALL
)


def web_address(target: str) -> str:
    """Return the target of a link if it is a web address; other schemes are never taken."""
    address = target.strip()
    return address if address.lower().startswith(("http://", "https://")) else ""


def address_in(formula: str) -> str:
    """Return the web address that a formula links to, or an empty text.

    >>> address_in('of:=HYPERLINK("https://a.example/";"Report")'), address_in('HYPERLINK("mailto:a@b",A1)')
    ('https://a.example/', '')
    """
    found = _FORMULA.fullmatch(formula)
    return web_address(found[1].replace('""', '"')) if found else ""


def read_hyperlinks(package: Package, part: str) -> Mapping[tuple[int, int], str]:
    """Return the web addresses that cells of a worksheet link to (§18.3.1.47), by row and column.

    Raises UnreadableFile for too many of them.
    """
    addresses = package.addresses(part)
    found: dict[tuple[int, int], str] = {}
    linked = 0

    def start(element: str, attributes: Mapping[str, str]) -> None:
        nonlocal linked
        if element != "hyperlink":
            return
        relation = next((value for name, value in attributes.items() if name.endswith(":id")), "")
        if address := web_address(addresses.get(relation, "")):
            fragment = attributes.get("location", "")
            target = f"{address}#{fragment}" if fragment and "#" not in address else address
            for place in read_range(attributes.get("ref", ""), MOST_LINKED + 1):
                found[place] = target
                linked += 1
            if linked > MOST_LINKED:
                raise UnreadableFile(
                    "links",
                    f"> {MOST_LINKED:,}",
                    "A sheet may have at most {most} cells with links. Split it into several files.",
                    most=f"{MOST_LINKED:,}",
                )

    if addresses:
        package.parse(part, start)
    return found
