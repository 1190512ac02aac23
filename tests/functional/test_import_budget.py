"""The budget of a cold start: the imports of the first redirect, module by module.

The client of DynamoDB and its adapter are excluded; `make bench` has their budget.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from infra.local import ROOT

OURS = {
    "ginuri": "frozen",
    "ginuri.identifiers": "characters errors hosts identifier messages roots service_paths",
    "ginuri.identifiers.grammars": "gin",
    "ginuri.registry": "clock locations model ports reading statuses version_names",
    "ginuri.registry.rules": "beginnings",
    "ginuri.resolution": "decision finder links match outcomes resolve",
    "ginuri.resolution.negotiation": "negotiation preferences",
    "ginuri.web": "events headers links query request response",
    "ginuri.web.answers": "identifiers",
    "ginuri.service": "resolve",
}
"""Our modules by package; the packages themselves count as well."""
STANDARD = {
    "binascii": "bodies travel in base64",
    "collections": "abc: types of arguments that are looked at",
    "contextlib": "of `typing`, before Python 3.13",
    "datetime": "the clock",
    "http": "statuses by name",
    "importlib": "grammars are imported by the name of their scheme",
    "math": "of `datetime`, before Python 3.13",
    "typing": "named tuples and protocols",
    "warnings": "of `importlib`, before Python 3.13",
}
"""The modules of the standard library, beyond an interpreter that has imported `json`, and their purpose."""
MOST_OURS = 43
MOST_STANDARD = 9
WHAT_TO_DO = (
    "%s is imported to answer a redirect, and costs every cold start. If few requests need it, import it in "
    "the function that does; import types alone under `TYPE_CHECKING`. "
    "If every redirect needs it, add it here, and its cost (`python -X importtime`) to the commit's message."
)

BARE = "import json, os"
FIRST_REDIRECT = """
import json
from ginuri.registry.reading import read_registered
from ginuri.resolution.finder import RememberingFinder
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.response import write_gateway
from ginuri.service.resolve import answer
from ginuri.web.events import read_request

FORMS = {
    part: {"part": part, "media_type": media_type, "location": f"https://maps.example/{part}"}
    for part, media_type in {"map.pdf": "application/pdf", "map.html": "text/html"}.items()
}
VALUES = {
    "uri-gin/azgs/": {"record": "authority", "title": {"en": "Arizona Geological Survey"}},
    "uri-gin/azgs/map/1/": {"title": {"en": "Geologic map"}, "representations": FORMS},
}

class Reader:
    def fetch(self, names):
        known = [name for name in names if name in VALUES]
        return {name: read_registered(name, VALUES[name], "2011-08-25T17:29:00Z") for name in known}

headers = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language": "en-GB,en;q=0.7",
    "Host": "resources.usgin.org",
}
event = {
    "path": "/uri-gin/azgs/map/1/",
    "httpMethod": "GET",
    "headers": headers,
    "multiValueHeaders": {name: [value] for name, value in headers.items()},
    "queryStringParameters": None,
    "multiValueQueryStringParameters": None,
    "requestContext": {"path": "/live/uri-gin/azgs/map/1/", "stage": "live"},
    "body": None,
}
finder = RememberingFinder(Reader(), lambda: 0.0)
answered = answer(read_request(event), finder, IdentifierResponses(None, "resources.usgin.org"))
assert write_gateway(answered.response, "GET")["statusCode"] == 303
"""


def _imported(program: str) -> set[str]:
    """Return the imports of a program as Python lists them, without those of the environment."""
    ran = subprocess.run(  # noqa: S603  our own source
        [sys.executable, "-S", "-X", "importtime", "-c", program],
        env={"PYTHONPATH": os.pathsep.join(map(str, (ROOT / "functions", ROOT / "layers/library")))},
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        line.rpartition("|")[2].strip() for line in ran.stderr.splitlines() if line.startswith("import time:")
    }


@pytest.fixture(scope="module")
def imported() -> set[str]:
    """The modules that the first redirect imports beyond a bare interpreter that can read JSON."""
    return _imported(FIRST_REDIRECT) - _imported(BARE)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == "ginuri"


def test_the_first_redirect_imports_only_the_listed_project_modules(imported: set[str]) -> None:
    budget = {f"{package}.{module}" for package, modules in OURS.items() for module in modules.split()}
    ours = {module for module in imported if _is_ours(module)}

    assert not ours - budget - OURS.keys(), WHAT_TO_DO % sorted(ours - budget - OURS.keys())
    assert not budget - ours, f"{sorted(budget - ours)} is no longer imported: take it off the list"
    assert len(ours) <= MOST_OURS


def test_the_first_redirect_imports_only_the_listed_standard_modules(imported: set[str]) -> None:
    standard = {module.partition(".")[0] for module in imported if not _is_ours(module)}
    named = {module for module in standard if not module.startswith("_")}

    assert not named - STANDARD.keys(), WHAT_TO_DO % sorted(named - STANDARD.keys())
    assert len(named) <= MOST_STANDARD
