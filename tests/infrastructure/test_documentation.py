"""The documentation: its links, its contents, its generated pages, and the parser of its blocks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ginuri.resolution.descriptions.formats import FORMATS
from infra.docs import CONTENTS, FOLDER, PAGES
from infra.docs.blocks import SKIPPED, is_like, read_blocks, read_commands
from infra.docs.links import broken
from infra.docs.reference import pages
from infra.local import ROOT

MOST_LINES = 300
_CODE_OR_TABLE = re.compile(r"^ *(`{3,}).*?^ *\1 *$|^(?: {4}| *\|)[^\n]*$", re.MULTILINE | re.DOTALL)
_TARGET = re.compile(r"(?<=\])\([^)\s]*\)")
_BLOCKS = """Some text.

```csv title="wells.csv"
identifier
```

   ```console
   $ one --and \\
       two
   first
   …
   $ three
   ```

```console title="needs AWS"
$ four
```
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert list(broken(page)) == []


@pytest.mark.parametrize(
    "link",
    [
        "nowhere.md",
        "index.md#no-such-heading",
        "../CONTRIBUTING.md",
        "https://",
        "gopher://example.org/",
        "https://ginuri.github.io/ginuri/nowhere/",
        "https://github.com/ginuri/ginuri/blob/main/nowhere.md",
    ],
)
def test_a_link_that_leads_nowhere_is_found(
    link: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.docs.links.FOLDER", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(f"# A page\n\n[good](https://example.org/) [good](#a-page) `[code](x)` [bad]({link})\n")

    assert list(broken(page, tmp_path)) == [link]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_generated_pages_match_the_code(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == pages()[page], "write it anew with `make reference`"


@pytest.mark.parametrize("page", sorted(FOLDER.rglob("*.md")), ids=lambda page: str(page.relative_to(FOLDER)))
def test_every_page_is_short_and_in_the_contents(page: Path) -> None:
    assert len(page.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    assert CONTENTS.count(page) == 1


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_of_descriptions_has_a_row_in_the_reference(extension: str) -> None:
    page = (FOLDER / "reference/descriptions.md").read_text(encoding="utf-8")

    assert f"| `{extension}` | `{FORMATS[extension].media_type}` |" in page
    assert f"`/about.{extension}/…`" in page


def test_the_front_page_is_short_and_has_no_relative_links() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert len(text.splitlines()) < 120
    assert "](" in text
    assert text.count("](") == text.count("](https://")


def test_every_block_of_commands_that_is_not_run_has_a_reason() -> None:
    blocks = [block for page in PAGES for block in read_blocks(page) if block.language == "console"]

    assert {block.title for block in blocks if not block.is_session} <= set(SKIPPED)
    run = [block for block in blocks if block.is_session or block.title == "runs in a test of its own"]
    assert len(run) > 2 * (len(blocks) - len(run))


def test_files_and_commands_are_read_from_a_page(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(_BLOCKS, encoding="utf-8")

    file, session, skipped = read_blocks(tmp_path / "page.md")
    one, three = read_commands(session)

    assert (file.is_file, file.title, file.body) == (True, "wells.csv", "identifier\n")
    assert (one.line, one.text, one.printed) == (8, "one --and \\\n    two", ("first", "…"))
    assert (three.text, three.printed) == ("three", ())
    assert (skipped.is_session, skipped.is_file, skipped.title) == (False, False, "needs AWS")


@pytest.mark.parametrize(
    ("printed", "expected", "same"),
    [
        (["a b c"], ["a … c"], True),
        (["a b c"], ["a c"], False),
        (["a", "b", "c"], ["a", "…", "c"], True),
        (["a", "c"], ["a", "…", "c"], True),
        (["a", "b"], ["a"], False),
        (["(a)"], ["(a)"], True),
    ],
)
def test_an_ellipsis_matches_anything_in_a_line_or_any_lines(
    printed: list[str], expected: list[str], *, same: bool
) -> None:
    assert is_like(printed, expected) is same
