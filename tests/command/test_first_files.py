"""First files: guessed, corrected and judged as one confirmation would have them uploaded."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ginuri.cli.choices.choice import Chosen, choose
from ginuri.cli.choices.corrections import find_corrections
from ginuri.cli.choices.stated import Stated
from ginuri.cli.uploads.validate import judge_offline
from ginuri.files.formats import mapping_of
from ginuri.files.guesses.tables import read_sample
from ginuri.files.tables.heading import HeadingReader
from tests.first_files import FILES, WELL, FirstFile


def _choose(file: FirstFile, folder: Path) -> Chosen:
    path = folder / file.name
    path.write_bytes(file.body)
    return choose(path, file.body, Stated(file.stated or {}), asks=False)


def _report(file: FirstFile, chosen: Chosen) -> dict[str, Any]:
    key = f"{chosen.options.under}{file.name}"
    options = replace(chosen.options.options, is_dry_run=True)
    corrected = find_corrections(key, file.body, options)
    return judge_offline(key, file.body if corrected is None else corrected.body, options)


def test_first_files_are_forty_or_more_with_names_of_their_own() -> None:
    assert len({file.name for file in FILES}) == len(FILES) >= 40


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_columns_of_a_first_file_become_fields(file: FirstFile, tmp_path: Path) -> None:
    chosen = _choose(file, tmp_path)
    sample = read_sample(file.name, file.body, chosen.options.options)
    if sample is None:  # no table
        return
    mapping = mapping_of(chosen.options.options)
    fields = {*HeadingReader(mapping).fields(sample.names), *mapping.made}

    assert {"identifier", *file.fields} <= fields, chosen.options.values


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_first_file_is_registered_after_one_confirmation(file: FirstFile, tmp_path: Path) -> None:
    report = _report(file, _choose(file, tmp_path))
    outcomes = Counter(verdict["verdict"] for verdict in report["verdicts"] if verdict["verdict"] != "warned")
    registered = {
        verdict["identifier"] for verdict in report["verdicts"] if verdict["verdict"] == "registered"
    }

    assert registered == {f"{WELL}{name}" for name in file.registered}, report["verdicts"]
    assert outcomes["refused"] == file.refused, report["verdicts"]
    assert outcomes.total() == len(file.registered) + file.refused
    for verdict in report["verdicts"]:
        assert all(finding["message"] for finding in verdict["findings"] if verdict["verdict"] == "refused")
