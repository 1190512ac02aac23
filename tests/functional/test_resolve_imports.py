"""Only a page imports the templates of pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from infra.local import ROOT
from tests.builders import rest_event

PROGRAM = """
import json, sys, time
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import read_statements
from ginuri.registry.record.statements import FIRST
from ginuri.registry.record.stamps import Stamp
from ginuri.resolution.finder import RememberingFinder
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.service.resolve import answer
from ginuri.web.events import read_request

registry = MemoryRegistry()
for name, stated in {
    "uri-gin/azgs/": {("record",): "authority"},
    "uri-gin/azgs/old": {("status",): "retired"},
    "uri-gin/azgs/doc/a": {
        ("representations", "a", FIRST): 0,
        ("representations", "a", "location"): "https://example.org/a.pdf",
        ("representations", "a", "media_type"): "application/pdf",
    },
}.items():
    stamp = Stamp("2011-08-25T17:29:00.000Z", "a", "v1", 1)
    registry.write(apply(Record(name, {}), read_statements(stated.items()), stamp))
finder = RememberingFinder(registry, time.monotonic)
answers = IdentifierResponses(MemoryContentStore(), "resources.example.org")
requests = map(read_request, json.loads(sys.argv[1]))
print([int(answer(request, finder, answers).response.status) for request in requests])
print(json.dumps(sorted(sys.modules)))
"""
FOR_PAGES = {"jinja2", "markupsafe", "segno"}
WORDS = {"gettext", "html", "ginuri.i18n", "ginuri.web.pages"}
FOR_OTHERS = {"aws_lambda_powertools", "boto3", "pydantic", "rdflib"}
REDIRECTS = ["uri-gin/azgs/", "uri-gin/a%7Ags/", "uri-gin/azgs/doc/a"]
PROBLEMS = ["uri-gin/azgs/none", "uri-gin//azgs", "uri-gin/azgs/old"]


def _ask(paths: list[str], accept: str) -> tuple[list[int], set[str]]:
    events = [
        rest_event(f"/{path}", headers={"Host": "resources.example.org", "Accept": accept}) for path in paths
    ]
    ran = subprocess.run(  # noqa: S603  our own source
        [sys.executable, "-c", PROGRAM, json.dumps(events)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "functions")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    statuses, modules = ran.stdout.splitlines()
    return json.loads(statuses), set(json.loads(modules))


@pytest.mark.parametrize(
    "accept", ["application/json, */*;q=0.1", "application/problem+json", "application/linkset"]
)
def test_neither_redirects_nor_problem_documents_import_the_page_writer(accept: str) -> None:
    statuses, modules = _ask([*REDIRECTS, *PROBLEMS], accept)

    assert statuses in ([303, 301, 302, 404, 400, 410], [303, 301, 406, 404, 400, 410])
    assert not modules & (FOR_PAGES | FOR_OTHERS)


def test_a_problem_document_imports_no_catalogue() -> None:
    statuses, modules = _ask([*REDIRECTS, *PROBLEMS], "application/json, */*;q=0.1")

    assert statuses == [303, 301, 302, 404, 400, 410]
    assert not modules & WORDS


def test_a_redirect_for_a_browser_imports_no_page_writer() -> None:
    statuses, modules = _ask(REDIRECTS, "text/html, */*;q=0.8")

    assert statuses == [303, 301, 302]
    assert not modules & (WORDS | FOR_PAGES | FOR_OTHERS)


def test_a_redirect_does_not_import_the_table_of_formats() -> None:
    statuses, modules = _ask(REDIRECTS, "text/html, */*;q=0.8")

    assert statuses == [303, 301, 302]
    assert not {name for name in modules if name.startswith("ginuri.resolution.") and "format" in name}


def test_a_redirect_does_not_import_the_well_known_schemes() -> None:
    statuses, modules = _ask(REDIRECTS, "text/html, */*;q=0.8")

    assert statuses == [303, 301, 302]
    assert not {name for name in modules if name.startswith("ginuri.schemes")}


def test_a_page_about_an_error_imports_only_the_templates() -> None:
    statuses, modules = _ask(["uri-gin/azgs/none"], "text/html")

    assert statuses == [404]
    assert modules & (FOR_PAGES | FOR_OTHERS) == {"jinja2", "markupsafe"}
    assert modules >= WORDS
