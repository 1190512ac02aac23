"""Uploads add up to records: stated, unchanged and cleared values."""

from __future__ import annotations

import json

import pytest

from ginuri.registry.model import NameAuthority, Resource, Scheme, StoredFile
from tests.steward import LINES, TABLE, Steward, line, settled

WELL = "uri-gin/azgs/doc/well"
MAP = "uri-gin/azgs/doc/map/"


def _resource(steward: Steward, identifier: str) -> Resource:
    found = steward.registry.fetch([identifier])[identifier]
    assert isinstance(found, Resource)
    return found


def test_the_first_files_register_the_scheme_and_its_authorities() -> None:
    steward = Steward()

    report = steward.upload(
        "_host/all.jsonl",
        '{"record": "scheme", "identifier": "uri-gin/", "title": "S", "trusted_hosts": ["a.example"]}\n'
        '{"record": "host", "identifier": "http://a.example/", "title": "H", "contact": "a@a.example"}\n'
        '{"record": "authority", "identifier": "uri-gin/azgs/", "title": "A", "syntax": "strict"}\n',
    )

    found = steward.registry.fetch(["uri-gin/", "uri-gin/azgs/"])
    assert report.counts == {"registered": 3}
    assert isinstance(found["uri-gin/"], Scheme)
    assert isinstance(found["uri-gin/azgs/"], NameAuthority)
    assert found["uri-gin/azgs/"].syntax == "strict"


def test_a_type_may_precede_its_own_resources_in_one_file() -> None:
    steward = Steward()
    steward.upload("_host/all.jsonl", '{"record": "authority", "identifier": "uri-gin/azgs/", "title": "A"}')

    report = steward.upload(
        LINES, line(WELL) + line("uri-gin/azgs/doc/", record="resource-type", title="Document")
    )

    assert report.counts == {"registered": 2}


@pytest.mark.parametrize(
    ("before", "then", "after"),
    [
        ({"reason": "old"}, {}, {"reason": "old"}),
        ({"reason": "old"}, {"reason": "new"}, {"reason": "new"}),
        ({"reason": "old"}, {"reason": None}, {}),
        (
            {"properties": {"a": "1", "b": "2"}},
            {"properties": {"b": "3", "c": "4"}},
            {"properties": {"a": "1", "b": "3", "c": "4"}},
        ),
        ({"properties": {"a": "1", "b": "2"}}, {"properties": {"b": None}}, {"properties": {"a": "1"}}),
        ({"properties": {"a": "1", "b": "2"}}, {"properties": None}, {}),
        (
            {"properties": {"first": "1", "last": "2"}},
            {"properties": {"first": "3"}},
            {"properties": {"first": "3", "last": "2"}},
        ),
        (
            {
                "links": [
                    {"rel": "license", "href": "https://a.example/1"},
                    {"rel": "up", "href": "https://a.example/"},
                ]
            },
            {"links": [{"rel": "license", "href": "https://a.example/2"}]},
            {
                "links": {
                    "license": [{"rel": "license", "href": "https://a.example/2"}],
                    "up": [{"rel": "up", "href": "https://a.example/"}],
                }
            },
        ),
        (
            {"links": [{"rel": "first", "href": "https://a.example/1"}]},
            {"links": [{"rel": "first", "href": "https://a.example/2"}]},
            {"links": {"first": [{"rel": "first", "href": "https://a.example/2"}]}},
        ),
    ],
)
def test_absent_fields_stay_and_null_clears(
    before: dict[str, object], then: dict[str, object], after: dict[str, object]
) -> None:
    steward = settled()

    steward.upload(LINES, line(WELL, **before))
    steward.upload(LINES, line(WELL, **then))

    assert steward.values(WELL) == {"title": {"": "Well"}, **after}


def test_the_report_shows_each_change_to_earlier_values() -> None:
    steward = settled()
    first = steward.upload(LINES, line(WELL, location="https://a.example/1", media_type="text/html"))

    second = steward.upload(
        LINES, line(WELL, title={"de": "Brunnen"}, location="https://a.example/2", media_type="text/html")
    )
    third = steward.upload(LINES, line(WELL, status="retired"))

    assert [each["changes"] for each in first.whole["verdicts"]] == [[]]
    assert [each["changes"] for each in second.whole["verdicts"]] == [
        [
            {
                "field": "representations[text/html].location",
                "before": "https://a.example/1",
                "after": "https://a.example/2",
            },
            {"field": "title@de", "before": None, "after": "Brunnen"},
        ]
    ]
    assert [each["changes"] for each in third.whole["verdicts"]] == [
        [{"field": "status", "before": "valid", "after": "retired"}]
    ]


