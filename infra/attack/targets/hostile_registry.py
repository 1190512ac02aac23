"""The attacked registry: the examples, legal records made to do harm, and texts that older rules let in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from ginuri.files.options import UploadOptions, write_options
from ginuri.memory import MemoryRegistry
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import Path as FieldPath
from ginuri.registry.record.serialization import read_statements
from ginuri.registry.record.stamps import Stamp
from infra.attack.targets.service import Service
from infra.attack.targets.stores import Stores, upload_examples, write_lines

MARK = '"><x7k onload=x7k()>'
"""A text that becomes an element wherever it is repeated without being escaped."""
CONTROLS = "\x00\x07\x1b[31m\x7f\x85\x9b\ufffe\ufdd0\u202e"
"""Characters that no text may have: C0 and C1, noncharacters, an override of the direction."""
FOLDER, UNDER = "uri-gin/azgs/", "uri-gin/azgs/attack/"
GONE = "gone"
_FAR = "2999-01-01"
"""The day on which an embargo ends."""
LARGE, MOST_LARGE = 62_000, 20
"""The length of the largest titles, and their number."""
_LONG_TITLE = "map " + "&" * LARGE
ARK = "ark:12345/attack"
_TYPES = ("text/html", "application/json", "text/turtle", "application/pdf", "application/ld+json")
_LANGUAGES = ("en", "es", "de")
PROFILES = ("https://a.example/p", "https://b.example/P")


def hostile_service(folder: Path, chance: Random) -> Service:
    """Make the service that is attacked."""
    stores = Stores()
    upload_examples(stores)
    _register(stores, f"{FOLDER}attack.jsonl", hostile_lines(chance))
    _register(stores, "ark:12345/attack.jsonl", _arks())
    for number in range(8):
        store_older(stores.registry, f"{UNDER}older{number}/", f"Older {MARK}{CONTROLS}{chance.random()}")
    for number in range(MOST_LARGE):
        store_older(stores.registry, f"{UNDER}large{number}/", _LONG_TITLE)
    return Service(stores, folder)


def _register(stores: Stores, key: str, lines: Iterator[dict[str, Any]]) -> None:
    report = stores.upload(key, write_lines(lines))
    refused = [each["identifier"] for each in report["verdicts"] if each["verdict"] == "refused"]
    if refused:
        raise RuntimeError(f"the attack needs records that are refused: {refused}")


def hostile_lines(chance: Random) -> Iterator[dict[str, Any]]:
    """Yield registrations that are legal, or once were, and as hostile as the rules allow."""
    yield {"record": "resource-type", "identifier": UNDER, "title": f"Attack {MARK}"}
    for number, status in enumerate(("retired", "withheld", "reserved", "superseded")):
        yield _thing(f"{status}/", status=status, reason=f"{MARK} & {number}")
    yield _thing("embargoed/", status="embargoed", until=_FAR, reason=MARK)
    for number in range(12):
        forms = [_form(chance, place) for place in range(chance.randrange(1, 6))]
        yield _thing(f"negotiated{number}", title={"en": MARK, "es": "Mapa"}, representations=forms)
    many = [
        {"part": f"{number}.pdf", "location": f"https://data.example/{number}?{'&' * 40}"}
        for number in range(150)
    ]
    yield _thing("many/", representations=many)
    yield _thing("part/", representations=[{"part": "mapImageFile.pdf", "location": "https://data.example/"}])
    yield {"record": "alias", "identifier": f"{UNDER}alias", "stands_for": f"{UNDER}part/"}
    yield _thing("place/", spatial=[170, -20, -170, -10])
    several = [f"{UNDER}part/", f"{UNDER}many/"]
    yield {"record": "alias", "identifier": f"{UNDER}either", "stands_for": several}
    yield {"record": "rule", "identifier": f"{UNDER}old/", "location": "https://data.example/{+rest}"}


def _thing(name: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401  any value of a field
    return {"identifier": f"{UNDER}{name}", "title": MARK, "description": MARK, **fields}


def _form(chance: Random, place: int) -> dict[str, Any]:
    form = {
        "part": f".form{place}",
        "media_type": chance.choice(_TYPES),
        "location": f"https://data.example/{place}?a='&b=%22%3E",
        "language": chance.choice((*_LANGUAGES, "")),
        "profile": chance.choice((*PROFILES, "")),
    }
    return {name: value for name, value in form.items() if value}


def _arks() -> Iterator[dict[str, Any]]:
    for status in ("valid", "retired", "withheld", "reserved", "embargoed"):
        location = {"location": "https://data.example/ark#fragment"} if status == "valid" else {}
        until = {"until": _FAR} if status == "embargoed" else {}
        yield {"identifier": f"{ARK}{status}", "title": MARK, "status": status, **location, **until}


def store_older(registry: MemoryRegistry, name: str, title: str) -> None:
    """Store a record without checks, as an older release may have."""
    stated: Mapping[FieldPath, Any] = {
        ("record",): "resource",
        ("title", ""): title,
        ("status",): "valid",
    }
    stamp = Stamp("2026-10-01T00:00:00.000Z", f"{FOLDER}older.jsonl", "v0", 1)
    registry.write(apply(Record(name, {}), read_statements(stated.items()), stamp))


def fresh_service(folder: Path) -> Service:
    """Make a service with one authority, no scheme, and a name that a snapshot retired."""
    stores = Stores()
    authority = {"record": "authority", "identifier": FOLDER, "title": "Survey"}
    stores.upload("_host/authority.jsonl", write_lines([authority]))
    gone, kept = ({"identifier": f"{FOLDER}{name}/", "title": "T"} for name in (GONE, "kept"))
    stores.upload(f"{FOLDER}all.jsonl", write_lines([gone, kept]))
    stores.upload(f"{FOLDER}all.jsonl", write_lines([kept]), write_options(UploadOptions(snapshot=FOLDER)))
    return Service(stores, folder)
