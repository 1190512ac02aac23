"""The data of other resolvers are imported and uploaded, and get the same answers."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest
import yaml
from click.testing import CliRunner, Result
from moto import mock_aws

from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.cli.main import main
from infra.bench.workers.context import Context
from tests.answers import Answer
from tests.aws import dynamodb_client, new_bucket, new_table, s3_client
from tests.builders import rest_event
from tests.steward import HOST, Report, Steward, line

DATA = Path(__file__).parents[1] / "data"
OBO = DATA / "obo"
ONTOLOGIES = ("bspo", "doid", "dron", "go", "symp")
TABLE = "registry"
PURL = "purl.obolibrary.org"
STATUS_CODES = {"permanent": 301, "temporary": 302, "see other": 303}
BROWSERS = {
    "ontobee": "http://www.ontobee.org/browser/rdf.php?o={idspace}&iri=http://purl.obolibrary.org/obo/{term}",
    "ols": "https://www.ebi.ac.uk/ols4/ontologies/{lower}/entities/"
    "http%253A%252F%252Fpurl.obolibrary.org%252Fobo%252F{term}",
}


class Asked(NamedTuple):
    """The requests of OBO's own tools/test.py, and their expected answers."""

    path: str
    status: int
    location: str


def _asked(name: str) -> list[Asked]:
    """Read the tests in a file of OBO, like tools/test.py."""
    said = yaml.safe_load((OBO / f"{name}.yml").read_text(encoding="utf-8"))
    base, idspace = said["base_url"], said["idspace"]
    asked = [Asked(f"/obo/{file}", 302, to) for each in said.get("products", ()) for file, to in each.items()]
    if "base_redirect" in said:
        asked.append(Asked(base, 302, said["base_redirect"]))
    if said["term_browser"] in BROWSERS:
        browser = BROWSERS[said["term_browser"]]
        asked += [
            Asked(f"/obo/{term}", 303, browser.format(idspace=idspace, lower=idspace.lower(), term=term))
            for term in said["example_terms"]
        ]
    for entry in said.get("entries", ()):
        status = STATUS_CODES[entry.get("status", "temporary")]
        begun = entry.get("exact") or entry.get("prefix")
        if begun:
            asked.append(Asked(f"{base}{begun}", status, entry["replacement"]))
        asked += [Asked(f"{base}{each['from']}", status, each["to"]) for each in entry.get("tests", ())]
    return asked


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["import", *map(str, arguments)], prog_name="ginuri")


def _upload(steward: Steward, key: str, content: str) -> Report:
    report = steward.upload(key, content)
    assert report.refused == {}
    return report


@pytest.fixture(scope="module")
def table() -> Iterator[Steward]:
    """Return a steward whose uploads go into a table in moto, where the host of OBO's PURLs is registered."""
    with mock_aws():
        client = dynamodb_client()
        steward = Steward(DynamoRegistry(client, new_table(client, TABLE)))
        new_bucket(s3_client(), "content")
        _upload(steward, "_host/obo.jsonl", HOST + line(f"http://{PURL}/", record="host"))
        yield steward


@pytest.fixture(scope="module")
def obo(table: Steward) -> Steward:
    """Import five ontologies and the shared file, and upload them."""
    imported = _run("obo", *(OBO / f"{name}.yml" for name in (*ONTOLOGIES, "obo")))
    _upload(table, f"{PURL}/obo/obo.jsonl", imported.stdout)
    return table


@pytest.fixture
def handle(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Answer]]:
    """Wire the resolve function as in Lambda, over the table of the steward."""
    for name, value in (
        ("AWS_DEFAULT_REGION", "us-east-1"),
        ("STACK", "ginuri"),
        ("REGISTRY_TABLE", TABLE),
        ("CONTENT_BUCKET", "content"),
        ("CANONICAL_HOST", "resources.usgin.org"),
        ("EDGE_SECRET", ""),
        ("GINURI_DYNAMODB_CLIENT", "botocore"),  # moto intercepts only botocore
    ):
        monkeypatch.setenv(name, value)
    sys.modules.pop("resolve.handler", None)
    handler = importlib.import_module("resolve.handler").handle
    yield lambda path, **headers: Answer(handler(rest_event(path, headers=headers), Context()))
    sys.modules.pop("resolve.handler", None)


