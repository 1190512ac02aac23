"""Folders of the code are small."""

from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).parents[2]
MOST_OF_HALF, MOST_OF_NINE_IN_TEN, MOST = 8, 13, 20


def test_most_folders_are_small_and_none_is_a_heap() -> None:
    folders = [
        folder
        for top in ("functions", "layers", "infra")
        for folder in (ROOT / top).rglob("*")
        if folder.is_dir() and (folder / "__init__.py").exists()
    ]
    sizes = {
        str(folder.relative_to(ROOT)): sum(module.name != "__init__.py" for module in folder.glob("*.py"))
        for folder in folders
    }

    assert "layers/library/ginuri" in sizes
    assert median(sizes.values()) <= MOST_OF_HALF
    assert quantiles(sizes.values(), n=10)[-1] <= MOST_OF_NINE_IN_TEN
    assert {folder: size for folder, size in sizes.items() if size > MOST} == {}
