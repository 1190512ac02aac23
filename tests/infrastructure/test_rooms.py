"""No folder of the code is a corridor: a room with more than twelve modules is two rooms."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 12


def test_no_folder_has_more_than_twelve_modules() -> None:
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
    assert {folder: size for folder, size in sizes.items() if size > MOST} == {}
