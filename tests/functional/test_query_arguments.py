"""Query arguments in place of headers, per host (W3C Content Negotiation by Profile, §8)."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from ginuri.memory import MemoryRegistry
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.statements import FIRST
from tests.builders import keyed, register, stamp
from tests.front import Front
from tests.steward import settled

HOST, OTHER = "id.example", "plain.example"
SET, RULED, DATA = "/set/", "/rules/7", "https://data.example"
DCAT, SKOS = "http://www.w3.org/ns/dcat", "http://www.w3.org/2004/02/skos/core#"
ARGUMENTS = {
    "_mediatype": "media_type",
    "_format": {"ttl": "text/turtle", "xml": "application/rdf+xml"},
    "_profile": {"dcat": DCAT, "skos": SKOS},
}
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def _form(name: str, media_type: str | None, **fields: Any) -> dict[str, Any]:
    return {"media_type": media_type, "location": f"{DATA}/{name}", **fields}


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    registry = MemoryRegistry()
    forms = [
        _form("page", "text/html", role=["default"]),
        _form("turtle", "text/turtle"),
        _form("jsonld", "application/ld+json"),
        _form("dcat", "text/turtle", profile=DCAT),
        _form("dcat.html", "text/html", profile=DCAT),
        _form("skos", "application/rdf+xml", profile=SKOS),
    ]
    for host in (HOST, OTHER):
        stated = ARGUMENTS if host == HOST else {}
        register(registry, f"//{host}/", record="host", title={"": "A host"}, query_arguments=stated)
        register(registry, f"//{host}/set/", title={"": "A set"}, representations=forms)
    register(registry, f"//{HOST}/doc", title={"": "A document"}, representations=forms)
    register(registry, f"//{HOST}/bare/", title={"": "Only described"})
    register(registry, f"//{HOST}/other", record="alias", stands_for=[f"//{HOST}/set/"])
    document = [{"identifier": f"//{HOST}/doc"}]
    register(registry, f"//{HOST}/thing/", title={"": "A thing"}, representations=document)
    open_forms = [_form("any", None, role=["default"]), _form("turtle", "text/turtle")]
    register(registry, f"//{HOST}/open/", title={"": "Open"}, representations=open_forms)
    days = [_form(day, "text/html", valid_from=day) for day in ("1991-02-01", "1997-06-01")]
    days += [_form(f"{day}.ttl", "text/turtle", valid_from=day) for day in ("1991-02-01", "1997-06-01")]
    register(registry, f"//{HOST}/law", title={"": "A law"}, representations=days)
    for prefix in (f"//{HOST}/rules/", f"//{OTHER}/plain/"):
        _rule(registry, prefix, _form("{id}", None, role=["default"]), _form("{id}.ttl", "text/turtle"))
    register(registry, "doi:", record="scheme", title={"": "DOIs"})
    register(registry, "doi:10.1000/182", title={"": "A handbook"}, representations=forms)
    register(registry, "uri-gin/", record="scheme", title={"": "Geoscience"})
    register(registry, "uri-gin/azgs/", record="authority", title={"": "Survey"})
    register(registry, "uri-gin/azgs/set/", title={"": "A set"}, representations=forms)
    return Front(registry, tmp_path_factory.mktemp("published"))


def _rule(registry: MemoryRegistry, prefix: str, *forms: dict[str, Any]) -> None:
    place = ("rules", "{id}")
    stated: dict[Any, Any] = {(*place, "pass_query"): True}
    for number, form in enumerate(forms):
        values = {FIRST: number, **{name: value for name, value in form.items() if value is not None}}
        stated |= {(*place, "representations", str(number), name): value for name, value in values.items()}
    registry.write(apply(Record(prefix, {}), keyed(stated), stamp()))


def _ask(
    front: Front, path: str, query: str, accept: str = BROWSER, host: str = HOST, **headers: str
) -> tuple[int, str | None]:
    answer = front.ask(path, query=query, headers={"Host": host, "Accept": accept, **headers})
    return answer.status, answer.headers.get("Location")


@pytest.mark.parametrize(
    ("query", "location"),
    [
        ("_mediatype=text/turtle", "turtle"),
        ("_mediatype=text%2Fturtle", "turtle"),
        ("_mediatype=TEXT/Turtle", "turtle"),
        ("_mediatype=application/ld+json", "jsonld"),
        ("_mediatype=application/ld%2Bjson", "jsonld"),
        ("_mediatype=text/html", "page"),
        ("_mediatype=image/png,text/turtle", "turtle"),
        ("_mediatype=text/turtle;q=0.4,application/ld+json", "jsonld"),
        ("_mediatype=text/turtle&_mediatype=text/html", "turtle"),  # the first
        ("_mediatype=&_mediatype=text/turtle", "turtle"),
        ("_mediatype=", "page"),
        ("a=b&_mediatype=text/turtle&c", "turtle"),
        ("_format=ttl", "turtle"),
        ("_format=text/turtle", "turtle"),
        ("_profile=dcat", "dcat.html"),
        (f"_profile={DCAT}", "dcat.html"),
        (f"_profile=<{DCAT}>", "dcat.html"),
        (f"_profile={quote(f'<{DCAT}>', safe='')}", "dcat.html"),
        ("_profile=dcat&_mediatype=text/turtle", "dcat"),
        ("_mediatype=text/turtle&_profile=dcat", "dcat"),
        ("_profile=skos", "skos"),
        (f"_profile=none,{quote(SKOS, safe='')},dcat", "skos"),
        ("_profile=skos&_profile=dcat", "skos"),
        ("_MEDIATYPE=text/turtle", "page"),  # names are case-sensitive
        ("mediatype=text/turtle", "page"),
    ],
)
def test_arguments_choose_a_form_in_place_of_headers(front: Front, query: str, location: str) -> None:
    assert _ask(front, SET, query) == (303, f"{DATA}/{location}")


@pytest.mark.parametrize(
    "query",
    [
        "_mediatype=image/png",
        "_mediatype=turtle",
        "_mediatype=%00",
        "_format=xsl",
        "_profile=none",
        "_profile=http://www.w3.org/ns/dca",
        "_profile=%3C%3E",
        "_profile=skos&_mediatype=text/turtle",
    ],
)
def test_an_unknown_value_is_not_acceptable(front: Front, query: str) -> None:
    for path in (SET, "/doc"):
        answer = front.ask(path, query=query, headers={"Host": HOST})
        assert answer.status == 406
        assert {link["type"] for link in answer.problem["advice"] if link.get("type")} >= {"text/turtle"}


def test_an_unknown_value_of_a_thing_without_forms_is_not_acceptable(front: Front) -> None:
    for query in ("_mediatype=image/png", "_mediatype=ttl", "_profile=none"):
        assert _ask(front, "/bare/", query) == (406, None)


def test_a_form_without_a_media_type_suits_any_stated_one(front: Front) -> None:
    assert _ask(front, "/open/", "_mediatype=text/turtle") == (303, f"{DATA}/turtle")
    assert _ask(front, "/open/", "_mediatype=image/png") == (303, f"{DATA}/any")
    assert _ask(front, "/open/", "_profile=none") == (406, None)


@pytest.mark.parametrize(
    ("path", "query", "location"),
    [
        ("/bare/", "_mediatype=text/turtle", f"/about.ttl/http://{HOST}/bare/"),
        ("/bare/", "_format=xml", f"/about.rdf/http://{HOST}/bare/"),
        ("/bare/", "a=b", f"/about/http://{HOST}/bare/"),
        (SET, "_mediatype=application/n-triples", f"/about.nt/http://{HOST}/set/"),  # no form, but a format
        (SET, "_profile=alt", f"/about/http://{HOST}/set/"),
        (SET, "_profile=alt&_mediatype=application/json", f"/about.json/http://{HOST}/set/"),
        ("/doc", "_profile=http://www.w3.org/ns/dx/connegp/altr", f"/about/http://{HOST}/doc"),
    ],
)
def test_arguments_lead_to_a_format_of_the_description(
    front: Front, path: str, query: str, location: str
) -> None:
    assert _ask(front, path, query) == (303, location)


def test_a_redirect_to_another_name_keeps_the_arguments_only(front: Front) -> None:
    query = "x=1&_mediatype=application/ld+json&title=y"
    kept = ("_mediatype=application/ld+json", "_mediatype=application/ld%20json")  # by a gateway without edge

    answers = [_ask(front, path, query) for path in ("/other", "/thing/", "/law")]

    assert [status for status, _ in answers] == [301, 303, 302]
    addresses, queries = zip(*((where or "").split("?") for _, where in answers), strict=True)
    assert addresses == tuple(f"http://{HOST}/{name}" for name in ("set/", "doc", "law/1997-06-01"))
    assert set(queries) <= set(kept)


def test_a_rule_passes_on_the_query_without_the_arguments(front: Front) -> None:
    assert _ask(front, RULED, "x=1&_mediatype=text/turtle&y=2") == (302, f"{DATA}/7.ttl?x=1&y=2")
    assert _ask(front, RULED, "_mediatype=text/turtle") == (302, f"{DATA}/7.ttl")
    assert _ask(front, RULED, "_mediatype=image/png&x=1") == (302, f"{DATA}/7?x=1")
    assert _ask(front, "/plain/7", "_mediatype=image/png&x=1", host=OTHER) == (
        302,
        f"{DATA}/7?_mediatype=image/png&x=1",
    )


def test_a_redirect_to_the_normal_form_keeps_the_whole_query(front: Front) -> None:
    status, location = _ask(front, "/%73et/", "_mediatype=text/turtle&x=1")

    assert (status, location) == (301, f"http://{HOST}/set/?_mediatype=text/turtle&x=1")


def test_arguments_are_no_part_of_the_cited_identifier(front: Front) -> None:
    answer = front.ask(SET, query="_mediatype=text/turtle", headers={"Host": HOST})

    assert answer.linked("cite-as") == [f"http://{HOST}/set/"]


def test_a_host_without_arguments_reads_none(front: Front) -> None:
    assert _ask(front, SET, "_mediatype=text/turtle", host=OTHER) == (303, f"{DATA}/page")


@pytest.mark.parametrize("path", ["/uri-gin/azgs/set/", "/doi:10.1000/182"])
def test_the_requested_host_decides_about_names_bound_to_none(front: Front, path: str) -> None:
    query = "_profile=dcat&_mediatype=text/turtle"

    assert _ask(front, path, query) == (303, f"{DATA}/dcat")
    assert _ask(front, path, query, host=OTHER) == (303, f"{DATA}/page")
    assert _ask(front, path, query, host=f"{HOST.upper()}:80") == (303, f"{DATA}/dcat")


def test_an_unreadable_host_has_no_arguments(front: Front) -> None:
    answer = _ask(front, "/uri-gin/azgs/set/", "_mediatype=text/turtle", host="no host!")

    assert answer == (303, f"{DATA}/page")


def test_other_headers_still_count(front: Front) -> None:
    language = {"Accept-Language": "de"}

    assert _ask(front, SET, "_profile=skos", "text/html") == (406, None)
    assert _ask(front, SET, "_mediatype=text/turtle", **language) == (303, f"{DATA}/turtle")
    profile = {"Accept-Profile": f"<{DCAT}>"}
    assert _ask(front, SET, "_mediatype=text/turtle", **profile) == (303, f"{DATA}/dcat")


def test_the_front_page_of_a_host_reads_the_arguments(front: Front) -> None:
    data = front.ask("/", query="_mediatype=text/turtle", headers={"Host": HOST, "Accept": BROWSER})
    page = front.ask("/", query="_mediatype=text/html", headers={"Host": HOST, "Accept": "text/turtle"})

    assert data.headers["Content-Type"].startswith("text/turtle")
    assert page.headers["Content-Type"].startswith("text/html")


def test_answers_link_to_the_forms_by_the_arguments(front: Front) -> None:
    answer = front.ask(SET, headers={"Host": HOST})
    path = f"//{HOST}/set/?"

    assert [link for link in answer.linked("alternate") if "?" in link] == [
        f"{path}_mediatype=text/html",
        f"{path}_mediatype=text/turtle",
        f"{path}_mediatype=application/ld+json",
        f"{path}_profile=dcat&_mediatype=text/turtle",
        f"{path}_profile=dcat&_mediatype=text/html",
        f"{path}_profile=skos&_mediatype=application/rdf+xml",
    ]
    assert f'formats="{DCAT}"' in answer.headers["Link"]
    plain = front.ask(SET, headers={"Host": OTHER})
    assert not any("?" in link for link in plain.linked("alternate"))


def test_every_linked_address_is_a_form(front: Front) -> None:
    links = front.ask(SET, headers={"Host": HOST}).linked("alternate")
    queries = [link.partition("?")[2] for link in links if "?" in link]

    answers = {_ask(front, SET, query) for query in queries}

    assert len(answers) == 6
    assert {status for status, _ in answers} == {303}


def test_an_explanation_names_the_arguments_that_replace_headers(front: Front) -> None:
    query = "_mediatype=text/turtle&_profile=dcat&x=1"
    told = front.ask(f"/explain/http://{HOST}/set/", query=query, headers={"Accept": "application/json"})
    page = front.ask(f"/explain/http://{HOST}/set/", query=f"{query}&lang=en", headers={"Accept": BROWSER})

    explained = json.loads(told.content)
    steps = {step["step"]: step["result"] for step in explained["steps"]}
    assert (explained["status"], explained["location"]) == (303, f"{DATA}/dcat")
    assert steps["preferences"]["query_arguments"] == "_mediatype=text/turtle&_profile=dcat"
    assert steps["preferences"]["media_types"] == [{"range": "text/turtle", "q": 1.0}]
    assert steps["preferences"]["profiles"] == [{"profile": DCAT, "q": 1.0}]
    text = page.content.decode()
    assert "The query arguments _mediatype=text/turtle&amp;_profile=dcat replace headers." in text
    assert "The query x=1 comes with it." in text
    assert "It has the profile that you prefer." in text


def _state(arguments: object) -> Any:
    steward = settled()
    line = {"record": "host", "identifier": f"http://{HOST}/", "title": "It", "query_arguments": arguments}
    report = steward.upload("_host/x.jsonl", json.dumps(line))
    return report, (steward.values(f"//{HOST}/") or {}).get("query_arguments")


@pytest.mark.parametrize(
    "arguments",
    [
        {"_mediatype": "media_type", "_profile": "profile"},
        {"_format": {"ttl": "text/turtle", "json": "application/ld+json"}},
        {"_profile": {"dcat": DCAT, "prez:OGCItemProfile": "https://prez.dev/OGCItemProfile"}},
        {"view": {"a": "urn:example:a"}, "f": "media_type"},
    ],
)
def test_a_host_may_state_arguments_and_short_names(arguments: object) -> None:
    report, kept = _state(arguments)

    assert report.refused == {}
    assert kept == arguments


@pytest.mark.parametrize(
    "arguments",
    [
        "_mediatype",
        ["_mediatype"],
        {"_mediatype": "accept"},
        {"_mediatype": None},
        {"_mediatype": ["media_type"]},
        {"_profile": {}},
        {"_profile": {"dcat": "dcat"}},
        {"_profile": {"a,b": DCAT}},
        {"_profile": {"dcat": DCAT, "ttl": "text/turtle"}},
        {"title": "profile"},
        {"Accept": "media_type"},
        {"lang": "media_type"},
        {"a b": "profile"},
        {"": "profile"},
        {"a&b": "profile"},
    ],
)
def test_other_arguments_are_refused_with_an_example(arguments: object) -> None:
    report, kept = _state(arguments)

    (refused,) = report.refused.values()
    assert {field.partition(".")[0] for field, _ in refused} == {"query_arguments"}
    assert kept is None


def test_arguments_of_a_table_are_a_cell_of_json() -> None:
    steward = settled()
    cell = json.dumps({"_mediatype": "media_type"}).replace('"', '""')
    table = f'record,identifier,title,query_arguments\nhost,http://{HOST}/,It,"{cell}"\n'

    assert steward.upload("_host/x.csv", table).refused == {}
    assert (steward.values(f"//{HOST}/") or {})["query_arguments"] == {"_mediatype": "media_type"}
    again = settled()
    again.upload("_host/x.jsonl", "".join(steward.exported("_host/")))
    assert again.values(f"//{HOST}/") == steward.values(f"//{HOST}/")


def test_only_a_host_states_query_arguments() -> None:
    line = {"record": "authority", "identifier": "uri-gin/azgs/", "query_arguments": {"_p": "profile"}}
    (refused,) = settled().upload("_host/x.jsonl", json.dumps(line)).refused.values()

    assert ("query_arguments", "authority") in refused
