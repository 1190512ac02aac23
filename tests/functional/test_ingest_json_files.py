"""JSON arrays and GeoJSON feature collections, read as registrations when an option says so."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from ginuri.files.options import UploadOptions, write_options
from tests.steward import Report, Steward, settled

FOLDER = "uri-gin/azgs/"
WELL = f"{FOLDER}doc/17"
POINT = {"type": "Point", "coordinates": [-110.3, 31.5]}
MAP = "identifier=uri-gin/azgs/doc/{ID},title=Name"


def _upload(
    steward: Steward, content: Any, columns: str = "", name: str = "wells.json", **more: str
) -> Report:
    text = content if isinstance(content, str) else json.dumps(content, indent=2)
    body = gzip.compress(text.encode()) if name.endswith(".gz") else text
    options = write_options(UploadOptions(columns=columns, read_as="registrations"))
    return steward.deliver(steward.put(f"{FOLDER}{name}", body, **options, **more))


def _features(*properties: dict[str, Any], **members: Any) -> dict[str, Any]:
    features = [
        {"type": "Feature", "id": number, "properties": each, "geometry": POINT}
        for number, each in enumerate(properties)
    ]
    return {"type": "FeatureCollection", **members, "features": features}


@pytest.mark.parametrize("name", ["wells.json", "wells.JSON.gz", "wells.geojson"])
def test_the_objects_of_an_array_are_registrations(name: str) -> None:
    steward = settled()
    content = [{"identifier": WELL, "title": "Well"}, {"identifier": f"{WELL}8", "title": {"es": "Pozo"}}]

    report = _upload(steward, content, name=name)

    assert report.counts == {"registered": 2}
    assert [verdict.lines for verdict in report.verdicts] == [(1,), (2,)]
    assert (steward.values(f"{WELL}8") or {})["title"] == {"es": "Pozo"}


def test_the_members_of_an_array_are_mapped() -> None:
    report = _upload(settled(), [{"ID": 17, "Name": "Well"}, {"ID": "", "Name": "Well"}], MAP)

    assert (report.counts["registered"], report.refused) == (1, {(2,): [("identifier", "empty")]})


def test_a_feature_is_registered_by_its_properties_with_its_geometry() -> None:
    steward = settled()

    report = _upload(steward, _features({"ID": 17, "Name": "Well"}), MAP, "wells.geojson")

    values = steward.values(WELL) or {}
    assert report.refused == {}
    assert (values["title"], values["spatial"]["coordinates"]) == ({"": "Well"}, [-110.3, 31.5])


def test_the_identifier_of_a_feature_can_be_mapped() -> None:
    steward = settled()

    report = _upload(steward, _features({"title": "Well"}), "identifier=uri-gin/azgs/doc/{id}")

    assert report.refused == {}
    assert steward.values(f"{FOLDER}doc/0") is not None


def test_a_member_of_one_language_is_a_text_in_that_language() -> None:
    steward = settled()

    members = {"identifier": WELL, "title_es": "Pozo", "title": "Well", "title (de)": "Brunnen"}

    report = _upload(steward, [members])

    assert report.counts == {"registered": 1}
    assert (steward.values(WELL) or {})["title"] == {"es": "Pozo", "": "Well", "de": "Brunnen"}


def test_properties_that_are_no_fields_are_left_out_with_one_remark() -> None:
    content = _features({"ID": 17, "Name": "A", "depth": 3}, {"ID": 18, "Name": "B", "depth": {"m": 4}})

    report = _upload(settled(), content, MAP)

    assert report.refused == {}
    assert [verdict.warned for verdict in report.verdicts if verdict.warned] == [
        [("depth", "unknown column")]
    ]


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ('[{"identifier": "x"},\n', "JSON"),
        ('[{"identifier": "x"}] x', "JSON"),
        ("17", "JSON"),
        ("", "empty"),
        ("[]", "empty"),
        ("[" * 100_000, "JSON"),
        (_features({"ID": 1}, crs={"type": "name", "properties": {"name": "EPSG:26912"}}), "crs"),
    ],
)
def test_an_unreadable_file_is_refused_once(content: Any, rule: str) -> None:
    report = _upload(settled(), content, MAP)

    [verdict] = report.verdicts
    assert [broken for _, broken in verdict.broken] == [rule]


def test_an_item_that_is_no_object_does_not_stop_the_others() -> None:
    report = _upload(
        settled(), f'[17, {{"identifier": "{WELL}", "title": "a", "title": "b"}}, {{"identifier": "{WELL}"}}]'
    )

    assert report.refused == {(1,): [("", "object")], (2,): [("", "JSON")]}
    assert report.counts["registered"] == 1


def test_refused_objects_are_returned_as_json_lines() -> None:
    steward = settled()

    report = _upload(
        steward, [{"identifier": WELL, "title": "Well"}, {"identifier": f"{WELL}8", "status": "gone"}]
    )

    assert report.whole["refused_lines"].endswith(".jsonl")
    assert json.loads(report.refused_lines or b"") == {"identifier": f"{WELL}8", "status": "gone"}


def test_a_json_file_is_stored_without_the_option() -> None:
    steward = settled()

    report = steward.deliver(steward.put(f"{FOLDER}x.json", json.dumps([{"identifier": WELL}])))

    assert steward.values(WELL) is None
    assert "--read-as registrations" in str(report.verdicts[0].findings[0]["message"])


@pytest.mark.parametrize(("option", "value"), [("read-as", "table"), ("dates", "year-first")])
def test_an_unknown_value_of_an_option_refuses_the_file(option: str, value: str) -> None:
    steward = settled()

    report = steward.deliver(steward.put(f"{FOLDER}x.csv", f"identifier\n{WELL}\n", **{option: value}))

    assert [verdict.broken for verdict in report.verdicts] == [[("", option)]]
