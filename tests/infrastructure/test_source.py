"""Rules of the source that ruff and mypy have no check for."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "layers/library/ginuri"
FOLDERS = ("functions", "infra", "layers", "tests")
_points_elsewhere = re.compile(r"#.*\b(?:see|as) above\b.*|#.*\blikewise\b.*", re.IGNORECASE).findall
FROZEN = ("identifiers", "registry", "resolution", "web")
"""The packages that a redirect loads, in which nothing imports `dataclasses`."""
NOT_OF_A_REDIRECT = (
    *("registry/record", "registry/texts/ntriples.py", "resolution/explanations"),
    *("web/maps", "web/search"),
)
"""Their folders and modules that no redirect loads."""
MADE_OFTEN = {"FieldEntry"}
"""Values that an upload makes by the thousand: a dataclass takes half as long again."""
TUPLES = {
    "files": {"ExportedLine", "Repair"},
    "ingest": {"BucketRange", "Plan", "Task"},
    "registration": {"Subject"},
    "registry": {"ChangeItems", "Key", "Place", "RecordPlace", "Stamp", "UploadHead"},
    "resolution": {"Link", "Resolution", "_Place"},
    "web": {"EdgeSecret", "LinkInContext"},
}
"""The values that are unpacked, sorted, or written as arrays."""


def test_a_comment_gives_its_own_reason() -> None:
    modules = [module for folder in FOLDERS for module in (ROOT / folder).rglob("*.py")]
    comments = {
        str(module.relative_to(ROOT)): _points_elsewhere(module.read_text(encoding="utf-8"))
        for module in modules
    }

    assert modules
    assert {module: found for module, found in comments.items() if found} == {}


_reads_a_sample = re.compile(r"(?:data|examples)\b.*\.read_(?:text|bytes)\(").search


@cache
def _values() -> dict[str, dict[str, str]]:
    """Return how the class of each value is made, by module."""
    return {
        module.relative_to(LIBRARY).as_posix(): {
            node.name: kind
            for node in ast.parse(module.read_text(encoding="utf-8")).body
            if isinstance(node, ast.ClassDef)
            and (kind := _kind(node))
            and "@cached_property" not in ast.unparse(node)  # excluded by slots
        }
        for module in sorted(LIBRARY.rglob("*.py"))
    }


def _kind(node: ast.ClassDef) -> str:
    """Return how the class of a value is made; empty for any other class."""
    made = [*map(ast.unparse, node.bases), *map(ast.unparse, node.decorator_list)]
    return next((each for each in made if each.startswith(("Frozen", "NamedTuple", "dataclass("))), "")


def _is_loaded(module: str) -> bool:
    return module.startswith(FROZEN) and not module.startswith(NOT_OF_A_REDIRECT)


def test_values_that_a_redirect_loads_are_frozen_without_dataclasses() -> None:
    loaded = {module: values for module, values in _values().items() if _is_loaded(module)}
    deviating = [
        f"{module}: {name}"
        for module, values in loaded.items()
        for name, kind in values.items()
        if kind.startswith("dataclass")
    ]

    assert any(loaded.values())
    assert deviating == []


def test_values_that_no_redirect_loads_are_dataclasses_with_slots() -> None:
    others = {module: values for module, values in _values().items() if not _is_loaded(module)}
    deviating = [
        f"{module}: {name}"
        for module, values in others.items()
        for name, kind in values.items()
        if (kind == "Frozen" and name not in MADE_OFTEN)
        or (kind.startswith("dataclass") and "slots=True" not in kind)
    ]

    assert any(others.values())
    assert deviating == []


def test_a_named_tuple_is_a_value_that_is_used_as_a_tuple() -> None:
    named: dict[str, set[str]] = {}
    for module, values in _values().items():
        for name, kind in values.items():
            if kind == "NamedTuple":
                named.setdefault(module.partition("/")[0], set()).add(name)

    assert named == TUPLES


def test_a_claim_is_tested_in_one_file() -> None:
    files: dict[str, list[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for claim in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE):
            files.setdefault(claim, []).append(file.relative_to(ROOT).as_posix())

    assert files
    assert {claim: names for claim, names in files.items() if len(names) > 1} == {}


def test_samples_are_read_by_tests_and_not_when_tests_are_collected() -> None:
    collected = {
        file.relative_to(ROOT).as_posix(): [
            ast.unparse(statement)
            for statement in ast.parse(file.read_text(encoding="utf-8")).body
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        ]
        for file in (ROOT / "tests").rglob("*.py")
        if _reads_a_sample(file.read_text(encoding="utf-8"))
    }

    assert collected
    assert {file for file, statements in collected.items() if any(map(_reads_a_sample, statements))} == set()
