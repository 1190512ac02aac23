"""A description imports only the modules of its own format."""

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
from ginuri.service.describe import Collaborators, answer
from ginuri.web.events import read_request
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryRegistry
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import read_statements
from ginuri.registry.record.stamps import Stamp
from ginuri.resolution.finder import RememberingFinder
from ginuri.web.answers.descriptions import DescriptionResponses

registry = MemoryRegistry()
stamp = Stamp("2011-08-25T17:29:00.000Z", "a", "v1", 1)
registry.write(apply(Record("uri-gin/azgs/", {}), read_statements([(["record"], "authority")]), stamp))
answers = DescriptionResponses(DescriptionWriter().write)
finder = RememberingFinder(registry, time.monotonic)
using = Collaborators(finder, registry, registry, answers, "ids.example.org", stamps=registry)
print(int(answer(read_request(json.loads(sys.argv[1])), using).response.status))
print(json.dumps(sorted(sys.modules)))
"""
PAGES, RDF = (
    {"jinja2", "markupsafe", "ginuri.descriptions.html.page"},
    {"ginuri.descriptions.rdf.serializations.formats"},
)
CODES = {"segno", "ginuri.descriptions.html.qr_code"}
OTHER_FRONTS = {
    *(
        "ginuri.service.publications",
        "ginuri.service.services",
        "ginuri.urn_services.flow",
        "ginuri.search",
    ),
    *(
        "ginuri.web.search",
        "ginuri.web.answers.services",
        "ginuri.resolution.explanations.explanation",
    ),
}
NEVER = {"aws_lambda_powertools", "boto3", "concurrent.futures.thread", "pydantic", "rdflib"}


@pytest.mark.parametrize(
    ("path", "needed"),
    [
        ("/about.html/", PAGES),
        ("/about.jsonld/", RDF),
        ("/about.ttl/", RDF),
        ("/about.json/", set()),
        ("/about.linkset/", set()),
        ("/qr.svg/", CODES),
    ],
)
def test_an_answer_imports_only_its_own_format(path: str, needed: set[str]) -> None:
    modules = _imported(f"{path}uri-gin/azgs/")

    assert needed <= modules
    assert not modules & ((PAGES | RDF | CODES | OTHER_FRONTS | NEVER) - needed)


@pytest.mark.parametrize(
    ("accept", "needed"),
    [
        ("text/html", {"jinja2", "markupsafe", "ginuri.web.pages.front"}),
        ("text/turtle", RDF),
        ("application/json", set()),
    ],
)
def test_only_browsers_import_the_front_page(accept: str, needed: set[str]) -> None:
    modules = _imported("/", Accept=accept)

    others = PAGES | RDF | CODES | NEVER | {"ginuri.web.pages.front", "ginuri.search.searcher"}
    assert needed <= modules
    assert not modules & (others - needed)


def _imported(path: str, **headers: str) -> set[str]:
    event = json.dumps(rest_event(path, headers={"Host": "ids.example.org", **headers}))

    ran = subprocess.run(  # noqa: S603  our own source
        [sys.executable, "-c", PROGRAM, event],
        env=os.environ | {"PYTHONPATH": str(ROOT / "functions")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )

    status, modules = ran.stdout.splitlines()
    assert status == "200"
    return set(json.loads(modules))
