"""No answer shows a grant, or depends on one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.front import Front
from tests.steward import settled

AZGS, DOC = "uri-gin/azgs/", "uri-gin/azgs/doc/"
JANE = "mailto:jane@example.org"
_SHOWN = [
    *(
        f"/about.{each}/{name}"
        for each in ("html", "json", "jsonld", "ttl", "linkset")
        for name in (AZGS, DOC)
    ),
    *(f"/members.{each}/{name}" for each in ("json", "csv") for name in ("uri-gin/", AZGS)),
    *(f"/explain/{name}" for name in (AZGS, f"{AZGS}new/")),
    *(f"/{name}" for name in (AZGS, DOC, f"{AZGS}new/", "grants%20uri-gin/azgs/")),
]


@pytest.mark.parametrize("path", _SHOWN)
def test_no_answer_depends_on_grants(path: str, tmp_path: Path) -> None:
    plain, granted = settled(), settled()
    granted.upload(
        f"{AZGS}grants.jsonl",
        "\n".join(
            json.dumps({"record": "grant", "identifier": name, "to": JANE, "may": ["read"]})
            for name in (AZGS, DOC, f"{AZGS}new/")
        ),
    )

    before, after = (
        Front(steward.memory, tmp_path).ask(path, headers={"Accept": "text/html"})
        for steward in (plain, granted)
    )

    assert before.status == 200 or path.startswith(("/uri-gin", "/grants"))
    assert (after.status, after.content) == (before.status, before.content)
    assert "jane" not in after.content.decode()
