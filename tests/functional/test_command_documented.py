"""docs/reference/registrations.md tells of the way back what the commands say: its transcripts are run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.functional.conftest import Served
from tests.steward import line

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "registrations.md").read_text(encoding="utf-8")
_TRANSCRIPT = re.compile(
    r"^```\n\$ ginuri (?P<command>(?:rollback|relocate|history) .*)\n(?P<said>(?:.*\n)*?)```$", re.MULTILINE
)
_UNLIKE = [
    (re.compile(r"the local stack at http://[0-9.:]*[0-9]"), "the stack ginuri"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}"), "…"),
    (re.compile(r"20[12]\d-\d\d-\d\dT[0-9:.]+Z"), "…"),
]
"""What differs from one stack to the next."""
_ADDRESSES = ("report: ", "to read: ", "refused lines, to correct and upload: ")
OLD = "http://old.example/maps"
WELLS = """identifier,title,media_type,location,properties.created
uri-gin/azgs/well/17/,Well {0},text/html,http://old.example/maps/17.html,1997-06-01
uri-gin/azgs/well/18/,Well {1},text/html,http://old.example/maps/18.html,
"""
AGAIN = f"{WELLS}uri-gin/azgs/well/19/,Well nineteen,text/html,http://old.example/maps/19.html,\n"


def alike(text: str) -> Sequence[str]:
    """Give the lines of what was said, without what differs from one stack to the next."""
    for unlike, same in _UNLIKE:
        text = unlike.sub(same, text)
    return [each for each in text.splitlines() if not each.startswith(_ADDRESSES)]


@pytest.fixture
def told(served: Served) -> tuple[Served, str]:
    """Give what the page supposes: wells, a later upload that was wrong, and one after it."""
    served.put("uri-gin/azgs/2-types.jsonl", line("uri-gin/azgs/well/", record="resource-type"))
    served.put("uri-gin/azgs/wells.csv", WELLS.format(17, 18))
    wrong = served.put("uri-gin/azgs/wells.csv", AGAIN.format("seventeen", "eighteen"))
    served.put("uri-gin/azgs/later.jsonl", line("uri-gin/azgs/well/18/", title="Well 18 (dry)"))
    return served, wrong


def test_the_commands_of_the_way_back_say_what_the_page_says(told: tuple[Served, str]) -> None:
    served, wrong = told
    transcripts = list(_TRANSCRIPT.finditer(PAGE))

    assert [each["command"].split()[0] for each in transcripts] == ["history", "rollback", "relocate"]
    for each in transcripts:
        command = [wrong if "#" in word else word for word in shlex.split(each["command"])]
        assert alike(served.run(*command).stdout) == alike(each["said"])
