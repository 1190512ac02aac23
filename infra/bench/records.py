"""The canned records: registry records for our handler, and bare addresses for the bare handler."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import IO, Any

from ginuri.identifiers.comparison.folding import fold
from ginuri.identifiers.stewards import steward
from ginuri.registry.lists.memberships import collection_of
from ginuri.registry.record.record import Change, Record, apply
from ginuri.registry.record.serialization import read_statements, write_stamps, write_values
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import FIRST

REGISTRY, ADDRESSES = "registry", "addresses"
"""The two tables: ours, and the bare handler's."""
UNDER = "uri-gin/azgs/doc/map/"
RULED, WORST = "uri-gin/azgs/doc/well/", "uri-gin/azgs/doc/worst/"
"""The prefixes of the rules."""
A_PART = "mapImageFile.pdf"
"""The common part of every map's name."""
Item = Mapping[str, Mapping[str, str]]

_LOCATION = "https://repository.azgs.az.gov/sites/default/files/dlio/files/nid1398/dgm-37"
_STAMP = Stamp("2013-05-17T10:04:31.120Z", "uri-gin/azgs/maps.csv", "bKq7Qd1sYt.0wZ3vVtpM8nXh2cJ4rLfA", 118)
_ANCESTORS: Mapping[str, Mapping[tuple[str, ...], Any]] = {
    "uri-gin/": {
        ("record",): "scheme",
        ("title", "en"): "USGIN URI scheme",
        ("specification",): "https://repository.usgin.org/uri-gin/dlio/1223",
    },
    "uri-gin/azgs/": {
        ("record",): "authority",
        ("title", "en"): "Arizona Geological Survey",
        ("homepage",): "https://azgs.arizona.edu/",
        ("contact",): "metadata@azgs.az.gov",
        ("trusted_hosts",): ["resources.usgin.org"],
    },
    "uri-gin/azgs/doc/": {
        ("record",): "resource-type",
        ("title", "en"): "Document",
        ("definition",): "A published information resource.",
    },
    UNDER: {
        ("record",): "resource-type",
        ("title", "en"): "Map",
        ("canonical_media_type",): "application/pdf",
        ("default_media_type",): "text/html",
    },
}
_RULES = {
    RULED: [f"{county}{{id:digits(7)}}[/{{+rest}}]" for county in map("w{}x".format, range(100))],
    WORST: [
        "".join(f"{{p{piece}}}a" for piece in range(12)) + f"{{n:digits(1,{each})}}" for each in range(1, 251)
    ],
}
_HEADING = "identifier,title,title@es,media_type,location,links.license,properties.county\n"
_PARTS = {"about.html": "text/html", A_PART: "application/pdf", "NCGMP09.shp.zip": "application/zip"}


def registered(number: int) -> str:
    """Return the name of the registered map with this number."""
    return f"{UNDER}DGM-{number:07d}/"


def unregistered(number: int) -> str:
    """Return the unregistered name with this number."""
    return f"{UNDER}nobody-{number:07d}/"


def ruled(number: int) -> str:
    """Return the name with this number that a rule answers."""
    return f"{RULED}w{number % 100}x{number:07d}"


def worst_ruled(number: int) -> str:
    """Return the name with this number that every rule has to be matched against to its last letter."""
    return f"{WORST}{'a' * 650}{number:0250d}"


def change(name: str) -> Change:
    """Return the registration of `name`; every map has the same values."""
    values = _ANCESTORS.get(name) or _rules_of(name) or _map_values()
    return apply(Record(name, {}), read_statements(values.items()), _STAMP)


def write_wells(stream: IO[str], numbers: Iterable[int]) -> None:
    """Write a table that registers wells with these numbers."""
    stream.write(_HEADING)
    for number in numbers:
        stream.write(
            f"{UNDER}new-{number:07d}/,Well {number},Pozo {number},text/html,"
            f"https://example.org/{number}.html,https://example.org/by/,Cochise\n"
        )


def registry_item(name: str) -> Item | None:
    """Return the item of the registry, or None for an unregistered name."""
    if name in _ANCESTORS or name in _RULES:
        return _item(name, **_texts(name))
    return _item(name, **_MAP_TEXTS) if _is_a_map(name) and name.endswith("/") else None


def address_item(name: str) -> Item | None:
    """Return the item of the bare handler, with the location only."""
    return _item(name, location=f"{_LOCATION}.html") if _is_a_map(name) else None


def _is_a_map(name: str) -> bool:
    return name.startswith(f"{UNDER}DGM-")


def _item(name: str, revision: str | None = None, **texts: str) -> Item:
    item = {"identifier": name, "version": "now", **texts}
    written = {field: {"S": text} for field, text in item.items()}
    return written | {"revision": {"N": revision}} if revision else written


def _texts(name: str) -> dict[str, str]:
    after = change(name).after
    collection = collection_of(name, after.values())
    return ({"collection": collection} if collection else {}) | {
        "body": write_values(after.values()),
        "stamps": write_stamps(after.entries, after.values()),
        "modified": after.modified.put,
        "folded": fold(name),
        "steward": steward(name),
        "revision": str(after.revision),
    }


def _rules_of(name: str) -> dict[tuple[str, ...], Any]:
    place = ("representations", "form   ")
    return {
        ("rules", pattern, *path): value
        for pattern in _RULES.get(name, ())
        for path, value in (((*place, FIRST), 0), ((*place, "location"), f"{_LOCATION}/{{+all}}"))
    }


def _map_values() -> dict[tuple[str, ...], Any]:
    statements: dict[tuple[str, ...], Any] = {
        ("title", "en"): "Geologic Map of the Fort McDowell Quadrangle, Maricopa County, Arizona",
        ("properties", "creator"): "Skotnicki, Steven J.",
        ("properties", "issued"): "2004",
    }
    for order, (part, media_type) in enumerate(_PARTS.items()):
        fields = {"part": part, "media_type": media_type, "location": f"{_LOCATION}/{part}", FIRST: order}
        statements |= {("representations", part, field): value for field, value in fields.items()}
    return statements


_MAP_TEXTS = _texts(registered(0))