def test_a_title_is_kept_by_language() -> None:
    steward = settled()

    steward.upload(LINES, line(WELL, title={"en": "Well", "de": "Brunnen"}))
    steward.upload(TABLE, f"identifier,title@de,title@es\n{WELL},-,Pozo\n")

    assert steward.values(WELL) == {"title": {"en": "Well", "es": "Pozo"}}


def test_rows_of_one_identifier_are_its_representations_in_their_order() -> None:
    steward = settled()

    report = steward.upload(
        TABLE,
        "identifier,title,media_type,location\n"
        f"{WELL},Well,text/html,https://a.example/well.html\n"
        f"{WELL}2,Other,,\n"
        f"{WELL},Well,application/pdf,https://a.example/well.pdf\n"
        f"{WELL},,text/csv,https://a.example/well.csv\n",
    )

    assert [(each.lines, each.verdict) for each in report.verdicts] == [
        ((2, 4, 5), "registered"),
        ((3,), "registered"),
    ]
    assert [each.media_type for each in _resource(steward, WELL).representations] == [
        "text/html",
        "application/pdf",
        "text/csv",
    ]


def test_the_stamp_of_a_registration_is_the_upload_and_its_first_line() -> None:
    steward = settled()
    upload = steward.put(TABLE, f"identifier,title,reason\n{WELL}2,Other,\n{WELL},Well,\n{WELL},,why\n")

    steward.deliver(upload)

    stamp = steward.registry.read([WELL])[WELL].created
    assert (stamp.put, stamp.upload, stamp.version, stamp.line) == (upload.put, TABLE, upload.version, 3)


def test_a_restated_form_keeps_its_place_and_its_other_fields() -> None:
    steward = settled()
    pdf = {
        "part": "map.pdf",
        "media_type": "application/pdf",
        "location": "https://a.example/1",
        "quality": 0.5,
    }
    png = {"part": "map.png", "media_type": "image/png", "location": "https://a.example/2"}

    steward.upload(LINES, line(MAP, representations=[pdf, png]))
    steward.upload(LINES, line(MAP, representations=[{"part": "map.pdf", "location": "https://b.example/"}]))

    first, second = _resource(steward, MAP).representations
    assert (first.part, first.location, first.quality) == ("map.pdf", "https://b.example/", 0.5)
    assert second.part == "map.png"


def test_a_retired_form_is_removed_and_may_return() -> None:
    steward = settled()
    form = {"part": ".pdf", "location": "https://a.example/well.pdf"}

    steward.upload(LINES, line(WELL, representations=[form]))
    steward.upload(LINES, line(WELL, representations=[{"part": ".pdf", "status": "retired"}]))
    gone = _resource(steward, WELL).representations
    steward.upload(LINES, line(WELL, representations=[{"part": ".pdf"}]))

    assert gone == ()
    assert [each.location for each in _resource(steward, WELL).representations] == [
        "https://a.example/well.pdf"
    ]


def test_null_clears_all_forms_at_once() -> None:
    steward = settled()

    steward.upload(LINES, line(WELL, location="https://a.example/", representations=[{"part": ".pdf"}]))
    steward.upload(LINES, line(WELL, representations=None))

    assert _resource(steward, WELL).representations == ()


def test_a_table_and_json_lines_register_the_same() -> None:
    lines, table = settled(), settled()

    lines.upload(
        LINES,
        line(WELL, title={"": "Well", "de": "Brunnen"}, location="https://a.example/", status_code=307)
        + line(
            MAP,
            title="Map",
            representations=[
                {
                    "part": "map.pdf",
                    "media_type": "application/pdf",
                    "role": ["canonical"],
                    "location": "https://a.example/",
                }
            ],
            links=[{"rel": "license", "href": "https://a.example/by/"}],
            properties={"county": "Cochise"},
        ),
    )
    table.upload(
        TABLE,
        "uri,label,title@de,url,status_code,part,media_type,role,links.license,properties.county\n"
        f"{WELL},Well,Brunnen,https://a.example/,307,,,,,\n"
        f"{MAP},Map,,https://a.example/,,map.pdf,application/pdf,canonical,https://a.example/by/,Cochise\n",
    )

    assert lines.values(WELL) == table.values(WELL) is not None
    assert lines.values(MAP) == table.values(MAP) is not None


