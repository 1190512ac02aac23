"""Does an answer import only what it needs? A redirect, the most of all answers, must not pay for words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import MAP, rest_event

ANSWER = """
import json, sys
from ginuri.registry.model import Representation, Resource
from ginuri.registry.ports import Found
from ginuri.web.answers.identifiers import Answers
from resolve.flow import answer

class Finder:
    def find(self, identifier):
        form = Representation(media_type="text/html", location="https://example.org/")
        record = Resource(identifier=sys.argv[1], modified="", representations=(form,))
        return Found(identifier, {record.identifier: record})

answered = answer(json.loads(sys.argv[2]), Finder(), Answers(None, "resources.example.org"))
print(int(answered.response.status), *sys.modules)
"""
WORDS = {"gettext", "html", "ginuri.i18n", "jinja2", "ginuri.web.pages"}


def _ask(path: str, accept: str) -> tuple[str, set[str]]:
    event = json.dumps(rest_event(f"/{path}", headers={"Accept": accept}))
    ran = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", ANSWER, MAP, event],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "functions")},
        capture_output=True,
        check=True,
        text=True,
    )
    status, *modules = ran.stdout.split()
    return status, set(modules)


@pytest.mark.parametrize(
    ("path", "accept", "status"),
    [(MAP, "text/html", "303"), (f"{MAP}/x", "application/json", "400")],
)
def test_a_redirect_and_a_problem_document_import_no_catalogue_and_no_page(
    path: str, accept: str, status: str
) -> None:
    answered, modules = _ask(path, accept)

    assert answered == status
    assert WORDS & modules == set()


def test_a_page_imports_the_catalogues() -> None:
    answered, modules = _ask(f"{MAP}/x", "text/html")

    assert answered == "400"
    assert {"gettext", "ginuri.i18n", "ginuri.web.pages"} <= modules
