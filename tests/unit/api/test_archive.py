"""Many records at once, and stored files, over the interface."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from ginuri.api.archive import MOST_BYTES
from ginuri.registration.authorization import Grant, Right
from tests.api_service import AZGS, JANE, WRITING, ApiService

OTHER = "uri-gin/usgin/"
ROWS = "identifier,title,location\nuri-gin/azgs/doc/a,A,https://a.example/\nuri-gin/azgs/doc/b,B,\n"
HANDED_OVER = "uri-gin/azgs/doc/"


@pytest.fixture
def service() -> ApiService:
    service = ApiService()
    _put(service, "uri-gin/azgs/rows.csv", ROWS)
    _put(service, "uri-gin/usgin/b.csv", "identifier,title\nuri-gin/usgin/b,B\n")
    return service


def _put(service: ApiService, key: str, content: str) -> None:
    service.steward.deliver(service.steward.put(key, content))


def _listed(service: ApiService, **parameters: object) -> list[dict[str, object]]:
    query = "&".join(f"{name}={quote(str(value))}" for name, value in parameters.items())
    records: list[dict[str, object]] = service.ask("GET", f"/api/records?{query}").json["records"]
    return records


def _read(service: ApiService, *names: str, history: bool = False) -> dict[str, list[dict[str, object]]]:
    answer = service.ask("POST", "/api/records", {"names": names, "history": history})
    return {each["identifier"]: each["statements"] for each in answer.json["records"]}


def test_records_are_listed_as_lines_that_can_be_uploaded_again(service: ApiService) -> None:
    lines = [each["registration"] for each in _listed(service, under=AZGS)]

    a = {"identifier": "uri-gin/azgs/doc/a", "title": "A"}
    assert {**a, "representations": [{"location": "https://a.example/"}]} in lines
    body = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    uploaded = service.ask("POST", f"/api/uploads?folder={AZGS}&name=again.jsonl", body, prefer="wait=5")
    assert uploaded.json["counts"]["unchanged"] == len(lines)


def test_records_are_listed_in_other_forms(service: ApiService) -> None:
    assert _listed(service, under=HANDED_OVER, form="names") == [
        {"identifier": "uri-gin/azgs/doc/a"},
        {"identifier": "uri-gin/azgs/doc/b"},
    ]
    values = {each["identifier"]: each["values"] for each in _listed(service, under=AZGS, form="values")}
    assert values["uri-gin/azgs/doc/b"] == {"title": {"": "B"}}
    [*_, last] = _listed(service, under=AZGS, form="statements")
    assert {"field": ["title", ""], "value": "B"}.items() <= last["statements"][-1].items()  # type: ignore[index]


def test_a_list_of_records_continues_after_a_name(service: ApiService) -> None:
    first = service.ask("GET", f"/api/records?under={AZGS}&most=2&form=names").json
    second = service.ask("GET", f"/api/records?under={AZGS}&most=2&form=names&after={first['next']}").json

    names = [each["identifier"] for page in (first, second) for each in page["records"]]
    assert names == ["uri-gin/azgs/doc/", "uri-gin/azgs/doc/a", "uri-gin/azgs/doc/b"]


def test_a_page_of_records_has_a_greatest_size(service: ApiService) -> None:
    text = dict.fromkeys(("de", "en", "es", "fr"), "x" * 12000)
    number = MOST_BYTES // 48_000 + 20
    names = [f"uri-gin/azgs/long/{each:03}" for each in range(number)]
    lines = (f"{json.dumps({'identifier': name, 'description': text})}\n" for name in names)
    _put(service, "uri-gin/azgs/long.jsonl", "".join(lines))

    found, after, pages = list[str](), "", 0
    while pages == 0 or after:
        page = service.ask("GET", f"/api/records?under=uri-gin/azgs/long/&most=64&after={after}").json
        found += [each["identifier"] for each in page["records"]]
        after, pages = page["next"], pages + 1

    assert (found, pages) == (names, 2)


@pytest.mark.parametrize(
    ("query", "status", "problem"),
    [
        (f"under={OTHER}", 403, "missing-right"),
        ("under=uri-gin/azgs", 400, "malformed-request"),
        ("under=", 400, "malformed-request"),
        (f"under={AZGS}&form=rdf", 400, "malformed-request"),
        (f"under={AZGS}&most=0", 400, "malformed-request"),
        (f"under={AZGS}&folder=x", 400, "malformed-request"),
    ],
)
def test_a_list_that_may_not_be_read_is_refused(
    service: ApiService, query: str, status: int, problem: str
) -> None:
    answer = service.ask("GET", f"/api/records?{query}")

    assert (answer.status, answer.problem) == (status, problem)


def test_identifiers_under_a_prefix_that_is_handed_over_are_left_out(service: ApiService) -> None:
    service.handed_over = [HANDED_OVER]

    assert [each["identifier"] for each in _listed(service, under=AZGS, form="values")] == [AZGS]


def test_stated_names_are_read_in_the_folders_of_the_token_and_above(service: ApiService) -> None:
    found = _read(service, "uri-gin/", AZGS, "uri-gin/azgs/doc/a", "uri-gin/usgin/b", OTHER, "uri-gin/a")

    assert list(found) == ["uri-gin/", AZGS, "uri-gin/azgs/doc/a"]


def test_a_hidden_record_above_the_folders_of_the_token_is_left_out(service: ApiService) -> None:
    hidden = {"identifier": HANDED_OVER, "record": "resource-type", "status": "withheld", "reason": "-"}
    service.secret = service.token(f"{HANDED_OVER}wells/")

    before = _read(service, HANDED_OVER)
    _put(service, "uri-gin/azgs/hidden.jsonl", f"{json.dumps({**hidden, 'requested_by': 'X'})}\n")

    assert (list(before), list(_read(service, HANDED_OVER))) == ([HANDED_OVER], [])


def test_an_answer_about_stated_names_has_a_greatest_size(service: ApiService) -> None:
    text = dict.fromkeys(("de", "en", "es", "fr"), "x" * 12_000)
    names = [f"uri-gin/azgs/long/{each:03}" for each in range(MOST_BYTES // 48_000 + 20)]
    lines = (f"{json.dumps({'identifier': name, 'description': text})}\n" for name in names)
    _put(service, "uri-gin/azgs/long.jsonl", "".join(lines))

    answer = service.ask("POST", "/api/records", {"names": names[:64]}).json

    read = [each["identifier"] for each in answer["records"]]
    assert read + answer["left"] == names[:64]
    assert 0 < len(answer["left"]) < 64


def test_the_history_of_stated_names_is_read_if_asked_for(service: ApiService) -> None:
    _put(service, "uri-gin/azgs/rows.csv", ROWS.replace(",A,", ",AA,"))

    [current] = _read(service, "uri-gin/azgs/doc/a").values()
    [whole] = _read(service, "uri-gin/azgs/doc/a", history=True).values()

    titles = [[each["value"] for each in some if each["field"] == ["title", ""]] for some in (current, whole)]
    assert titles == [["AA"], ["A", "AA"]]


def test_rules_of_other_prefixes_in_a_record_are_left_out(service: ApiService) -> None:
    for prefix, folder in ((AZGS, AZGS), (OTHER, OTHER)):
        rule = {
            "record": "rule",
            "identifier": prefix,
            "pattern": "w-{id}",
            "location": "https://w.example/{id}",
        }
        _put(service, f"{folder}rule.jsonl", f"{json.dumps(rule)}\n")

    found = _read(service, "rules uri-gin/azgs/w-", "rules uri-gin/usgin/w-")
    [prefix] = service.ask("POST", "/api/records", {"names": [AZGS]}).json["records"]

    assert [each for each in found["rules uri-gin/azgs/w-"] if "w-{id}" in str(each["field"])]
    assert "w-{id}" not in str(found.get("rules uri-gin/usgin/w-"))
    assert prefix["beginnings"] == ["w-"]


def test_grants_are_read_where_the_caller_may_read(service: ApiService) -> None:
    for prefix in ("uri-gin/", AZGS, OTHER):
        grant = {"record": "grant", "identifier": prefix, "to": JANE, "may": ["read"]}
        _put(service, f"_host/{len(prefix)}.jsonl", f"{json.dumps(grant)}\n")
    names = ("grants uri-gin/", f"grants {AZGS}", f"grants {OTHER}")
    own = list(_read(service, *names))
    service.secret = service.token("_host/", rights={Right.READ})

    assert (own, list(_read(service, *names))) == ([f"grants {AZGS}"], [])


def test_a_token_for_the_host_folder_reads_schemes_and_authorities(service: ApiService) -> None:
    service.grants.append(Grant("uri-gin/", JANE, WRITING))
    service.secret = service.token("_host/", rights={Right.READ})

    assert list(_read(service, "uri-gin/", OTHER, "uri-gin/usgin/b")) == ["uri-gin/", OTHER]


def test_too_many_names_are_refused(service: ApiService) -> None:
    answer = service.ask("POST", "/api/records", {"names": ["uri-gin/azgs/x"] * 65})

    assert (answer.status, answer.problem) == (400, "malformed-request")


def test_a_stored_file_is_sent_or_linked_to(service: ApiService) -> None:
    service.steward.content.files["uri-gin/azgs/a.pdf", "v1"] = b"%PDF"
    path = f"/api/files/{quote('uri-gin/azgs/a.pdf', safe='')}"

    sent, missing = service.ask("GET", f"{path}/v1"), service.ask("GET", f"{path}/v2")
    service.configure(open_file=lambda key, version: f"https://bucket.invalid/{key}?version={version}")
    linked = service.ask("GET", f"{path}/v1")
    foreign = service.ask("GET", f"/api/files/{quote('uri-gin/usgin/a.pdf', safe='')}/v1")

    assert (sent.status, sent.body, missing.status) == (200, b"%PDF", 404)
    assert linked.headers["Location"] == ["https://bucket.invalid/uri-gin/azgs/a.pdf?version=v1"]
    assert (linked.status, foreign.status) == (307, 403)
