"""Every row of the table in docs/reference/answers.md, requested from the running stack over HTTP."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from infra.local.stack import Options, Stack, local_stack
from tests.builders import read_links
from tests.end_to_end.rows import (
    ACT,
    ARK,
    CHART,
    CONTACT,
    ELSEWHERE,
    FIRST,
    LARGE,
    LARGER_THAN_AN_ANSWER,
    MAP,
    NEXT,
    NOTE,
    OLD,
    PDF,
    REPORT,
    ROWS,
    SECOND,
    STATUTE,
    UNREGISTERED_SCHEME,
)

LONG_AGO = "Mon, 06 Nov 1950 08:49:37 GMT"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def _seen(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, answer.headers.get("Location")


def _advised(answer: httpx.Response) -> list[str]:
    return [each["href"] for each in answer.json()["advice"]]


# -- methods


def test_a_script_of_another_origin_may_ask_for_the_options(asking: httpx.Client) -> None:
    answer = asking.options(f"/{MAP}", headers={"Origin": "https://viewer.example"})

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Allow"] == answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_another_method_is_told_which_are_allowed(asking: httpx.Client, method: str) -> None:
    answer = asking.request(method, f"/{MAP}")

    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")


# -- malformed identifiers, and other spellings


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/uri-gin/rows//doc", "segment 3"),
        ("/uri-gin/rows/%2e%2E/x", "segment 3"),
        ("/uri-gin/" + "x" * 1100, "at most 1024 bytes"),
    ],
)
def test_what_cannot_be_an_identifier_is_told_which_segment_and_why(
    asking: httpx.Client, path: str, why: str
) -> None:
    answer = asking.get(path)

    assert answer.status_code == 400
    assert why in answer.json()["detail"]


def test_what_begins_with_no_known_scheme_is_told_which_there_are(asking: httpx.Client) -> None:
    answer = asking.get("/uri_gin/rows/map/M/")

    assert answer.status_code == 404
    assert _advised(answer) == ["/"]


def test_another_writing_is_redirected_to_the_normal_form_for_a_day(asking: httpx.Client) -> None:
    answer = asking.get("/uri-gin/rows/map%2ffirst/%4D/")

    assert _seen(answer) == (301, "/uri-gin/rows/map%2Ffirst/M/")
    assert answer.headers["Cache-Control"] == "max-age=86400, stale-if-error=86400"


def test_the_query_goes_along_to_the_normal_form(asking: httpx.Client) -> None:
    answer = asking.get("/uri-gin/rows/%6Dap/?layer=1&layer=2&title=a%20b")

    assert _seen(answer) == (301, "/uri-gin/rows/map/?layer=1&layer=2&title=a%20b")


def test_nobody_is_led_to_a_host_that_is_not_registered(asking: httpx.Client) -> None:
    answer = asking.get("/a%2Db/%7e", headers={"Host": "evil.example"})

    assert _seen(answer) == (404, None)


def test_another_case_is_redirected_where_the_namespace_says_that_it_means_nothing(
    asking: httpx.Client,
) -> None:
    assert _seen(asking.get("/info:doi/10.1000/a%2Fb")) == (301, "/info:doi/10.1000/A%2FB")


def test_what_a_namespace_gave_out_leads_to_its_description_though_nobody_registered_it(
    asking: httpx.Client,
) -> None:
    assert _seen(asking.get("/info:pmid/12376099")) == (303, "/about/info:pmid/12376099")


def test_an_unknown_namespace_is_led_to_the_register(asking: httpx.Client) -> None:
    answer = asking.get("/info:nobody/1")

    assert answer.status_code == 404
    assert "/about/info:" in _advised(answer)


def test_another_host_that_answers_for_the_authority_is_sent_to(asking: httpx.Client) -> None:
    away = asking.get("/uri-gin/away/map/1/")
    there = asking.get("/uri-gin/away/map/1/", headers={"Host": "id.away.example"})

    assert _seen(away) == (307, "http://id.away.example/uri-gin/away/map/1/")
    assert there.status_code == 404


@pytest.mark.parametrize("path", [f"/{ROWS}lent/", f"/{ROWS}lent/1/map.pdf"])
def test_a_delegated_prefix_and_what_stands_under_it_are_sent_to_the_host_that_answers(
    asking: httpx.Client, path: str
) -> None:
    away = asking.get(path)

    assert _seen(away) == (307, f"http://maps.example.org{path}")


# -- lifecycle


def test_a_retired_identifier_is_gone_with_title_reason_and_successor(asking: httpx.Client) -> None:
    answer = asking.get(f"/{ROWS}map/gone/")

    assert answer.status_code == 410
    assert "The former map" in answer.json()["detail"]
    assert "Redrawn." in answer.json()["detail"]
    assert f"/{MAP}" in _advised(answer)


def test_a_withheld_identifier_is_unavailable_for_legal_reasons(asking: httpx.Client) -> None:
    for name in (f"{ROWS}map/withheld/", f"{ROWS}map/withheld/map.pdf"):
        answer = asking.get(f"/{name}")

        assert answer.status_code == 451
        assert "By order of a court." in answer.json()["detail"]
        assert "The hidden map" not in answer.text


def test_a_form_that_was_retired_is_gone_while_its_record_lives_on(asking: httpx.Client) -> None:
    answer = asking.get(f"/{ROWS}map/halved/a.pdf")

    assert answer.status_code == 410
    assert "a representation of The halved map" in answer.json()["detail"]
    assert _seen(asking.get(f"/{ROWS}map/halved/")) == (303, f"/{ROWS}map/halved/b.html")


def test_a_reserved_identifier_says_so_with_the_authoritys_contact(asking: httpx.Client) -> None:
    answer = asking.get(f"/{ROWS}map/planned/")

    assert answer.status_code == 404
    assert "is reserved" in answer.json()["detail"]
    assert f"mailto:{CONTACT}" in _advised(answer)


# -- aliases


def test_an_alias_of_one_is_moved_permanently_there_and_no_longer_than_a_minute(
    asking: httpx.Client,
) -> None:
    answer = asking.get(f"/{ROWS}map/synonym")

    assert _seen(answer) == (301, f"/{MAP}")
    assert answer.headers["Cache-Control"] == "max-age=60, stale-if-error=86400"


def test_an_alias_that_moves_is_found_there(asking: httpx.Client) -> None:
    assert _seen(asking.get(f"/{ROWS}map/current")) == (302, f"/{MAP}")


def test_an_alias_of_several_lists_them(asking: httpx.Client) -> None:
    answer = asking.get(f"/{ROWS}map/either")

    assert _seen(answer) == (300, None)
    assert [each["href"] for each in answer.json()["choices"]] == [f"/{MAP}", f"/{REPORT}"]


# -- descriptions


@pytest.mark.parametrize("identifier", ["uri-gin/", ROWS, f"{ROWS}map/"])
def test_a_scheme_an_authority_and_a_resource_type_lead_to_their_description(
    asking: httpx.Client, identifier: str
) -> None:
    assert _seen(asking.get(f"/{identifier}")) == (303, f"/about/{identifier}")
    assert asking.get(f"/about/{identifier}").status_code == 200


def test_a_scheme_leads_to_its_description_without_a_record(asking: httpx.Client) -> None:
    described = asking.get(f"/about.json/{UNREGISTERED_SCHEME}")

    assert _seen(asking.get(f"/{UNREGISTERED_SCHEME}")) == (303, f"/about/{UNREGISTERED_SCHEME}")
    assert _seen(asking.get("/uri-rows")) == (302, f"/{UNREGISTERED_SCHEME}")
    assert _seen(asking.get("/uri-nothing/")) == (404, None)
    assert f"{UNREGISTERED_SCHEME}example/" in described.text


@pytest.mark.parametrize("register", ["azgs/register/resourceType/", "usgin/register/uriScheme/"])
def test_a_register_leads_to_its_description_though_nobody_registered_it(
    asking: httpx.Client, register: str
) -> None:
    assert _seen(asking.get(f"/uri-gin/{register}")) == (303, f"/about/uri-gin/{register}")
    assert asking.get(f"/about/uri-gin/{register}").status_code == 200


def test_what_the_source_spells_registry_leads_to_the_register(asking: httpx.Client) -> None:
    answer = asking.get("/uri-gin/rows/registry/resourceType")

    assert _seen(answer) == (302, "/uri-gin/rows/register/resourceType/")


def test_the_special_name_of_an_authority_leads_to_it(asking: httpx.Client) -> None:
    assert _seen(asking.get("/uri-gin/authority/azgs/")) == (302, "/uri-gin/azgs/")


# -- versions


@pytest.mark.parametrize(
    ("moment", "version"),
    [
        (None, SECOND),
        ("Sun, 01 Jun 1997 00:00:00 GMT", SECOND),
        ("Sat, 31 May 1997 23:59:59 GMT", FIRST),
        (LONG_AGO, FIRST),
    ],
)
def test_a_document_with_versions_leads_to_the_one_of_the_moment_that_is_asked_for(
    asking: httpx.Client, moment: str | None, version: str
) -> None:
    answer = asking.get(f"/{ACT}", headers={"Accept-Datetime": moment} if moment else {})

    assert _seen(answer) == (302, f"/{ACT}/{version}")
    assert "accept-datetime" in answer.headers["Vary"].lower()


def test_a_thing_with_versions_leads_to_its_timegate(asking: httpx.Client) -> None:
    then = asking.get(f"/{CHART}current", headers={"Accept-Datetime": LONG_AGO})

    assert _seen(asking.get(f"/{CHART}")) == (303, f"/{CHART}current")
    assert _seen(then) == (302, f"/{CHART}{FIRST}")


def test_a_moment_that_cannot_be_read_is_told_how_to_write_one(asking: httpx.Client) -> None:
    answer = asking.get(f"/{ACT}", headers={"Accept-Datetime": "1997-06-02"})

    assert answer.status_code == 400
    assert "Sun, 06 Nov 1994 08:49:37 GMT" in answer.json()["detail"]


@pytest.mark.parametrize(("accept", "status"), [("text/html", 302), ("image/png", 406)])
def test_a_version_is_a_document_that_is_negotiated_like_any_other(
    asking: httpx.Client, accept: str, status: int
) -> None:
    assert asking.get(f"/{ACT}/{SECOND}", headers={"Accept": accept}).status_code == status


@pytest.mark.parametrize(
    ("name", "version"),
    [("original", FIRST), ("current", SECOND), ("prospective", NEXT), ("2000-02-29", SECOND)],
)
def test_a_day_between_two_versions_and_a_word_are_found_as_the_version_they_mean(
    asking: httpx.Client, name: str, version: str
) -> None:
    assert _seen(asking.get(f"/{ACT}/{name}")) == (302, f"/{ACT}/{version}")


def test_a_day_before_the_first_version_is_told_which_there_are(asking: httpx.Client) -> None:
    answer = asking.get(f"/{CHART}1066-10-14")

    assert answer.status_code == 404
    assert _advised(answer)[:2] == [f"/{CHART}{FIRST}", f"/{CHART}{SECOND}"]


def test_a_document_with_versions_is_given_in_the_one_of_the_moment_where_it_dereferences_to_content(
    asking: httpx.Client,
) -> None:
    answer = asking.get(f"/{STATUTE}")

    assert answer.status_code == 200
    assert answer.headers["Content-Location"] == f"/{STATUTE}/{FIRST}"
    assert answer.headers["Memento-Datetime"] == "Fri, 01 Feb 1991 00:00:00 GMT"
    assert "accept-datetime" in answer.headers["Vary"].lower()


@pytest.mark.parametrize(("day", "status"), [("1990-01-01", 302), ("1985-10-29", 404)])
def test_a_day_before_the_first_version_leads_to_it_where_the_document_existed_by_its_own_account(
    asking: httpx.Client, day: str, status: int
) -> None:
    assert asking.get(f"/{STATUTE}/{day}").status_code == status


def test_a_stored_version_is_a_memento(asking: httpx.Client) -> None:
    answer = asking.get(f"/{ACT}/{FIRST}")

    assert answer.status_code == 200
    assert answer.headers["Memento-Datetime"] == "Fri, 01 Feb 1991 00:00:00 GMT"


# -- a thing


@pytest.mark.parametrize(
    ("accept", "part"), [("text/turtle, application/pdf;q=0.2", "map.ttl"), (BROWSER, "map.pdf")]
)
def test_a_thing_leads_to_the_representation_that_was_negotiated(
    asking: httpx.Client, accept: str, part: str
) -> None:
    assert _seen(asking.get(f"/{MAP}", headers={"Accept": accept})) == (303, f"/{MAP}{part}")


def test_a_thing_without_representations_leads_to_its_description(asking: httpx.Client) -> None:
    assert _seen(asking.get(f"/{ROWS}person/Smith/")) == (303, f"/about/{ROWS}person/Smith/")


def test_a_thing_in_no_acceptable_form_leads_to_its_description(asking: httpx.Client) -> None:
    answer = asking.get(f"/{MAP}", headers={"Accept": "application/ld+json"})

    assert _seen(answer) == (303, f"/about/{MAP}")


# -- a thing and its document


def test_a_thing_under_a_rule_leads_to_its_document(asking: httpx.Client) -> None:
    assert _seen(asking.get(f"/{ROWS}id/7")) == (303, f"/{ROWS}info/7")


@pytest.mark.parametrize(("accept", "part"), [(BROWSER, ".html"), ("application/pdf", ".pdf")])
def test_a_document_about_a_thing_has_the_forms_of_its_record(
    asking: httpx.Client, accept: str, part: str
) -> None:
    answer = asking.get(f"/{ROWS}info/7", headers={"Accept": accept})

    assert _seen(answer) == (302, f"/{ROWS}info/7{part}")
    assert _seen(asking.get(f"/{ROWS}info/7{part}")) == (302, f"{ELSEWHERE}{part}")


def test_the_document_about_a_thing_without_forms_is_its_description(asking: httpx.Client) -> None:
    assert _seen(asking.get(f"/{ROWS}id/8")) == (303, f"/{ROWS}info/8")
    assert _seen(asking.get(f"/{ROWS}info/8")) == (303, f"/about/{ROWS}id/8")


# -- a document


@pytest.mark.parametrize(("accept", "part"), [(BROWSER, ".html"), ("application/pdf", ".pdf")])
def test_a_document_redirects_to_the_representation_that_was_negotiated(
    asking: httpx.Client, accept: str, part: str
) -> None:
    assert _seen(asking.get(f"/{REPORT}", headers={"Accept": accept})) == (302, f"/{REPORT}{part}")


def test_a_document_that_dereferences_to_content_is_given_with_its_content_location(
    asking: httpx.Client,
) -> None:
    answer = asking.get(f"/{NOTE}", headers={"Accept": "application/pdf"})

    assert (answer.status_code, answer.content) == (200, PDF)
    assert answer.headers["Content-Location"] == f"/{NOTE}.pdf"


def test_the_part_before_its_first_dot_is_a_document_too(asking: httpx.Client) -> None:
    answer = asking.get(f"/{MAP}map", headers={"Accept": "text/turtle"})

    assert _seen(answer) == (302, f"/{MAP}map.ttl")


def test_a_document_in_no_acceptable_form_is_told_what_there_is(asking: httpx.Client) -> None:
    answer = asking.get(f"/{REPORT}", headers={"Accept": "image/png"})

    assert answer.status_code == 406
    assert _advised(answer) == [f"/{REPORT}.pdf", f"/{REPORT}.html"]


# -- a representation


def test_a_stored_representation_is_given_with_its_registered_media_type(asking: httpx.Client) -> None:
    answer = asking.get(f"/{MAP}map.pdf", headers={"Accept": "text/html"})

    assert (answer.status_code, answer.content) == (200, PDF)
    assert answer.headers["Content-Type"] == "application/pdf"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_stored_representation_too_large_for_one_answer_leads_to_a_signed_link(
    asking: httpx.Client, method: str
) -> None:
    answer = asking.request(method, f"/{LARGE}")

    followed = asking.request(method, answer.headers["Location"])
    assert answer.status_code == 307
    assert (followed.status_code, followed.headers["Content-Length"]) == (200, str(LARGER_THAN_AN_ANSWER))


def test_a_stored_representation_that_is_lost_is_not_found(asking: httpx.Client, rows: Stack) -> None:
    s3, key = rows.client("s3"), f"{ROWS}lost.pdf"
    for each in s3.list_object_versions(Bucket=rows.content_bucket, Prefix=key).get("Versions", []):
        s3.delete_object(Bucket=rows.content_bucket, Key=each["Key"], VersionId=each["VersionId"])

    answer = asking.get(f"/{ROWS}map/lost/lost.pdf")

    assert answer.status_code == 404
    assert key in answer.json()["detail"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_representation_elsewhere_is_redirected_to_with_its_status(
    asking: httpx.Client, status: int
) -> None:
    part = f"to{status}.txt"

    assert _seen(asking.get(f"/{ROWS}map/many/{part}")) == (status, f"{ELSEWHERE}{part}")


def test_a_representation_elsewhere_is_found_there_unless_it_says_otherwise(asking: httpx.Client) -> None:
    assert _seen(asking.get(f"/{ROWS}map/many/to.zip")) == (302, f"{ELSEWHERE}to.zip")


# -- under a rule


def test_what_stands_under_a_rule_is_answered_by_it(asking: httpx.Client) -> None:
    assert _seen(asking.get(f"/{OLD}cochise/17%20a")) == (302, f"{ELSEWHERE}old/cochise/17%20a")


def test_the_longest_prefix_wins(asking: httpx.Client) -> None:
    assert _seen(asking.get(f"/{OLD}maps/17/")) == (303, f"{ELSEWHERE}maps/17/")
    assert _seen(asking.get(f"/{OLD}wells/17/")) == (303, f"{ELSEWHERE}old/wells/17/")


@pytest.mark.parametrize(
    ("name", "where"), [("HP_17/", "wells/17"), ("17/", "named/17"), ("17", "old/17"), ("HP_/", "named/HP_")]
)
def test_then_the_most_literal_pattern_wins(asking: httpx.Client, name: str, where: str) -> None:
    assert asking.get(f"/{OLD}{name}").headers["Location"] == f"{ELSEWHERE}{where}"


def test_a_rule_may_pass_the_query_on(asking: httpx.Client) -> None:
    assert _seen(asking.get(f"/{OLD}maps/17?layer=1&layer=2")) == (302, f"{ELSEWHERE}maps/17?layer=1&layer=2")
    assert _seen(asking.get(f"/{OLD}wells/17?layer=1")) == (302, f"{ELSEWHERE}old/wells/17")


def test_a_rule_may_say_that_there_is_nothing(asking: httpx.Client) -> None:
    answer = asking.get(f"/{OLD}none/17")

    assert (answer.status_code, answer.json()["title"]) == (404, "No maps")
    assert "None were drawn." in answer.json()["detail"]


def test_a_rule_may_say_that_all_is_gone(asking: httpx.Client) -> None:
    answer = asking.get(f"/{OLD}drafts/17")

    assert answer.status_code == 410
    assert "Drafts" in answer.json()["detail"]
    assert "Withdrawn." in answer.json()["detail"]
    assert f"/{MAP}" in _advised(answer)


def test_a_rule_may_reserve_what_stands_under_it(asking: httpx.Client) -> None:
    answer = asking.get(f"/{OLD}later/17")

    assert answer.status_code == 404
    assert "is reserved" in answer.json()["detail"]


# -- another spelling of a registered name, or nothing


@pytest.mark.parametrize("other", [f"{ROWS}doc/REPORT", f"{REPORT}/", f"{ROWS}Doc/report"])
def test_the_only_other_writing_is_found_there_as_briefly_as_a_404(asking: httpx.Client, other: str) -> None:
    answer = asking.get(f"/{other}")

    assert _seen(answer) == (302, f"/{REPORT}")
    assert answer.headers["Cache-Control"] == "max-age=30"


@pytest.mark.parametrize("part", ["MAP.pdf", "map.PDF", "Map", "map.pdf/"])
def test_a_part_in_other_capitals_is_found_as_briefly_as_a_404(asking: httpx.Client, part: str) -> None:
    answer = asking.get(f"/{MAP}{part}")

    assert _seen(answer) == (302, f"/{MAP}{'map' if part == 'Map' else 'map.pdf'}")
    assert answer.headers["Cache-Control"] == "max-age=30"


def test_several_other_writings_are_listed(asking: httpx.Client) -> None:
    answer = asking.get(f"/{ROWS}doc/twin")

    assert answer.status_code == 300
    assert sorted(each["href"] for each in answer.json()["choices"]) == [
        f"/{ROWS}doc/Twin",
        f"/{ROWS}doc/Twin/",
    ]
    assert answer.headers["Cache-Control"] == "max-age=30"


@pytest.mark.parametrize("harvested", [".", ",", ")", ";", ")."])
def test_punctuation_that_clings_to_a_name_is_advised_about(asking: httpx.Client, harvested: str) -> None:
    answer = asking.get(f"/{REPORT}{harvested}")

    assert answer.status_code == 404
    assert _advised(answer)[0] == f"/{REPORT}"


def test_what_nobody_registered_is_told_the_nearest_ancestor_and_whom_to_ask(asking: httpx.Client) -> None:
    answer = asking.get(f"/{ROWS}map/nothing/")

    assert answer.status_code == 404
    search = "/search?q=nothing&authority=uri-gin%2Frows%2F"
    assert _advised(answer) == [f"/about/{ROWS}map/", f"mailto:{CONTACT}", search]


def test_where_the_scheme_is_not_registered_the_front_page_tells_what_is(asking: httpx.Client) -> None:
    answer = asking.get("/uri-rock/azgs/x")

    assert answer.status_code == 404
    assert _advised(answer) == ["/"]
    assert asking.get("/").status_code == 200


def test_a_registry_that_is_away_says_when_to_ask_again(tmp_path: Path) -> None:
    with local_stack(Options(logs=tmp_path)) as stack:
        dynamodb, table = stack.client("dynamodb"), stack.registry_table
        dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
        dynamodb.delete_table(TableName=table)
        answer = httpx.get(f"{stack.service}/{MAP}", timeout=30)

    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.json()["status"] == 503


# -- invariants


def test_with_a_slash_without_one_and_with_an_ending_are_told_apart(asking: httpx.Client) -> None:
    assert _seen(asking.get(f"/{ROWS}doc/Twin")) == (302, f"{ELSEWHERE}one")
    assert _seen(asking.get(f"/{ROWS}doc/Twin/")) == (303, f"/about/{ROWS}doc/Twin/")
    assert asking.get(f"/{ROWS}doc/Twin.pdf").status_code == 404


@pytest.mark.parametrize("query", ["info", "?"])
def test_an_inflection_leads_to_the_metadata(asking: httpx.Client, query: str) -> None:
    seen = _seen(asking.get(f"/ark:12345/x8rd9?{query}"))
    metadata = asking.get("/about.erc/ark:12345/x8rd9")

    assert seen == (303, "/about.erc/ark:12345/x8rd9")
    assert metadata.text.splitlines()[:3] == ["erc:", "who: Hayes, P.", "what: Photographs of a field camp"]
    assert metadata.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert metadata.headers["THUMP-Status"] == "0.6 200 OK"
    assert read_links(metadata.headers["Link"])[0]["rel"] == "describes"


def test_an_ark_passes_on_what_follows_it(asking: httpx.Client) -> None:
    seen = [_seen(asking.get(f"/ark:12345/x8rd9{suffix}")) for suffix in ("/p1/7.tif", ".zip")]

    where = "https://example.org/photographs/x8rd9"
    assert seen == [(303, f"{where}/p1/7.tif"), (303, f"{where}.zip")]


def test_an_ark_below_a_refused_one_is_refused_too(asking: httpx.Client) -> None:
    answers = [asking.get(f"/{ARK}/{status}/p1.tif") for status in ("retired", "withheld", "reserved")]

    assert [answer.status_code for answer in answers] == [410, 451, 404]
    assert all("A test." in answer.json()["detail"] for answer in answers)


def test_an_identifier_is_cited_on_the_first_host_that_its_authority_trusts(asking: httpx.Client) -> None:
    links = read_links(asking.get(f"/{MAP}").headers["Link"])

    assert [each["href"] for each in links if each["rel"] == "cite-as"] == [f"http://id.example.org/{MAP}"]


def test_every_row_of_the_documented_table_is_asked_for_here() -> None:
    table = (Path(__file__).parents[2] / "docs" / "reference" / "answers.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_[a-z0-9_]+)`", table))

    assert {name for name in named if name not in globals()} == set()