# The report on an upload.


def test_putting_the_same_file_again_changes_nothing() -> None:
    steward = settled()
    text = line(WELL, reason="why") + line(f"{WELL}2", location="https://a.example/")

    first, second = steward.upload(LINES, text), steward.upload(LINES, text)

    assert (first.counts, second.counts) == ({"registered": 2}, {"unchanged": 2})


def test_a_value_unlike_the_current_one_is_a_change() -> None:
    steward = settled()
    steward.upload(LINES, line(WELL) + line(f"{WELL}2"))

    report = steward.upload(LINES, line(WELL, reason="why") + line(f"{WELL}2"))

    assert [(each.lines, each.verdict) for each in report.verdicts] == [
        ((1,), "changed"),
        ((2,), "unchanged"),
    ]


def test_clearing_an_absent_field_changes_nothing() -> None:
    steward = settled()
    steward.upload(LINES, line(WELL))

    assert steward.upload(LINES, line(WELL, reason=None)).counts == {"unchanged": 1}


def test_a_late_upload_does_not_win() -> None:
    steward = settled()
    early = steward.put(LINES, line(WELL, title="Early", reason="why"))
    steward.upload(LINES, line(WELL, title="Late"))

    report = steward.deliver(early)

    assert report.counts == {"registered": 1}  # like the answer if it had come first
    assert steward.values(WELL) == {"title": {"": "Late"}, "reason": "why"}


def test_a_warning_does_not_stop_a_registration() -> None:
    steward = settled()

    report = steward.upload(
        TABLE,
        "identifier,title,colour\n"
        "uri-gin/azgs/doc/a+b,Well,blue\n"
        "uri-gin/azgs/doc/%41,Well,blue\n"
        "uri-gin/azgs/well/1,,\n",
    )

    assert report.counts == {"registered": 3, "warned": 4}
    assert [(each.lines, each.verdict, [rule for _, rule in each.warned]) for each in report.verdicts] == [
        ((1,), "warned", ["unknown column"]),
        ((2,), "registered", ["unreserved"]),
        ((3,), "registered", ["normal form"]),
        ((4,), "registered", ["missing", "resource type"]),
    ]
    assert steward.values("uri-gin/azgs/doc/A") is not None


# Stored files.


def test_a_file_uploaded_before_can_be_named() -> None:
    steward = settled()
    stored = steward.upload("uri-gin/azgs/maps/map.pdf", b"%PDF")

    report = steward.upload(LINES, line(MAP, representations=[{"part": "map.pdf", "file": "maps/map.pdf"}]))

    [form] = _resource(steward, MAP).representations
    assert (stored.whole["stored"], stored.whole["verdicts"]) == (True, [])
    assert report.counts == {"registered": 1}
    assert form.file is not None
    assert (form.file.key, form.file.length) == ("uri-gin/azgs/maps/map.pdf", 4)


def test_a_missing_file_is_reported_with_its_whole_name() -> None:
    steward = settled()
    form = {"part": "map.pdf", "file": "maps/map.pdf"}

    report = steward.upload(LINES, line(MAP, representations=[form]) + line(WELL))

    assert report.refused == {(1,): [("file", "uploaded")]}
    assert "uri-gin/azgs/maps/map.pdf" in report.verdicts[0].findings[0]["message"]
    assert steward.values(MAP) is None
    assert steward.values(WELL) is not None


def test_a_line_cannot_name_the_file_of_another_authority() -> None:
    steward = settled()
    steward.upload("uri-gin/usgin/secret.pdf", b"%PDF")

    for name in ("../usgin/secret.pdf", "/uri-gin/usgin/secret.pdf", "uri-gin/usgin/secret.pdf"):
        report = steward.upload(LINES, line(WELL, representations=[{"part": ".pdf", "file": name}]))

        assert report.counts == {"refused": 1}


