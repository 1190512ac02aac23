"""The transcripts of commands in the docs equal their real output."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from infra.docs import FOLDER
from infra.docs.blocks import Command, is_like, read_blocks, read_commands
from tests.command.conftest import Served
from tests.steward import line

PAGES = [FOLDER / "how-to" / name for name in ("look-back.md", "undo-an-upload.md", "move-locations.md")]
_UNLIKE = [
    (re.compile(r"the local stack at http://[0-9.:]*[0-9]|the registry registry"), "the stack ginuri"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}"), "…"),
    (re.compile(r"20[12]\d-\d\d-\d\dT[0-9:.]+Z"), "…"),
]
"""The values that differ from stack to stack."""
_ADDRESSES = ("report: ", "to read: ", "refused lines, to correct and upload again: ")
OLD = "http://old.example/maps"
WELLS = """identifier,title,media_type,location,properties.created
uri-gin/azgs/well/17/,Well {0},text/html,http://old.example/maps/17.html,1997-06-01
uri-gin/azgs/well/18/,Well {1},text/html,http://old.example/maps/18.html,
"""
AGAIN = f"{WELLS}uri-gin/azgs/well/19/,Well nineteen,text/html,http://old.example/maps/19.html,\n"


def alike(text: str) -> list[str]:
    """Return the lines of the output, without the values that differ from stack to stack."""
    for unlike, same in _UNLIKE:
        text = unlike.sub(same, text)
    return [each for each in text.splitlines() if not each.startswith(_ADDRESSES)]


def transcripts(pages: Sequence[Path], pattern: str) -> list[Command]:
    """Return the commands of pages whose output is shown, not omitted."""
    blocks = (block for page in pages for block in read_blocks(page) if block.is_session)
    commands = (command for block in blocks for command in read_commands(block))
    shown = (command for command in commands if set(command.printed) - {"…"})
    return [command for command in shown if re.fullmatch(f"ginuri (?:{pattern})", command.text)]


@pytest.fixture
def told(served: Served) -> tuple[Served, str]:
    """Return the stack that the page assumes: wells, a later upload that was wrong, and one after it."""
    served.put("uri-gin/azgs/2-types.jsonl", line("uri-gin/azgs/well/", record="resource-type"))
    served.put("uri-gin/azgs/wells.csv", WELLS.format(17, 18))
    wrong = served.put("uri-gin/azgs/wells.csv", AGAIN.format("seventeen", "eighteen"))
    served.put("uri-gin/azgs/later.jsonl", line("uri-gin/azgs/well/18/", title="Well 18 (dry)"))
    return served, wrong


def test_the_documented_commands_for_undoing_match_their_output(told: tuple[Served, str]) -> None:
    served, wrong = told
    run = transcripts(PAGES, r"(?:rollback|relocate|history) .*")

    assert [each.text.split()[1] for each in run] == ["history", "rollback", "relocate"]
    for each in run:
        command = [wrong if "#" in word else word for word in shlex.split(each.text)[1:]]
        assert is_like(alike(served.run(*command).stdout), alike("\n".join(each.printed))), each.text
