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
SYMP = "https://raw.githubusercontent.com/DiseaseOntology/SymptomOntology"
OLS = "https://www.ebi.ac.uk/ols/ontologies/"
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
        ("SYMP/other.obo", 302, f"{SYMP}/main/src/ontology/other.obo"),
        ("symp/releases/2022-05-26/x/y", 302, f"{SYMP}/v2022-05-26/src/ontology/x/y"),
        ("PR_Q9Y2X3-1", 303, "https://proconsortium.org/cgi-bin/entry_pro?id=PR_Q9Y2X3-1"),
        ("PR_x", 404, ""),
        ("RO_HOM0000001", 303, f"{OLS}ro/terms?iri=http://purl.obolibrary.org/obo/RO_HOM0000001"),
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
    entries = "- regex: ^/obo/hp/(?=ab)(.*)$\n  replacement: https://b.example/$1\n"
    (tmp_path / "hp.yml").write_text(f"idspace: HP\nbase_url: /obo/hp\nentries:\n{entries}", encoding="utf-8")

    result = _run("obo", tmp_path / "hp.yml", "--output", tmp_path / "hp.jsonl")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "0 of 1 entries imported (0 %), 1 refused",
        "      1  A rule cannot look ahead with ….",
        "  hp.yml, line 4: regex ^/obo/hp/(?=ab)(.*)$: A rule cannot look ahead with (?=…).",
    ]
    assert (tmp_path / "hp.jsonl").read_text(encoding="utf-8") == ""


def test_every_shared_entry_of_obo_is_imported() -> None:
    result = _run("obo", OBO / "obo.yml", "--json")

    told = json.loads(result.stderr)
    assert (told["entries"], told["taken"], told["refused"]) == (25, 25, [])


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


@pytest.fixture(scope="module")
def uriredirect(table: Steward, tmp_path_factory: pytest.TempPathFactory) -> Steward:
    """Import the fixtures of uriredirect, and upload them."""
    folder = tmp_path_factory.mktemp("uriredirect")
    files = sorted((DATA / "uriredirect").glob("*.json"))
    result = _run("uriredirect", *files, "--host", "old.example.org", "--to", folder)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        0,
        "15 of 15 entries imported (100 %), 0 refused",
    )
    hosts = line("http://old.example.org/", record="host")
    authorities = [line(f"uri-gin/{name}/", record="authority", title=name) for name in ("this", "duplicate")]
    _upload(table, "_host/settled.jsonl", hosts + "".join(authorities))
    for file in sorted(folder.rglob("*.jsonl")):
        _upload(table, str(file.relative_to(folder)), file.read_text(encoding="utf-8"))
    return table


# tests/ResolverTestCase.py, and what else is below the scheme
@pytest.mark.parametrize(
    ("path", "accept", "status", "location"),
    [
        ("/uri-gin/first/onegroup/onemapping/success", "text/html", 303, "http://elsewhere.com/first"),
        ("/uri-gin/first/onegroup/twomappings/success", "text/html", 303, "http://elsewhere.com/first"),
        ("/uri-gin/first/onegroup/twomappings/success", "image/jpeg", 303, "http://wrong.com/first"),
        (
            "/uri-gin/first/twogroups/second/onemapping/success",
            "text/html",
            303,
            "http://elsewhere.com/first--second",
        ),
        (
            "/uri-gin/first/twogroups/second/twomappings/success",
            "text/html",
            303,
            "http://elsewhere.com/first--second",
        ),
        (
            "/uri-gin/first/twogroups/second/twomappings/success.txt",
            "",
            303,
            "http://fileextension.com/text.txt",
        ),
        ("/uri-gin/a/twomappings", "image/*", 303, "http://domain.com/image.png"),
        ("/uri-gin/a/nomappings", "text/html", 404, ""),
        ("/uri-gin/123/456", "text/html", 404, ""),
        ("/another-registry/x/y", "", 301, "http://elsewhere.com/another-registry/x/y"),
    ],
)
@pytest.mark.usefixtures("uriredirect")
def test_requests_to_uriredirect_get_the_answers_of_its_tests(
    handle: Callable[..., Answer], path: str, accept: str, status: int, location: str
) -> None:
    host = "old.example.org" if path.startswith("/another") else "resources.usgin.org"

    answered = handle(path, Host=host, **({"Accept": accept} if accept else {}))

    assert (answered.status, answered.headers.get("Location", "")) == (status, location)


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


BIOREGISTRY = {
    "hp": {
        "name": "Human Phenotype Ontology",
        "uri_format": "http://purl.example.org/HP_$1",
        "pattern": r"^\d{7}$",
        "example": "0000001",
        "synonyms": ["hpo"],
        "providers": [{"code": "monarch", "uri_format": "https://monarch.example/HP:$1"}],
    },
    "kegg.drug": {"name": "KEGG Drug", "uri_format": "https://kegg.example/entry/$1", "pattern": r"^D\d+$"},
}