@pytest.mark.usefixtures("obo")
@pytest.mark.parametrize("name", ONTOLOGIES)
@pytest.mark.untraced
def test_every_documented_request_to_obo_gets_its_documented_answer(
    handle: Callable[..., Answer], name: str
) -> None:
    asked = _asked(name)
    answers = [handle(each.path, Host=PURL) for each in asked]

    # Escapes are compared as in tools/test.py.
    assert [
        (each.path, answer.status, unquote(answer.headers.get("Location", "")))
        for each, answer in zip(asked, answers, strict=True)
    ] == [(path, status, unquote(location)) for path, status, location in asked]


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("GO_0032571", 303, "http://amigo.geneontology.org/amigo/term/GO:0032571"),
        ("DOID_4", 303, "https://disease-ontology.org/?id=DOID:4"),
        ("go/", 302, "https://current.geneontology.org/ontology/"),
        ("go/x/y/", 302, "https://current.geneontology.org/ontology/x/y/"),
        (
            "go/about/GO_1",
            302,
            "https://www.ontobee.org/browser/rdf.php?o=GO&iri=http://purl.obolibrary.org/obo/GO_1",
        ),
        ("bspo/trackers/1", 302, "https://github.com/obophenotype/biological-spatial-ontology/issuess/1"),
        ("go/releases/2019-03-19/go.owl", 302, "https://release.geneontology.org/2019-03-18/ontology/go.owl"),
        ("SYMP_abc", 404, ""),
        ("RO_0002202", 404, ""),
        (
            "BFO_0000050",
            302,
            "https://www.ebi.ac.uk/ols/ontologies/ro/properties?iri=http://purl.obolibrary.org/obo/BFO_0000050",
        ),
        ("GO.owl", 302, f"http://{PURL}/obo/go.owl"),
    ],
)
@pytest.mark.usefixtures("obo")
def test_everything_derived_from_an_ontology_gets_its_documented_answer(
    handle: Callable[..., Answer], path: str, status: int, location: str
) -> None:
    answered = handle(f"/obo/{path}", Host=PURL)

    assert (answered.status, answered.headers.get("Location", "")) == (status, location)


@pytest.mark.parametrize("name", ONTOLOGIES)
def test_every_entry_of_an_ontology_is_imported(name: str) -> None:
    result = _run("obo", OBO / f"{name}.yml")

    assert result.exit_code == 0
    assert "0 refused" in result.stderr


def test_the_page_and_the_examples_show_a_converted_ontology(tmp_path: Path) -> None:
    page = (DATA.parents[1] / "docs" / "how-to" / "move-in.md").read_text(encoding="utf-8")
    example = DATA.parents[1] / "layers/library/ginuri/examples" / PURL / "obo" / "symp.jsonl"

    result = _run("obo", OBO / "symp.yml", "--output", tmp_path / "symp.jsonl")

    command = "$ ginuri import obo tests/data/obo/symp.yml --output symp.jsonl"
    assert f"```console\n{command}\n{result.stdout}```\n" in page
    assert (tmp_path / "symp.jsonl").read_bytes() == example.read_bytes()


def test_an_entry_without_an_equivalent_rule_is_refused_with_its_line(tmp_path: Path) -> None:
    result = _run("obo", OBO / "obo.yml", "--output", tmp_path / "obo.jsonl")

    said = result.stdout.splitlines()
    assert result.exit_code == 1
    assert said[0] == "20 of 25 entries imported (80 %), 5 refused"
    first = next(each for each in said if "obo.yml" in each)
    assert first.startswith("  obo.yml, line 101: regex ^/obo/PR_(")
    assert "cannot be restricted to" in first
    assert len((tmp_path / "obo.jsonl").read_text(encoding="utf-8").splitlines()) == 20


