"""The measurement of importers counts what is imported, uploaded and answered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

NAANS = [
    {
        "what": what,
        "target": {"url": url, "http_code": 302},
        "who": {"name": "A Library"},
        "rtype": "PublicNAAN",
        "test_identifier": f"ark:{what}/x1",
    }
    for what, url in (("12025", "https://naan.example/${content}"), ("12026", "https:///naan.example/"))
]
EXPECTED = [
    {
        "host": "n2t.net",
        "target": f"/ark:{naan}/b",
        "status": 302,
        "location": f"https://naan.example/{naan}/b",
    }
    for naan in ("12025", "12026")
]


@pytest.mark.untraced
def test_a_measurement_counts_entries_uploads_and_answers(tmp_path: Path) -> None:
    (tmp_path / "naan_records.json").write_text(json.dumps({"data": NAANS}), encoding="utf-8")
    expected = tmp_path / "n2t.expected"
    expected.write_text("".join(f"{json.dumps(each)}\n" for each in EXPECTED), encoding="utf-8")

    command = [sys.executable, "-m", "infra.migration", "n2t", str(tmp_path), "--expected", str(expected)]
    told = subprocess.check_output(command, text=True)  # noqa: S603  our own module

    assert "n2t: 1 of 2 entries (50 %)" in told
    assert "again: {'unchanged': 2" in told
    assert "own tests: 1 of 1 requests (100.00 %)" in told
    assert "n2t.expected: 1 of 2 requests (50.00 %)" in told
    assert "n2t.net/ark:12026/b: 404" in told
