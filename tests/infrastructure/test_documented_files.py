"""The files that the documentation names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "layers" / "library" / "ginuri"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# `registry/model.py`: from the top of the repository or of the library, or beside the previous file.
NAMED = re.compile(r"`((?:[\w.]+/)*[\w.]+\.py)`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_named_module_exists(document: Path) -> None:
    missing = []
    for line in document.read_text().splitlines():
        folders = [ROOT, LIBRARY, ROOT / "functions" / "resolve", ROOT / "infra" / "local"]
        for name in NAMED.findall(line):
            found = next((folder / name for folder in folders if (folder / name).is_file()), None)
            if found is None:
                missing.append(name)
            else:
                folders.append(found.parent)

    assert not missing
