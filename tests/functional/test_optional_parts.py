"""The parts that can be removed, and what a redirect, a description, an upload and the command load."""

from __future__ import annotations

import ast
import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from infra.bench.records import registered
from infra.bench.workers.events import get
from infra.bench.workers.processes import lambda_environment, running_stub
from infra.local import ROOT
from tests.spreadsheets import written

LIBRARY = ROOT / "layers" / "library"
GUIDE = ROOT / "docs" / "how-to" / "remove-an-optional-part.md"
ARCHITECTURE = ROOT / "docs" / "explanation" / "architecture.md"
NAME = registered(0)
ROWS = ["identifier", "title", "location"], ["uri-gin/azgs/doc/1", "A map", "https://maps.example/1"]
GRAPH = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://resources.usgin.org/uri-gin/azgs/doc/tuff> a skos:Concept ; skos:prefLabel "Tuff"@en .
"""
Job = tuple[str, Mapping[str, Any]]
"""The name of a use, and its argument."""


def _file(name: str, content: bytes) -> Job:
    return "ingest", {"name": name, "content": base64.b64encode(content).decode()}


USES: Mapping[str, Job] = {
    "a redirect": ("resolve", get(NAME)),
    "a description in JSON": ("describe", get(f"about.json/{NAME}")),
    "a page": ("describe", get(f"about.html/{NAME}")),
    "a description in Turtle": ("describe", get(f"about.ttl/{NAME}")),
    "a resolution service": (
        "describe",
        get("uri-res/N2Ls") | {"multiValueQueryStringParameters": {NAME: [""]}},
    ),
    "an upload of CSV": _file("wells.csv", "\n".join(map(",".join, ROWS)).encode()),
    "an upload of a spreadsheet": _file("wells.xlsx", written(ROWS)),
    "an upload of RDF": _file("tuff.ttl", GRAPH.encode()),
    "the daily run": ("publish", {"identifier": "uri-gin/azgs/"}),
    "the command's help": ("command", {"option": "--help"}),
    "the command": ("command", {"command": "parse", "identifier": NAME}),
}
NEEDS = {
    "publication, with the search": {"the daily run"},
    "RDF in uploads": {"an upload of RDF"},
    "RDF in descriptions": {"a description in Turtle"},
    "citations": {"a page"},
    "resolution services of RFC 2169": {"a resolution service"},
    "spreadsheets": {"an upload of a spreadsheet"},
}
"""The uses that end with a part."""
FIGURES = ("a redirect", "a description in JSON", "a page", "an upload of CSV", "the command")
NEARLY = 0.05
ENVIRONMENT = {
    # Without the layers of the runtime's Python, which `make bench` installs: this process has another.
    "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in ("", "functions", "layers/library")),
    "INGEST_QUEUE": "http://localhost/queue",
    "MOST_RECEIVES": "5",
    "ACCESS_TABLE": "access",
    "REPORTS_ADDRESS": "none",
    "REPORTS_BUCKET": "reports",
    "UPLOADS_BUCKET": "uploads",
}
"""The settings of the function that ingests."""


def _cells(document: Path, heading: str) -> list[list[str]]:
    """Return the rows of the table below a heading row."""
    lines = document.read_text().splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith(heading)) + 2
    end = next(number for number in range(begin, len(lines)) if not lines[number].startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[begin:end]]


PARTS = {
    row[0]: [cell.replace("`", "").split(", ") if cell else [] for cell in row[1:]]
    for row in _cells(GUIDE, "| part |")
}


def _path(name: str) -> Path:
    paths = (ROOT / name, LIBRARY / "ginuri" / name)
    return next(path for path in paths if path.exists())


def _module(path: Path) -> str:
    root = LIBRARY if path.is_relative_to(LIBRARY) else ROOT / "functions"
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


@cache
def _modules() -> Mapping[str, Path]:
    files = [*(LIBRARY / "ginuri").rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
    return {_module(path): path for path in files}


@cache
def _imports(path: Path) -> frozenset[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def _is_in(module: str, hidden: Sequence[str]) -> bool:
    return any(f"{module}.".startswith(f"{name}.") for name in hidden)


@dataclass(frozen=True)
class Ran:
    """The exit state of each use, and the modules that it imported."""

    faults: Mapping[str, str | None]
    modules: Sequence[str]


def _run(jobs: Mapping[str, tuple[Sequence[str], Sequence[str]]]) -> Mapping[str, Ran]:
    """Run the uses of each job in a process of its own, without its hidden modules."""
    lines = [{"uses": [USES[use] for use in uses], "hidden": hidden} for uses, hidden in jobs.values()]
    with running_stub() as stub:
        done = subprocess.run(  # noqa: S603  our own source
            [sys.executable, ROOT / "tests" / "loading.py"],
            env={**lambda_environment("resolve.handler", stub), **ENVIRONMENT},
            input="".join(f"{json.dumps(line)}\n" for line in lines),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    found = map(json.loads, done.stdout.splitlines())
    return {
        job: Ran(dict(zip(uses, ran["faults"], strict=True)), ran["modules"])
        for (job, (uses, _)), ran in zip(jobs.items(), found, strict=True)
    }


@pytest.fixture(scope="module")
def without() -> Mapping[str, Ran]:
    """Run, for each part that is hidden, the uses that do not need it."""
    return _run(
        {
            part: (
                [use for use in USES if use not in NEEDS.get(part, ())],
                [_module(_path(name)) for name in files],
            )
            for part, (files, *_) in PARTS.items()
        }
    )


@pytest.fixture(scope="module")
def alone() -> Mapping[str, Ran]:
    """Run each use whose statements are counted."""
    return _run({use: ([use], []) for use in FIGURES})


@pytest.mark.parametrize("part", PARTS)
def test_hiding_a_part_breaks_only_its_users(without: Mapping[str, Ran], part: str) -> None:
    assert {use: fault for use, fault in without[part].faults.items() if fault} == {}


@pytest.mark.parametrize("part", PARTS)
def test_the_guide_names_every_file_that_imports_a_part(part: str) -> None:
    files, lines, *_ = PARTS[part]
    hidden = [_module(_path(name)) for name in files]

    importing = {
        path
        for module, path in _modules().items()
        if not _is_in(module, hidden) and any(_is_in(name, hidden) for name in _imports(path))
    }

    assert {str(path) for path in importing} == {str(_path(name)) for name in lines}


def test_the_routes_and_tests_of_each_part_exist() -> None:
    served = (LIBRARY / "ginuri" / "web" / "openapi.yaml").read_text()

    for _, _, routes, tests in PARTS.values():
        assert [route for route in routes if f"\n  {route}:\n" not in served] == []
        assert [name for name in tests if not _path(name).exists()] == []


@pytest.mark.parametrize("use", FIGURES)
def test_the_architecture_states_how_many_statements_each_use_loads(
    alone: Mapping[str, Ran], use: str
) -> None:
    stated = {row[0]: int(row[1].replace(",", "")) for row in _cells(ARCHITECTURE, "| use |")}

    modules = _modules()
    loaded = [modules[name] for name in alone[use].modules if name in modules and name != "ginuri.memory"]
    statements = sum(map(_statements, loaded))

    assert alone[use].faults == {use: None}
    row = f"| {use} | {statements:,} | {len(loaded)} |"
    assert abs(stated[use] - statements) <= NEARLY * statements, row


def _statements(path: Path) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(path.read_text())))