def test_a_record_pins_the_existing_version() -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/well.pdf", b"old")
    steward.upload(LINES, line(WELL, representations=[{"part": ".pdf", "file": "well.pdf"}]))

    steward.upload("uri-gin/azgs/well.pdf", b"newer")

    [form] = _resource(steward, WELL).representations
    assert form.file is not None
    assert steward.content.read(form.file) == b"old"


def test_naming_a_newer_version_pins_it() -> None:
    steward = settled()
    text = line(WELL, representations=[{"part": ".pdf", "file": "well.pdf"}])
    steward.upload("uri-gin/azgs/well.pdf", b"old")
    steward.upload(LINES, text)
    steward.upload("uri-gin/azgs/well.pdf", b"newer")

    report = steward.upload(LINES, text)

    [form] = _resource(steward, WELL).representations
    assert report.counts == {"changed": 1}
    assert form.file is not None
    assert steward.content.read(form.file) == b"newer"


def test_a_form_is_stored_here_or_elsewhere_but_not_both() -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/well.pdf", b"%PDF")

    steward.upload(LINES, line(WELL, representations=[{"part": ".pdf", "location": "https://a.example/"}]))
    steward.upload(LINES, line(WELL, representations=[{"part": ".pdf", "file": "well.pdf"}]))
    here = _resource(steward, WELL).representations[0]
    steward.upload(LINES, line(WELL, representations=[{"part": ".pdf", "location": "https://a.example/"}]))
    elsewhere = _resource(steward, WELL).representations[0]

    assert (here.location, here.file is not None) == (None, True)
    assert (elsewhere.location, elsewhere.file) == ("https://a.example/", None)


@pytest.mark.parametrize(
    "name", ["uri-gin/azgs/map.pdf", "loose.png", "_host/logo.svg", "uri-gin/azgs/README"]
)
def test_any_other_file_is_stored_and_registers_nothing(name: str) -> None:
    steward = Steward()

    report = steward.upload(name, b"anything")

    assert report.whole["stored"] is True
    assert report.counts == {}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("wells.json", json.dumps([{"identifier": WELL}])),
        ("wells.geojson", json.dumps({"type": "FeatureCollection", "features": [{"id": WELL}]})),
        ("wells.txt", f"identifier,title\n{WELL},Well\n"),
    ],
)
def test_a_stored_file_with_registrations_gets_a_warning(name: str, content: str) -> None:
    steward = settled()

    report = steward.upload(f"uri-gin/azgs/{name}", content, language="es")
    knowingly = steward.upload(f"uri-gin/azgs/{name}", content, store="true")

    [verdict] = report.verdicts
    assert (report.whole["stored"], report.counts, report.whole["language"]) == (True, {"warned": 1}, "es")
    assert (verdict.lines, verdict.identifier, verdict.warned) == ((), None, [("", "stored")])
    assert (knowingly.whole["stored"], knowingly.counts) == (True, {})


def test_a_stored_file_deleted_meanwhile_is_reported_as_stored() -> None:
    steward = settled()
    upload = steward.put("uri-gin/azgs/wells.json", json.dumps([{"identifier": WELL}]))
    del steward.files.uploads[upload.key, upload.version]

    assert steward.deliver(upload).counts == {}


def test_a_row_pins_the_file_of_the_moment_of_its_upload() -> None:
    steward, key = settled(), "uri-gin/azgs/map.pdf"
    steward.upload(key, b"of then")
    rows = steward.put(
        LINES, line("uri-gin/azgs/doc/a", representations=[{"part": ".pdf", "file": "map.pdf"}])
    )
    steward.upload(key, b"of now")

    steward.deliver(rows)

    [form] = (steward.values("uri-gin/azgs/doc/a") or {})["representations"].values()
    assert steward.content.read(StoredFile(**form["file"])) == b"of then"


def test_a_row_pins_a_later_file_if_none_existed_before() -> None:
    steward, key = settled(), "uri-gin/azgs/map.pdf"
    rows = steward.put(
        LINES, line("uri-gin/azgs/doc/a", representations=[{"part": ".pdf", "file": "map.pdf"}])
    )
    steward.upload(key, b"of now")

    assert steward.deliver(rows).counts == {"registered": 1}
