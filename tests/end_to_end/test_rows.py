"""Rows of docs/reference/answers.md over HTTP: the gateway and the function, S3 and DynamoDB together.

Every row has a test in tests/functional.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.rows import (
    ARK,
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
)

if TYPE_CHECKING:
    import httpx

    from infra.local.stack import Stack


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/uri-gin/rows/map%2ffirst/%4D/?a=1&a=2&b=%20", 301, "/uri-gin/rows/map%2Ffirst/M/?a=1&a=2&b=%20"),
        (f"/{ROWS}doc/act", 302, f"/{ROWS}doc/act/{SECOND}"),
        (f"/{ROWS}doc/Twin", 302, f"{ELSEWHERE}one"),
        (f"/{ROWS}doc/Twin/", 303, f"/about/{ROWS}doc/Twin/"),
        (f"/{OLD}maps/17?layer=1&layer=2", 302, f"{ELSEWHERE}maps/17?layer=1&layer=2"),
        (f"/{ARK}/p1?info", 404, None),
        ("/ark:12345/x8rd9??", 303, "/about.erc/ark:12345/x8rd9"),
        ("/uri-gin/away/map/1/", 307, "http://id.away.example/uri-gin/away/map/1/"),
        *((f"/{ROWS}map/many/to{s}.txt", s, f"{ELSEWHERE}to{s}.txt") for s in (301, 302, 303, 307, 308)),
        (f"/{ROWS}map/either", 300, None),
        ("/uri-gin/rows//doc", 400, None),
        (f"/{ROWS}map/nothing/", 404, None),
        (f"/{ROWS}map/gone/", 410, None),
        (f"/{ROWS}map/withheld/", 451, None),
    ],
)
def test_the_gateway_passes_on_status_and_location(
    asking: httpx.Client, path: str, status: int, location: str | None
) -> None:
    answer = asking.get(path)

    assert (answer.status_code, answer.headers.get("Location")) == (status, location)


@pytest.mark.parametrize(("method", "status"), [("OPTIONS", 204), ("POST", 405), ("PATCH", 405)])
def test_the_gateway_passes_on_other_methods(asking: httpx.Client, method: str, status: int) -> None:
    answer = asking.request(method, f"/{MAP}", headers={"Origin": "https://viewer.example"})

    assert (answer.status_code, answer.headers["Allow"]) == (status, "GET, HEAD, OPTIONS")


def test_the_gateway_passes_on_accept_and_the_problem_document(asking: httpx.Client) -> None:
    answer = asking.get(f"/{REPORT}", headers={"Accept": "image/png"})

    assert (answer.status_code, answer.headers["Content-Type"]) == (406, "application/problem+json")
    assert [each["href"] for each in answer.json()["advice"]] == [f"/{REPORT}.pdf", f"/{REPORT}.html"]


def test_an_embargoed_identifier_is_forbidden_until_its_day(asking: httpx.Client) -> None:
    passed, running = (asking.get(f"/{ROWS}map/until{day}/") for day in (FIRST, NEXT))

    assert (passed.status_code, passed.headers["Location"]) == (303, f"{ELSEWHERE}next.pdf")
    assert running.status_code == 403
    assert running.headers["Cache-Control"] == "max-age=30"
    assert f"until {NEXT} (midnight UTC). Reason: The article" in running.json()["detail"]
    assert ELSEWHERE not in f"{running.text}{running.headers}"


def test_an_ingested_contact_is_in_the_advice(asking: httpx.Client) -> None:
    answer = asking.get(f"/{ROWS}map/planned/")

    assert f"mailto:{CONTACT}" in [each["href"] for each in answer.json()["advice"]]


def test_stored_content_comes_from_the_bucket(asking: httpx.Client) -> None:
    answer = asking.get(f"/{NOTE}", headers={"Accept": "application/pdf"})
    version = asking.get(f"/{STATUTE}")

    assert (answer.status_code, answer.content) == (200, PDF)
    assert answer.headers["Content-Location"] == f"/{NOTE}.pdf"
    assert version.headers["Content-Location"] == f"/{STATUTE}/{FIRST}"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_signed_link_of_a_large_file_leads_to_its_content(asking: httpx.Client, method: str) -> None:
    answer = asking.request(method, f"/{LARGE}")

    followed = asking.request(method, answer.headers["Location"])
    assert answer.status_code == 307
    assert (followed.status_code, followed.headers["Content-Length"]) == (200, str(LARGER_THAN_AN_ANSWER))


def test_a_file_that_is_deleted_from_the_bucket_is_not_found(asking: httpx.Client, rows: Stack) -> None:
    s3, key = rows.client("s3"), f"{ROWS}lost.pdf"
    for each in s3.list_object_versions(Bucket=rows.content_bucket, Prefix=key).get("Versions", []):
        s3.delete_object(Bucket=rows.content_bucket, Key=each["Key"], VersionId=each["VersionId"])

    answer = asking.get(f"/{ROWS}map/lost/lost.pdf")

    assert answer.status_code == 404
    assert key in answer.json()["detail"]
