"""Folders hold what belongs together, and modules are short: limits for what is clearly wrong."""

from collections.abc import Collection
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).parents[2]
SOURCES = [file for top in ("functions", "layers", "infra") for file in (ROOT / top).rglob("*.py")]
FOLDERS = {
    str(file.parent.relative_to(ROOT)): [each for each in file.parent.glob("*.py") if each != file]
    for file in SOURCES
    if file.name == "__init__.py"
}
MODULES = {
    str(file.relative_to(ROOT)): len(file.read_text().splitlines())
    for file in SOURCES
    if file.name != "__init__.py"
}
SMALL = 60
"""Lines of a module that is too small for a folder of its own."""


def test_most_folders_are_small_and_none_is_overfull() -> None:
    sizes = {name: len(modules) for name, modules in FOLDERS.items()}

    _report("modules in a folder", sizes.values())
    assert "layers/library/ginuri" in sizes
    assert median(sizes.values()) <= 8
    assert quantiles(sizes.values(), n=10)[-1] <= 14
    assert {name: size for name, size in sizes.items() if size > 20} == {}


def test_most_modules_are_short_and_none_is_overlong() -> None:
    _report("lines in a module", MODULES.values())
    assert median(MODULES.values()) <= 130
    assert quantiles(MODULES.values(), n=10)[-1] <= 260
    assert {name: lines for name, lines in MODULES.items() if lines > 600} == {}


def test_no_folder_of_the_library_holds_one_small_module_only() -> None:
    alone = {
        name: modules[0]
        for name, modules in FOLDERS.items()
        if name.startswith("layers") and len(modules) == 1 and not any((ROOT / name).glob("*/__init__.py"))
    }

    assert [name for name, file in alone.items() if MODULES[str(file.relative_to(ROOT))] < SMALL] == []


def _report(what: str, sizes: Collection[int]) -> None:
    """Print the figures, for `pytest -rP`."""
    nine_in_ten = quantiles(sizes, n=10)[-1]
    print(f"{what}: median {median(sizes):.0f}, 90th percentile {nine_in_ten:.0f}, most {max(sizes)}")  # noqa: T201  a report
