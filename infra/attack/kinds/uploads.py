"""Hostile uploads: every row gets its verdict, nothing harmful is registered, and memory stays small."""

from __future__ import annotations

import json
import pickle
import re
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any
from urllib.parse import urlsplit

from ginuri.files.reports.report import Upload
from ginuri.ingest.collaborators import Limits
from infra.attack.drawn.files import HostileFile, draw_files
from infra.attack.targets.hostile_registry import FOLDER
from infra.attack.targets.stores import Stores, write_lines
from infra.attack.texts import find_control
from infra.attack.trials import Fault, Trial, trial

MOST_MEMORY = 100 * 1024 * 1024
"""The bytes of memory that one of these files may use; the function has ten times as much."""
MOST_REPORT_BYTES = 1_500
"""The bytes of a report for each row of a file whose rows have equal faults."""
_LIMITS = Limits(detail_bytes=200 * 1024)
_HALF_WAY = 180
_STATED = ("title", "description", "reason")
_HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.?", re.IGNORECASE)

Values = Mapping[str, Mapping[str, Any]]


class Uploads:
    """The kind."""

    def __init__(self) -> None:
        stores = Stores(_LIMITS)
        lines = [
            {"record": "scheme", "identifier": "uri-gin/", "title": "Scheme"},
            {"record": "authority", "identifier": FOLDER, "title": "Survey"},
        ]
        stores.upload("_host/all.jsonl", write_lines(lines))
        types = {"record": "resource-type", "identifier": f"{FOLDER}doc/", "title": "Document"}
        stores.upload(f"{FOLDER}types.jsonl", write_lines([types]))
        self._settled = pickle.dumps(stores)

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Upload one file of each sort."""
        stores: Stores = pickle.loads(self._settled)  # noqa: S301  written above
        for file in draw_files(chance):
            yield trial(file, find_faults(stores, file))


def find_faults(stores: Stores, file: HostileFile) -> Iterator[Fault]:
    """Upload a file, and yield the faults of its report and of its registrations."""
    upload = stores.put(f"{FOLDER}{file.name}", file.body, file.metadata)
    before = stores.values()
    if file.is_bomb:  # tracing every allocation takes five times as long
        tracemalloc.start()
    try:
        stores.deliver(upload)
        report = stores.report(upload)
    except Exception as error:  # noqa: BLE001  any exception would lose the upload
        yield Fault("uploads-are-reported", f"{type(error).__name__}: {error}"[:300])
        return
    finally:
        peak = tracemalloc.get_traced_memory()[1]  # 0 if none was traced
        tracemalloc.stop()
    if peak > MOST_MEMORY:
        yield Fault("memory-is-bounded", f"{peak:,} bytes")
    values = stores.values()
    yield from _rows(file, report, values)
    yield from _report_size(stores, upload, file)
    if file.is_legal and (refused := report["counts"]["refused"]):
        yield Fault("legal-rows-are-registered", f"{refused} of {file.rows} rows are refused")
    if file.looks_like_registrations and report.get("stored") and not _findings(report):
        yield Fault("registrations-are-not-stored-silently", "stored without a word")
    changed = {name: stated for name, stated in values.items() if before.get(name) != stated}
    for name, stated in changed.items():
        for invariant, check in RECORD_CHECKS.items():
            yield from (Fault(invariant, f"{name}: {detail}"[:300]) for detail in check(name, stated, values))


def _rows(file: HostileFile, report: Mapping[str, Any], values: Values) -> Iterator[Fault]:
    mentioned = json.dumps(report)
    verdicts = sum(number for outcome, number in report["counts"].items() if outcome != "warned")
    is_refused_whole = bool(_findings(report)) and not report.get("rows")
    for name, word in file.names.items():
        if name not in values and not (name in mentioned or word in mentioned) and not is_refused_whole:
            yield Fault("every-row-has-a-verdict", f"{name} is neither registered nor in the report")
            return
    if verdicts < file.rows and not is_refused_whole:
        yield Fault("every-row-has-a-verdict", f"{verdicts} verdicts on {file.rows} rows")


def _findings(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [finding for verdict in report["verdicts"] for finding in verdict["findings"]]


def _report_size(stores: Stores, upload: Upload, file: HostileFile) -> Iterator[Fault]:
    beginning = f"{upload.key}/{upload.version}"
    reports = {key: len(body) for key, body in stores.uploads.reports.items() if key.startswith(beginning)}
    size = max((length for key, length in reports.items() if "refused" not in key), default=0)
    if file.name == "faulty.jsonl" and size > MOST_REPORT_BYTES * file.rows:
        yield Fault("reports-fit", f"{size:,} bytes for {file.rows} rows with equal faults")


def _plain(_: str, stated: Mapping[str, Any], __: Values) -> Iterator[str]:
    texts = (text for field in _STATED for text in _strings(stated.get(field)))
    yield from (f"{control} is registered" for text in texts if (control := find_control(text)))


def _wide(_: str, stated: Mapping[str, Any], __: Values) -> Iterator[str]:
    place = stated.get("spatial")
    for ring in _rings(place):
        if len({position[0] for position in ring}) == 1 and "MultiPolygon" in str(place):
            yield f"a ring has no width: {ring}"
        if any(abs(one[0] - other[0]) > _HALF_WAY for one, other in pairwise(ring)) and not _is_wide(ring):
            yield f"a ring is not cut at the 180th meridian: {ring}"


def _ends(name: str, _: Mapping[str, Any], values: Values) -> Iterator[str]:
    seen: list[str] = []
    at = name
    while at in values and at not in seen:
        seen.append(at)
        at = str(values[at].get("successor"))
    if at == name:
        yield f"its successors lead back to it: {seen}"


def _possible(_: str, stated: Mapping[str, Any], __: Values) -> Iterator[str]:
    forms = stated.get("representations") or {}
    for form in forms.values():
        location = form.get("location") or "" if form else ""
        parts = urlsplit(location)
        try:
            is_possible = parts.port is None or parts.port > 0
        except ValueError:
            is_possible = False
        host = parts.hostname or ""
        if not is_possible or (host and ":" not in host and not (host.isascii() and _HOST.fullmatch(host))):
            yield f"nothing is at {location}"


def _thing(name: str, stated: Mapping[str, Any], _: Values) -> Iterator[str]:
    if (
        "skos/core#Concept>" in str(stated.get("triples"))
        and stated.get("kind") != "thing"
        and name[-1] != "/"
    ):
        yield "a concept is no thing"


def _strings(value: object) -> list[str]:
    return [value] if isinstance(value, str) else [*value.values()] if isinstance(value, dict) else []


def _rings(place: object) -> Iterator[list[list[float]]]:
    if not isinstance(place, dict):
        return
    match place.get("type"):
        case "Polygon":
            yield from place["coordinates"]
        case "MultiPolygon":
            yield from (ring for polygon in place["coordinates"] for ring in polygon)
        case "LineString":
            yield place["coordinates"]
        case _:
            pass


def _is_wide(ring: list[list[float]]) -> bool:
    """Return whether a ring has an area: it runs counterclockwise, as RFC 7946 §3.1.6 requires."""
    area = sum(one[0] * other[1] - other[0] * one[1] for one, other in pairwise(ring))
    return ring[0] == ring[-1] and area >= 0


RECORD_CHECKS: Mapping[str, Callable[[str, Mapping[str, Any], Values], Iterator[str]]] = {
    "registered-texts-are-plain": _plain,
    "places-have-width": _wide,
    "successors-end": _ends,
    "locations-are-possible": _possible,
    "concepts-are-things": _thing,
}
"""The invariants of every registered record."""
