"""Does each registry remember applied uploads beside the records? Memory, SQLite, moto and DynamoDB Local."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ginuri.registry.record.applied_uploads import AppliedUpload
from tests.builders import MAP, register
from tests.contract.conftest import Stand

KEY = "uri-gin/azgs/wells.csv"
APPLIED = AppliedUpload(
    KEY,
    "3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrH",
    "2011-08-25T17:29:00.123Z",
    "2011-08-25T17:29:04Z",
    {"registered": 2, "refused": 1},
)


def test_an_upload_that_was_not_applied_has_no_proof(stand: Stand) -> None:
    stand.registry.note_applied(APPLIED)

    assert stand.registry.applied(KEY, "another") is None
    assert stand.registry.applied(f"{KEY}.gz", APPLIED.version) is None


def test_the_proof_of_an_upload_is_read_back(stand: Stand) -> None:
    stand.registry.note_applied(APPLIED)

    assert stand.registry.applied(KEY, APPLIED.version) == APPLIED


def test_writing_and_reading_a_proof_take_one_call_each(stand: Stand) -> None:
    before = stand.calls()

    stand.registry.note_applied(APPLIED)
    stand.registry.applied(KEY, APPLIED.version)

    assert stand.calls() - before == 2


def test_the_last_proof_of_an_upload_counts(stand: Stand) -> None:
    later = replace(APPLIED, processed="2011-09-01T00:00:00Z", counts={"registered": 3})
    stand.registry.note_applied(APPLIED)

    stand.registry.note_applied(later)

    assert stand.registry.applied(KEY, APPLIED.version) == later


@pytest.mark.parametrize("key", ["x" * 1_024, "uri-gin/azgs/Brünnen 1.csv", "uri-gin/azgs/"])
def test_any_key_of_an_upload_can_have_a_proof(stand: Stand, key: str) -> None:
    stand.registry.note_applied(replace(APPLIED, key=key))

    assert stand.registry.applied(key, APPLIED.version) is not None


def test_lists_and_exports_leave_out_the_proofs_of_uploads(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "First"})

    stand.registry.note_applied(APPLIED)
    stand.registry.note_applied(replace(APPLIED, key=f"{MAP} 2", version="now"))

    assert stand.lister.members("uri-gin/azgs/").names == (MAP,)
    assert stand.lister.members("u").names == ()
    assert stand.reader.near(f"upload {KEY}") == []
    assert [name for name, _ in stand.archive.standing("uri-gin/")] == [MAP]
    assert [history.identifier for history in stand.archive.histories("")] == [MAP]
    assert [name for name, _, _ in stand.scan.stored()] == [MAP]
