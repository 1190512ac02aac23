"""Are names that are bound to a host described, listed and explained, on that host and on any other?"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.legislation import HOST, Legislation

URI = f"http://{HOST}"
ACT = f"{URI}/ukpga/1985/67"
EVERYWHERE = pytest.mark.parametrize("host", [HOST, "ids.example.org"])


@pytest.fixture(scope="module")
def acts(tmp_path_factory: pytest.TempPathFactory) -> Legislation:
    return Legislation(tmp_path_factory.mktemp("published"))


def _told(acts: Legislation, path: str, host: str = HOST) -> Any:
    answered = acts.describe(path, Host=host)
    assert answered.status == 200, answered.content
    return json.loads(answered.content)


@EVERYWHERE
def test_a_name_bound_to_a_host_is_described_on_any_host(acts: Legislation, host: str) -> None:
    told = _told(acts, f"/about.json/{ACT}", host)

    assert (told["uri"], told["title"]) == (ACT, "The Transport Act 1985")
    assert f"{ACT}/2003-04-01/data.rdf" in [each["uri"] for each in told["representations"]]


def test_ancestors_are_shown_by_title_and_uri(acts: Legislation) -> None:
    turtle = acts.describe(f"/about.ttl/{ACT}").content.decode()

    assert f"dcterms:type <{URI}/ukpga/>" in turtle
    assert f"dcterms:publisher <{URI}/>" in turtle


def test_the_page_of_an_alias_names_its_targets(acts: Legislation) -> None:
    page = acts.describe(f"/about.html/{URI}/id/ukpga/1955/19").content.decode()

    assert "Friendly Societies Act 1955" in page
    assert f"/about/{URI}/id/ukpga/Eliz2/4-5/19" in page


@pytest.mark.parametrize("name", ["data.xml", "2003-04-01/data.xml", "2003-04-01", "1997-06-01", "current"])
def test_a_form_or_a_version_is_described_with_its_document(acts: Legislation, name: str) -> None:
    answered = acts.describe(f"/about/{ACT}/{name}")

    assert (answered.status, answered.headers["Location"]) == (303, f"/about/{ACT}")


@EVERYWHERE
def test_explanations_apply_the_identifiers_own_host_on_any_host(acts: Legislation, host: str) -> None:
    told = _told(acts, f"/explain/{ACT}/1997-06-01", host)

    assert (told["outcome"], told["status"]) == ("SeeVersion", 302)
    assert told["location"] == f"http://{HOST}/ukpga/1985/67/1996-04-01"


def test_a_path_is_explained_as_a_name_of_the_requested_host(acts: Legislation) -> None:
    assert _told(acts, "/explain/id/ukpga/1985/67")["status"] == 303
    assert _told(acts, "/explain/id/ukpga/1985/67", "ids.example.org")["status"] == 404


def test_the_versions_are_listed_with_absolute_uris(acts: Legislation) -> None:
    listed = acts.describe(f"/timemap.link/{ACT}").content.decode()

    assert f'<{ACT}>; rel="original timegate"' in listed
    assert f'<{ACT}/1996-04-01>; rel="memento"' in listed
    elsewhere = acts.describe("/timemap.link/ukpga/1985/67/1997-06-01")
    assert (elsewhere.status, elsewhere.headers["Location"]) == (302, f"/timemap.link/{ACT}")


def test_a_type_lists_its_members_with_their_uris(acts: Legislation) -> None:
    told = _told(acts, f"/members.json/{URI}/id/nia/")

    assert [each["uri"] for each in told["members"]] == [f"{URI}/id/nia/2000/5"]


def test_a_host_lists_all_names_under_it(acts: Legislation) -> None:
    told = _told(acts, f"/members.json/{URI}/")

    listed = [each["uri"] for each in told["members"]]
    assert listed == sorted(listed)
    assert {f"{URI}/{name}/" for name in ("id", "nia", "ukpga", "uksi", "wsi")} <= set(listed)
    assert f"{URI}/id/ukpga/1955/19" in listed
