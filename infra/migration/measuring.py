"""Imports the files of a registry, uploads the result twice, and asks for what is known."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.migration.expectations import Expectation, stated_tests
from infra.migration.registry import MeasuredRegistry, Received, run_command


@dataclass(frozen=True, slots=True)
class Source:
    """What to import: a command, its arguments, and the records that must exist before."""

    command: str
    arguments: Sequence[str]
    settled: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Taken:
    """What was imported and uploaded."""

    imported: Mapping[str, Any]
    """The result of `ginuri import --json`."""
    registrations: Sequence[Mapping[str, Any]]
    first: Counter[str]
    """The verdicts of the first upload."""
    again: Counter[str]
    """The verdicts of the same upload once more."""
    refused: Sequence[str]
    seconds: float


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers to requests whose answers are known."""

    asked: int
    failed: Sequence[tuple[Expectation, Received]]


def take(source: Source, registry: MeasuredRegistry, folder: Path) -> Taken:
    """Import a source into a folder, and upload it twice."""
    settled = folder / "settled.jsonl"
    settled.write_text("".join(f"{json.dumps(line)}\n" for line in source.settled), encoding="utf-8")
    registry.upload(settled, "_host/")
    uploads = folder / source.command
    result = run_command("import", source.command, *source.arguments, "--to", str(uploads), "--json")
    files = sorted(uploads.rglob("*.jsonl"))
    lines = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    begun = time.monotonic()
    reports = [registry.upload(file, f"{file.parent.relative_to(uploads)}/") for file in files]
    seconds = time.monotonic() - begun
    again = [registry.upload(file, f"{file.parent.relative_to(uploads)}/") for file in files]
    return Taken(
        json.loads(result),
        lines,
        _count(reports),
        _count(again),
        [each for report in reports for each in find_refusals(report)],
        seconds,
    )


def _count(reports: Sequence[Mapping[str, Any]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for report in reports:
        counts.update({name: number for name, number in report["counts"].items() if number})
    return counts


def find_refusals(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the refusals in the report of an upload, with their reasons."""
    for verdict in report["verdicts"]:
        if verdict["verdict"] == "refused":
            for finding in verdict["findings"]:
                yield f"{verdict['identifier']}: {finding['message']}"


def ask(registry: MeasuredRegistry, expectations: Sequence[Expectation]) -> Answered:
    """Send requests, and compare their answers."""
    failed = []
    for each in expectations:
        received = registry.ask(each.host, each.target, **each.headers)
        if not each.is_met(received):
            failed.append((each, received))
    return Answered(len(expectations), failed)


def tests_of(taken: Taken) -> Sequence[Expectation]:
    """Return the tests that were imported."""
    return [test for line in taken.registrations for test in stated_tests(line)]
