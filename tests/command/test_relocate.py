"""`ginuri relocate`: moves every location from one URL to another, and back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.files.options import UploadOptions, write_options
from tests.command.conftest import DOC, Served
from tests.steward import line

OLD, NEW = "http://old.example/maps", "https://new.example/archive"
MOVE = ("--from", OLD, "--to", NEW)
RULED, ELSEWHERE = "uri-gin/azgs/old/", "uri-gin/usgin/doc/a"


@pytest.fixture
def filled(served: Served) -> Served:
    """Return a stack with locations under two authorities, and a rule on the prefix of one."""
    served.begin_with("locations", lambda: _fill(served))
    return served


def _fill(served: Served) -> None:
    forms = [
        {"part": ".pdf", "media_type": "application/pdf", "location": f"{OLD}/a.pdf", "quality": 0.5},
        {"part": ".tif", "location": f"{OLD}s/a.tif"},
    ]
    served.put(
        "uri-gin/azgs/docs.jsonl",
        line(DOC, representations=forms)
        + line(RULED, record="rule", location=f"{OLD}/{{+rest}}", status_code=301)
        + line("uri-gin/azgs/", record="rule", pattern="x{id}", location=f"{OLD}/x{{?id}}"),
    )
    served.put("uri-gin/usgin/docs.jsonl", line(ELSEWHERE, location=OLD))


def _all(served: Served) -> dict[str, Any]:
    return {name: served.values(name) for name in (DOC, RULED, "uri-gin/azgs/", ELSEWHERE)}


def test_relocate_moves_every_location_and_keeps_all_other_fields(filled: Served) -> None:
    before = json.dumps(_all(filled))

    result = filled.run("relocate", *MOVE)

    assert (result.exit_code, result.stderr) == (0, "")
    assert json.dumps(_all(filled)) == before.replace(f"{OLD}/", f"{NEW}/").replace(f'{OLD}"', f'{NEW}"')
    reason = write_options(UploadOptions(reason=f"relocated from {OLD} to {NEW}"))
    assert filled.said()[-2:] == [
        ("uri-gin/azgs/relocate.jsonl", reason),
        ("uri-gin/usgin/relocate.jsonl", reason),
    ]
    assert "3 lines for uri-gin/azgs/relocate.jsonl" in result.stdout


def test_a_move_can_be_undone(filled: Served) -> None:
    before = _all(filled)
    told = json.loads(filled.run("relocate", *MOVE, "--json").stdout)

    for report in told["reports"]:
        upload = report["upload"]
        assert filled.run("rollback", f"{upload['key']}#{upload['version']}").exit_code == 0

    assert _all(filled) == before


def test_only_names_under_the_prefix_are_moved_from_its_folder(filled: Served) -> None:
    result = filled.run("relocate", *MOVE, "--under", "uri-gin/azgs/doc/", "--many")

    assert result.exit_code == 0
    assert filled.said()[-1] == (
        "uri-gin/azgs/doc/relocate.jsonl",
        write_options(UploadOptions(is_many=True, reason=f"relocated from {OLD} to {NEW}")),
    )
    assert NEW in json.dumps(filled.values(DOC))
    assert OLD in json.dumps([filled.values(RULED), filled.values(ELSEWHERE)])


def test_a_dry_run_moves_nothing(filled: Served) -> None:
    before = _all(filled)

    result = filled.run("relocate", *MOVE, "--dry-run")

    assert result.exit_code == 0
    assert f"{OLD}/a.pdf → {NEW}/a.pdf" in result.stdout
    assert _all(filled) == before


def test_without_a_matching_location_no_upload_is_made(served: Served) -> None:
    result = served.run("relocate", *MOVE)

    assert (result.exit_code, result.stdout) == (1, f"No location starts with {OLD}.\n")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--from", OLD],
        ["--from", "maps", "--to", NEW],
        ["--from", OLD, "--to", "ftp://new.example/"],
        ["--from", f"{OLD}/", "--to", NEW],
    ],
)
def test_a_misused_relocate_moves_nothing(served: Served, arguments: list[str]) -> None:
    assert served.run("relocate", *arguments).exit_code == 2


def test_moving_more_than_a_tenth_needs_the_option_many(served: Served) -> None:
    served.put(
        "uri-gin/azgs/docs.jsonl",
        "".join(line(f"uri-gin/azgs/doc/{number}", location=f"{OLD}/{number}") for number in range(12)),
    )

    refused = served.run("relocate", *MOVE)
    done = served.run("relocate", *MOVE, "--many")

    assert refused.exit_code == 1
    assert (
        "the whole upload: refused (12): This upload would change or retire 12 identifiers" in refused.stdout
    )
    assert "--many" in refused.stdout
    assert (done.exit_code, "12 changed" in done.stdout) == (0, True)