def _import_bioregistry(folder: Path) -> str:
    (folder / "bioregistry.json").write_text(json.dumps(BIOREGISTRY), encoding="utf-8")
    result = _run("bioregistry", folder / "bioregistry.json", "--host", "bio.example.org")
    assert result.exit_code == 0
    return result.stdout


@pytest.fixture(scope="module")
def bioregistry(table: Steward, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Import two prefixes of the Bioregistry, and upload them."""
    imported = _import_bioregistry(tmp_path_factory.mktemp("bioregistry"))
    _upload(table, "_host/bio.jsonl", line("http://bio.example.org/", record="host"))
    _upload(table, "bio.example.org/bioregistry.jsonl", imported)
    return imported


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/hp:0000001", 302, "http://purl.example.org/HP_0000001"),
        ("/HPO:hp:0000001", 302, "http://purl.example.org/HP_0000001"),
        ("/monarch/hp:0000001", 302, "https://monarch.example/HP:0000001"),
        ("/hp:17", 404, ""),
        ("/kegg.drug:D00123", 302, "https://kegg.example/entry/D00123"),
        ("/KEGG-DRUG:D00123", 302, "https://kegg.example/entry/D00123"),
        ("/hpo", 301, "http://bio.example.org/hp"),
    ],
)
@pytest.mark.usefixtures("bioregistry")
def test_compact_identifiers_lead_to_their_providers(
    handle: Callable[..., Answer], path: str, status: int, location: str
) -> None:
    answered = handle(path, Host="bio.example.org")

    assert (answered.status, answered.headers.get("Location", "")) == (status, location)


def test_importing_and_uploading_again_changes_nothing(
    table: Steward, bioregistry: str, tmp_path: Path
) -> None:
    imported = _import_bioregistry(tmp_path)

    again = _upload(table, "bio.example.org/again.jsonl", imported)

    assert imported == bioregistry
    assert again.counts.keys() <= {"unchanged", "warned"}


def test_arks_of_imported_naans_and_shoulders_are_led_on(
    table: Steward, handle: Callable[..., Answer], tmp_path: Path
) -> None:
    records = [
        {
            "what": what,
            "target": {"url": f"https://{host}.example/${{content}}", "http_code": 302},
            "who": {"name": "A Library"},
            "rtype": "PublicNAAN",
        }
        for what, host in (("12025", "naan"), ("12025/fk4", "shoulder"))
    ]
    (tmp_path / "naan_records.json").write_text(json.dumps({"data": records}), encoding="utf-8")
    imported = _run("n2t", tmp_path / "naan_records.json")
    _upload(table, "_host/ark.jsonl", line("ark:", record="scheme", title="ARKs"))
    _upload(table, "_host/n2t.jsonl", imported.stdout)

    answers = [handle(f"/ark:12025/{name}", Host=PURL) for name in ("x1", "fk4", "fk4a/b.c")]

    assert [(answer.status, answer.headers["Location"]) for answer in answers] == [
        (302, "https://naan.example/12025/x1"),
        (302, "https://shoulder.example/12025/fk4"),
        (302, "https://shoulder.example/12025/fk4a/b.c"),
    ]


REGISTER = """
@prefix reg: <http://purl.org/linked-data/registry#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@base <http://reg.example.org/def/colours/> .
<_red> a reg:RegisterItem ; reg:status reg:statusStable ; reg:definition [ reg:entity <red> ] .
<red> a skos:Concept ; skos:prefLabel "Red" .
<_blue> a reg:RegisterItem ; reg:status reg:statusStable ; reg:definition [ reg:entity <blue> ] .
<blue> a reg:NamespaceForward ; reg:delegationTarget <https://b.example/doc/> ; reg:forwardingCode 302 .
"""


def test_entities_of_an_imported_register_are_described_or_led_on(
    table: Steward, handle: Callable[..., Answer], tmp_path: Path
) -> None:
    (tmp_path / "colours.ttl").write_text(REGISTER, encoding="utf-8")
    imported = _run("ukgovld", tmp_path / "colours.ttl")
    _upload(table, "_host/reg.jsonl", line("http://reg.example.org/", record="host"))
    _upload(table, "reg.example.org/colours.jsonl", imported.stdout)

    answers = [handle(f"/def/colours/{name}", Host="reg.example.org") for name in ("red", "_red", "blue/a/b")]

    assert [(answer.status, answer.headers["Location"]) for answer in answers] == [
        (303, "/about/http://reg.example.org/def/colours/red"),
        (302, "http://reg.example.org/def/colours/red"),
        (302, "https://b.example/doc/a/b"),
    ]
