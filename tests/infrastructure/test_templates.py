"""HTML is in templates only, and every template is a page in the one frame or a part of one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local import ROOT

FOLDERS = ("layers/library", "functions", "infra")
SOURCES = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py") if "i18n" not in path.parts]
"""All markup except the language of a text."""
TEMPLATES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("templates/*.html"))
NAMES = (
    *(
        "a",
        "b",
        "body",
        "br",
        "button",
        "code",
        "div",
        "form",
        "h1",
        "h2",
        "head",
        "html",
        "i",
        "input",
        "li",
    ),
    *("main", "nav", "ol", "p", "pre", "span", "strong", "style", "table", "td", "th", "tr", "ul"),
)
TAG = re.compile(rf"(?<!\?P)</?(?:{'|'.join(NAMES)})\b")


def _f_strings(source: str) -> Iterator[str]:
    for each in ast.walk(ast.parse(source)):
        if isinstance(each, ast.JoinedStr):
            yield "".join(str(part.value) for part in each.values if isinstance(part, ast.Constant))


def test_no_f_string_contains_a_tag() -> None:
    assert list(filter(TAG.search, _f_strings("""f'<a href="{x}">', f"(?P<p>{x})", f"<{x}>" """))) == [
        '<a href="">'
    ]
    written = [(path.name, text) for path in SOURCES for text in _f_strings(path.read_text(encoding="utf-8"))]
    assert written
    # The note of a redirect, which loads no templates.
    note = ("response.py", '<!doctype html><title></title><a href=""></a>\n')
    assert [each for each in written if TAG.search(each[1])] == [note]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda it: it.stem)
def test_only_the_frame_is_a_whole_page(template: Path) -> None:
    assert ("<html" in template.read_text(encoding="utf-8")) == (template.name == "frame.html")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda it: it.stem)
def test_no_template_reads_a_record(template: Path) -> None:
    # A description has the fields of all kinds of records; a record has only its own.
    assert re.findall(r"\brecord[.\[]", template.read_text(encoding="utf-8")) == []
