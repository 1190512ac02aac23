"""A mapping that is stored beside its upload, since the metadata of an object cannot hold it."""

from __future__ import annotations

import pytest

from ginuri.files.mapping.stored_mapping import is_too_long, key_of, refer, store_beside
from ginuri.files.options import UploadOptions, write_options
from ginuri.ingest.collaborators import Limits
from tests.steward import TABLE, Steward, settled

FOLDER = "uri-gin/azgs/"
WELL = "uri-gin/azgs/doc/17"
COLUMNS = ",".join(
    [
        "identifier=uri-gin/azgs/doc/{ID}",
        *(f"properties.p{number}=A long name {number}" for number in range(100)),
    ]
)
CONTENT = "ID,{}\n17,{}\n".format(
    ",".join(f"A long name {number}" for number in range(100)), ",".join(map(str, range(100)))
)
OPTIONS = UploadOptions(columns=COLUMNS)


def _store(steward: Steward) -> UploadOptions:
    digest, content = store_beside(OPTIONS)
    stored = steward.put(key_of(digest, FOLDER), content, store="true")
    steward.deliver(stored)
    return refer(OPTIONS, digest, stored.version)


def test_only_a_mapping_beyond_the_metadata_of_s3_is_too_long() -> None:
    assert is_too_long(OPTIONS)
    assert not is_too_long(UploadOptions(columns="x" * 2_045))
    assert is_too_long(UploadOptions(columns="x" * 2_046))


@pytest.mark.parametrize("limits", [Limits(), Limits(task_rows=1, chunk_rows=1)])
def test_an_upload_uses_the_mapping_that_is_stored_beside_it(limits: Limits) -> None:
    steward = settled()
    steward.limits = limits
    options = _store(steward)
    further = CONTENT + CONTENT.splitlines(keepends=True)[1].replace("17", "18", 1)

    upload = steward.put(TABLE, further, **write_options(options))
    report = steward.deliver(upload)

    assert not is_too_long(options)
    assert report.refused == {}
    assert (steward.values(WELL) or {})["properties"]["p99"] == "99"
    assert steward.values("uri-gin/azgs/doc/18") is not None


def test_a_later_mapping_of_the_same_name_does_not_change_the_upload() -> None:
    steward = settled()
    options = _store(steward)
    upload = steward.put(TABLE, CONTENT, **write_options(options))
    steward.put(key_of(store_beside(OPTIONS)[0], FOLDER), "title=ID")

    assert steward.deliver(upload).counts["registered"] == 1


@pytest.mark.parametrize("version", ["another", ""])
def test_a_missing_mapping_refuses_the_upload(version: str) -> None:
    steward = settled()
    options = _store(steward)
    digest, _ = store_beside(OPTIONS)

    report = steward.deliver(steward.put(TABLE, CONTENT, map=f"sha256:{digest}#{version}"))

    assert options.columns.startswith("sha256:")
    assert [verdict.broken for verdict in report.verdicts] == [[("", "map")]]


def test_a_mapping_with_another_digest_refuses_the_upload() -> None:
    steward = settled()
    digest, _ = store_beside(OPTIONS)
    stored = steward.put(key_of(digest, FOLDER), "title=ID")

    report = steward.deliver(
        steward.put(TABLE, CONTENT, **write_options(refer(OPTIONS, digest, stored.version)))
    )

    assert [verdict.broken for verdict in report.verdicts] == [[("", "map")]]
