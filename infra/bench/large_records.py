"""The cost of one change to a record with many forms, or to a prefix with many rules."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from ginuri.files.json_lines import read_json_lines
from ginuri.memory import MemoryRegistry, MemoryUploads
from ginuri.registration.registrar import Registrar
from ginuri.registration.rows import Origin, Registration, combine
from infra.bench.table import write_rows

_IDENTIFIER = "uri-gin/azgs/doc/"
_SIZES = {"forms": (100, 200), "rules": (120, 240)}
_TIMES = 20
_HEADINGS = ("one change beside", "half", "CPU", "ratio")


def write_large_records() -> str:
    """Measure changes to large records, and write a Markdown table."""
    costs = {name: [_cost(name, size) for size in sizes] for name, sizes in _SIZES.items()}
    rows = [
        (f"{_SIZES[name][1]} {name}", f"{half:.1f} ms", f"{whole:.1f} ms", f"{whole / half:.2f}")
        for name, (half, whole) in costs.items()
    ]
    return write_rows([_HEADINGS, *rows])


def _cost(name: str, size: int) -> float:
    """Return the least milliseconds of CPU of several changes."""
    registry, spent = MemoryRegistry(), list[float]()
    _register(registry, 0, [{"record": "authority", "identifier": "uri-gin/azgs/"}], "_host/")
    _register(registry, 1, _lines(name, size))
    for second in range(_TIMES):
        # The last rule is stated with another location: the number of rules stays.
        changed = {**_lines(name, size)[-1], "location": f"https://example.org/{second}"}
        lines = [changed if name == "rules" else {"identifier": _IDENTIFIER, "title": f"{second}"}]
        started = time.process_time()
        _register(registry, second + 2, lines)
        spent.append(time.process_time() - started)
    return min(spent) * 1e3


def _lines(name: str, size: int) -> Sequence[dict[str, Any]]:
    if name == "forms":
        forms = [{"part": f"{n}.pdf", "location": f"https://example.org/{n}"} for n in range(size)]
        return [{"identifier": _IDENTIFIER, "title": "Map", "representations": forms}]
    rule = {"record": "rule", "identifier": _IDENTIFIER}
    return [{**rule, "pattern": f"{n}_{{id}}/", "location": f"https://example.org/{n}"} for n in range(size)]


def _register(
    registry: MemoryRegistry, second: int, lines: Sequence[dict[str, Any]], folder: str = "uri-gin/azgs/"
) -> None:
    origin = Origin(f"2026-01-01T00:00:{second:02d}.000Z", f"{folder}{second}.jsonl", "v1")
    rows = read_json_lines([json.dumps(line).encode() for line in lines])
    stated = [piece for piece in combine(rows) if isinstance(piece, Registration)]
    list(Registrar(registry, MemoryUploads(), origin).register(stated))
