"""Who uploaded a file: in its report and its summary, for all parts of a big file, and in every replay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ginuri.files.reports.report import Upload
from ginuri.files.reports.summary import Uploader, read_summary, summary_key
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.collaborators import Limits
from ginuri.ingest.processing import Delivery, process, read_deliveries
from ginuri.ingest.queue_messages import Begin, read_part, write_part
from ginuri.memory import MemoryUploads
from ginuri.registration.authorization import Right, Scope, write_scope
from ginuri.registry.content import UploadHead
from tests.steward import LINES, Report, Steward, line, settled

API = "AROAJQABLZS4A3QDU576Q"
JANE = "mailto:jane@example.org"
SCOPE = Scope({"uri-gin/azgs/": frozenset(Right)})
PINNED = {"principal": JANE, "may": write_scope(SCOPE), "token": "ab" * 32}
BY_API = {"identity": f"{API}:ginuri-api", "principal": JANE, "token": "ab" * 32}
WELL = "uri-gin/azgs/doc/well{}"
MEMBERS = ("identity", "principal", "token")


@pytest.fixture
def steward() -> Steward:
    """A steward of a stack with an API."""
    steward = settled()
    steward.api_identity = API
    return steward


class _Unreadable(MemoryUploads):
    """Uploads whose content cannot be read; later not even their metadata."""

    def __init__(self, files: MemoryUploads) -> None:
        super().__init__()
        self.uploads, self.metadata_of, self.reports = files.uploads, files.metadata_of, files.reports
        self.is_gone = False

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload, as long as they can be read."""
        if self.is_gone:
            raise RegistryUnavailable("gone")
        return super().head(key, version)

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Raise RegistryUnavailable."""
        raise RegistryUnavailable(f"{key}#{version}")


def _uploader(report: Report) -> dict[str, str]:
    return {name: report.whole[name] for name in MEMBERS if name in report.whole}


def _summary(steward: Steward, upload: Upload) -> Uploader:
    body = steward.files.reported(summary_key(upload.key, upload.version))
    assert body is not None
    return read_summary(json.loads(body)).uploader


def test_a_report_names_the_identity_that_the_store_authenticated(steward: Steward) -> None:
    steward.identity = "AIDAJDPLRKLG7UEXAMPLE"
    upload = steward.put(LINES, line(WELL.format(1)), submitter="Ana")

    report = steward.deliver(upload)

    assert _uploader(report) == {"identity": steward.identity, "principal": steward.identity}
    assert report.whole["submitter"] == "Ana"
    assert _summary(steward, upload) == Uploader(steward.identity, steward.identity)


def test_a_report_on_an_upload_by_the_api_names_its_owner(steward: Steward) -> None:
    steward.identity = BY_API["identity"]
    upload = steward.put(LINES, line(WELL.format(1)), **PINNED)

    assert _uploader(steward.deliver(upload)) == BY_API
    assert _summary(steward, upload) == Uploader(**BY_API)


def test_a_report_on_a_stored_file_names_its_uploader(steward: Steward) -> None:
    steward.identity = BY_API["identity"]

    report = steward.upload("uri-gin/azgs/map.pdf", b"%PDF", **PINNED)

    assert (report.whole["stored"], _uploader(report)) == (True, BY_API)


def test_a_principal_of_another_uploader_does_not_count(steward: Steward) -> None:
    steward.identity = "AIDAJDPLRKLG7UEXAMPLE"

    report = steward.upload(LINES, line(WELL.format(1)), **PINNED)

    assert _uploader(report) == {"identity": steward.identity, "principal": steward.identity}
    assert report.counts == {"registered": 1}


def test_the_rights_of_a_token_limit_uploads_by_a_former_role(steward: Steward) -> None:
    steward.identity = "AROAFORMERROLEOFTHEAPI:ginuri-api"
    may = write_scope(Scope({"uri-gin/azgs/": frozenset({Right.READ})}))

    report = steward.upload(LINES, line(WELL.format(1)), **{**PINNED, "may": may})

    assert report.counts == {"refused": 1}
    assert steward.values(WELL.format(1)) is None


def test_an_upload_by_the_api_without_its_rights_registers_nothing(steward: Steward) -> None:
    steward.identity = BY_API["identity"]
    upload = steward.put(LINES, line(WELL.format(1)), principal=JANE)

    report = steward.deliver(upload)

    assert report.refused == {(1,): [("", "principal")]}
    assert _uploader(report) == {"identity": BY_API["identity"]}
    assert steward.values(WELL.format(1)) is None
    body = steward.files.reports[summary_key(upload.key, upload.version)]
    assert not read_summary(json.loads(body)).changes_registry


def test_all_parts_of_a_big_upload_have_its_principal(steward: Steward) -> None:
    steward.limits, steward.identity = Limits(task_rows=5, chunk_rows=8, names=3), BY_API["identity"]
    upload = steward.put(LINES, "".join(line(WELL.format(number)) for number in range(30)), **PINNED)
    noted = set[str]()
    deliveries = [Delivery(upload, 1, 5)]

    while deliveries:
        delivery = deliveries.pop()
        process(delivery, replace(steward.collaborators, note_principal=lambda each: noted.add(each.name)))
        deliveries += [Delivery(read_part(json.loads(each)), 1, 5) for each in steward.queue.waiting]
        assert all(each.upload == upload for each in deliveries)
        steward.queue.waiting.clear()

    assert noted == {JANE}
    assert _uploader(steward.report(upload)) == BY_API


def test_a_big_upload_that_begins_again_keeps_its_principal(steward: Steward) -> None:
    steward.limits, steward.identity = Limits(task_rows=5, chunk_rows=8, names=3), BY_API["identity"]
    upload = steward.put(LINES, "".join(line(WELL.format(number)) for number in range(30)), **PINNED)
    process(Delivery(upload, 1, 5), steward.collaborators)
    for name in [name for name in steward.files.reports if name.startswith("_parts/")]:
        del steward.files.reports[name]

    steward.work_off()

    assert _uploader(steward.report(upload)) == BY_API


def test_a_part_without_its_rights_registers_nothing(steward: Steward) -> None:
    steward.limits, steward.identity = Limits(task_rows=5, chunk_rows=8, names=3), BY_API["identity"]
    upload = steward.put(LINES, "".join(line(WELL.format(number)) for number in range(30)), **PINNED)
    process(Delivery(upload, 1, 5), steward.collaborators)
    [name] = [name for name in steward.files.reports if name.endswith("/metadata")]
    steward.files.reports[name] = b"{}"

    steward.work_off()

    assert steward.report(upload).refused == {(1,): [("", "principal")]}
    assert steward.values(WELL.format(1)) is None


def test_a_message_of_an_older_release_has_no_identity() -> None:
    written = json.loads(
        write_part(Begin(Upload("uploads", LINES, "v1", "2027-01-01T00:00:00.000Z", "x"), 0))
    )
    del written["upload"]["identity"]

    assert read_part(written).upload.identity == ""


@pytest.mark.parametrize(
    ("event", "identity"),
    [
        ({"userIdentity": {"principalId": f"AWS:{API}:ginuri-api"}}, f"{API}:ginuri-api"),
        ({"userIdentity": {"principalId": "A3NL1KOZZKExample"}}, "A3NL1KOZZKExample"),
        ({}, ""),
    ],
)
def test_the_identity_of_an_upload_is_that_of_its_event(event: dict[str, object], identity: str) -> None:
    stored = {"bucket": {"name": "uploads"}, "object": {"key": LINES, "versionId": "v1"}}
    record = {"eventTime": "2027-01-01T00:00:00.000Z", "s3": stored, **event}

    [delivery] = read_deliveries(json.dumps({"Records": [record]}), 1, 5)

    assert delivery.upload.identity == identity


def test_the_report_on_an_unfinished_upload_names_its_identity(steward: Steward) -> None:
    steward.identity = BY_API["identity"]
    upload = steward.put(LINES, line(WELL.format(1)), **PINNED)
    files = _Unreadable(steward.files)
    collaborators = replace(steward.collaborators, uploads=files)

    with pytest.raises(RegistryUnavailable):
        process(Delivery(upload, 5, 5), collaborators)
    named = _uploader(steward.report(upload))
    files.is_gone = True
    with pytest.raises(RegistryUnavailable):
        process(Delivery(upload, 5, 5), collaborators)

    assert named == BY_API
    assert _uploader(steward.report(upload)) == {"identity": BY_API["identity"]}
