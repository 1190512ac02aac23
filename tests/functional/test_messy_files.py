"""The whole report on typical files of spreadsheets, in both languages: each line names the next step.

After a change of wording, read the files that `GINURI_RECORD=1 pytest tests/functional/test_messy_files.py`
writes.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from ginuri.cli.main import main
from tests.messy_files import FILES, FOLDER

EXPECTED = Path(__file__).parents[1] / "data" / "messy_files"


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", FILES)
def test_the_report_on_a_messy_file_explains_the_remedies(name: str, language: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FILES[name])

    result = CliRunner().invoke(
        main, ["validate", str(tmp_path / name), "--under", FOLDER], env={"LANGUAGE": language}
    )

    expected = EXPECTED / f"{name}.{language}.txt"
    if os.environ.get("GINURI_RECORD"):
        expected.write_text(result.output, encoding="utf-8")
    assert result.output == expected.read_text(encoding="utf-8")


def test_no_report_is_stored_for_a_missing_file() -> None:
    kept = {path.name for path in EXPECTED.iterdir()}

    assert kept == {f"{name}.{language}.txt" for name in FILES for language in ("en", "es")}
    assert len(FILES) > 20