def test_the_counts_are_printed_as_json() -> None:
    result = _run("obo", OBO / "obo.yml", "--json")

    told = json.loads(result.stderr)
    assert {name: told[name] for name in ("entries", "taken", "registrations")} == {
        "entries": 25,
        "taken": 20,
        "registrations": 20,
    }
    assert [each["line"] for each in told["refused"]] == [101, 118, 132, 142, 162]
    assert {each["file"] for each in told["refused"]} == {"obo.yml"}


def test_the_host_can_be_changed() -> None:
    result = _run("obo", OBO / "bspo.yml", "--host", "purl.example.org")

    names = {json.loads(each)["identifier"] for each in result.stdout.splitlines()}
    assert "http://purl.example.org/obo/bspo.owl" in names
    assert all(name.startswith("http://purl.example.org/obo/") for name in names)


def test_an_invalid_host_is_refused() -> None:
    result = _run("obo", OBO / "bspo.yml", "--host", "purl example")

    assert result.exit_code == 2
    assert "a host is a name or an address" in result.stderr


def test_a_file_without_configuration_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("idspace: [", encoding="utf-8")
    (tmp_path / "b.yml").write_text("title: B", encoding="utf-8")

    broken, other = _run("obo", tmp_path / "a.yml"), _run("obo", tmp_path / "b.yml")

    assert (broken.exit_code, other.exit_code) == (2, 2)
    assert "The file is not valid YAML: line " in broken.stderr
    assert "b.yml is not a configuration of OBO's PURLs: `idspace` is missing." in other.stderr


def test_the_fixtures_of_uriredirect_are_imported_or_refused_with_the_reason() -> None:
    result = _run("uriredirect", *sorted((DATA / "uriredirect").glob("*.json")), "--host", "old.example.org")

    said = result.stderr.splitlines()
    assert result.exit_code == 1
    assert said[0] == "1 of 15 entries imported (6.6 %), 14 refused"
    refused = [each for each in said if ".json, line " in each]
    assert sum("answered with status 406" in each for each in refused) == 6
    assert sum("answered with status 500" in each for each in refused) == 3
    assert sum(".* is allowed at the end only" in each for each in refused) == 5
    assert json.loads(result.stdout) == {
        "record": "rule",
        "identifier": "http://old.example.org/another-registry/",
        "title": "another-registry",
        "location": "http://elsewhere.com/another-registry/{+rest}",
        "status_code": 301,
    }


def _fixture(*rows: tuple[str, int, dict[str, Any]]) -> str:
    return json.dumps(
        [{"model": f"uriredirect.{model}", "pk": key, "fields": fields} for model, key, fields in rows]
    )


def test_a_rewrite_rule_is_negotiated_with_selecting_endings(
    table: Steward, handle: Callable[..., Answer], tmp_path: Path
) -> None:
    (tmp_path / "all.json").write_text(
        _fixture(
            ("uriregister", 1, {"label": "uri-gin", "url": "http://a.example/", "can_be_resolved": True}),
            ("mediatype", 1, {"mime_type": "text/html", "file_extension": "html"}),
            ("mediatype", 2, {"mime_type": "application/pdf", "file_extension": ".pdf"}),
            (
                "rewriterule",
                7,
                {"register": 1, "label": "Maps", "pattern": r"azgs/map/(\d+)$", "description": ""},
            ),
            ("acceptmapping", 1, {"rewrite_rule": 7, "media_type": 1, "redirect_to": "http://b.example/$1"}),
            (
                "acceptmapping",
                2,
                {"rewrite_rule": 7, "media_type": 2, "redirect_to": "http://b.example/$1.pdf"},
            ),
        ),
        encoding="utf-8",
    )
    imported = _run("uriredirect", tmp_path / "all.json")
    assert imported.exit_code == 0
    _upload(table, "uri-gin/azgs/maps.jsonl", imported.stdout)

    html, pdf = (handle("/uri-gin/azgs/map/17", Accept=each) for each in ("text/html", "application/pdf"))
    ending = handle("/uri-gin/azgs/map/17.pdf", Accept="text/html")

    assert [(each.status, each.headers["Location"]) for each in (html, pdf, ending)] == [
        (303, "http://b.example/17"),
        (303, "http://b.example/17.pdf"),
        (303, "http://b.example/17.pdf"),
    ]
