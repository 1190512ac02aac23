"""An upload whose access token is revoked while it waits is refused; one that has begun is completed."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ginuri.access.creation import WantedToken, make_token
from ginuri.access.memory_tokens import MemoryTokens
from ginuri.files.reports.summary import read_summary, summary_key
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.collaborators import Limits
from ginuri.memory import MemoryRegistry
from ginuri.registration.authorization import Right
from ginuri.registry.record.record import Change
from ginuri.registry.transfer import UploadedFile
from ginuri.server.ingest_process import IngestRunner
from ginuri.sqlite.access.database import AccessDatabase
from ginuri.sqlite.access.tokens import SqliteTokens
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.uploads import SqliteUploads
from tests.stacks import settle_folder
from tests.steward import HOST, LINES, TYPES, Steward, line, settled

API = "AROAJQABLZS4A3QDU576Q"
JANE = "mailto:jane@example.org"
WELL = "uri-gin/azgs/doc/well{}"
NOW = datetime.now(UTC)
TOKEN = make_token(WantedToken(JANE, ("uri-gin/azgs/",), frozenset({Right.REGISTER})), "olga", NOW)[1]
PINNED = {"principal": JANE, "may": "w=uri-gin/azgs/", "token": TOKEN.id}


class _CountingTokens(MemoryTokens):
    """Tokens, and the number of the questions of ingest."""

    asked = 0

    def is_revoked(self, token_id: str) -> bool:
        self.asked += 1
        return super().is_revoked(token_id)


@pytest.fixture
def tokens() -> _CountingTokens:
    tokens = _CountingTokens()
    tokens.add(TOKEN)
    return tokens


@pytest.fixture
def steward(tokens: _CountingTokens) -> Steward:
    """A steward of a stack with an API, which uploads."""
    steward = settled()
    steward.api_identity, steward.identity, steward.is_revoked = API, f"{API}:api", tokens.is_revoked
    return steward


def test_an_upload_with_a_revoked_token_registers_nothing(steward: Steward, tokens: MemoryTokens) -> None:
    upload = steward.put(LINES, line(WELL.format(1)), **PINNED)
    tokens.revoke(TOKEN.id, NOW)

    report = steward.deliver(upload)

    assert report.refused == {(1,): [("", "token")]}
    assert steward.values(WELL.format(1)) is None


def test_a_replay_leaves_out_an_upload_with_a_revoked_token(steward: Steward, tokens: MemoryTokens) -> None:
    tokens.revoke(TOKEN.id, NOW)
    upload = steward.put(LINES, line(WELL.format(1)), **PINNED)
    steward.deliver(upload)

    summary = read_summary(json.loads(steward.files.reports[summary_key(upload.key, upload.version)]))

    assert not summary.changes_registry


def test_an_upload_with_a_good_token_is_registered(steward: Steward, tokens: _CountingTokens) -> None:
    assert steward.upload(LINES, line(WELL.format(1)), **PINNED).counts == {"registered": 1}
    assert tokens.asked == 1


def test_a_big_upload_asks_about_its_token_once(steward: Steward, tokens: _CountingTokens) -> None:
    steward.limits = Limits(task_rows=5, chunk_rows=8, names=3)
    text = "".join(line(WELL.format(number)) for number in range(30))

    assert steward.upload(LINES, text, **PINNED).counts == {"registered": 30}
    assert tokens.asked == 1


def test_a_big_upload_that_has_begun_is_completed(steward: Steward, tokens: _CountingTokens) -> None:
    steward.limits = Limits(task_rows=5, chunk_rows=8, names=3)
    text = "".join(line(WELL.format(number)) for number in range(30))
    upload = steward.put(LINES, text, **PINNED)
    steward.begin(upload)

    tokens.revoke(TOKEN.id, NOW)
    steward.work_off()

    assert steward.report(upload).counts == {"registered": 30}


class _Interrupted(MemoryRegistry):
    """A registry that is lost after some writes."""

    left = 100

    def write(self, *changes: Change) -> None:
        if self.left == 0:
            raise RegistryUnavailable("lost")
        self.left -= 1
        super().write(*changes)


def test_an_interrupted_upload_is_completed_by_a_later_delivery(
    steward: Steward, tokens: _CountingTokens
) -> None:
    registry = _Interrupted()
    steward.memory = steward.registry = registry
    steward.identity = "AIDAJDPLRKLG7UEXAMPLE"
    steward.upload("_host/all.jsonl", HOST)
    steward.upload("uri-gin/azgs/1-types.jsonl", TYPES)
    steward.identity = f"{API}:api"
    upload = steward.put(LINES, line(WELL.format(1)) + line(WELL.format(2)), **PINNED)
    registry.left = 1
    with pytest.raises(RegistryUnavailable):
        steward.begin(upload)
    tokens.revoke(TOKEN.id, NOW)
    registry.left = 100

    assert steward.deliver(upload).counts == {"registered": 2}


def test_an_upload_that_was_interrupted_before_it_began_is_refused(
    steward: Steward, tokens: _CountingTokens
) -> None:
    upload = steward.put(LINES, line(WELL.format(1)), **PINNED)
    steward.is_revoked = _fail
    with pytest.raises(RegistryUnavailable):
        steward.begin(upload)
    tokens.revoke(TOKEN.id, NOW)
    steward.is_revoked = tokens.is_revoked

    assert steward.deliver(upload).refused == {(1,): [("", "token")]}


def _fail(token_id: str) -> bool:
    raise RegistryUnavailable(token_id)


def test_an_upload_whose_registrations_were_lost_is_completed_again(
    steward: Steward, tokens: _CountingTokens
) -> None:
    upload = steward.put(LINES, line(WELL.format(1)), **PINNED)
    steward.deliver(upload)
    tokens.revoke(TOKEN.id, NOW)
    steward.memory = steward.registry = settled().memory  # the table as it was before

    steward.begin(upload)

    assert steward.values(WELL.format(1)) is not None


def test_an_upload_without_a_token_asks_about_none(steward: Steward, tokens: _CountingTokens) -> None:
    steward.identity = "AIDAJDPLRKLG7UEXAMPLE"

    assert steward.upload(LINES, line(WELL.format(1)), **PINNED).counts == {"registered": 1}
    assert tokens.asked == 0


def test_a_folder_refuses_waiting_uploads_of_a_revoked_token(tmp_path: Path) -> None:
    settle_folder(tmp_path)
    with closing(AccessDatabase(tmp_path)) as access, closing(Database(tmp_path)) as database:
        store, uploads = SqliteTokens(access), SqliteUploads(database, FileFolder(tmp_path))
        store.add(TOKEN)
        first = _put(uploads, 1)
        _work_off(tmp_path)
        second = _put(uploads, 2)
        store.revoke(TOKEN.id, NOW)
        _work_off(tmp_path)

        counts = [_counts(uploads, upload) for upload in (first, second)]

    assert counts == [{"registered": 1}, {"refused": 1}]


def _put(uploads: SqliteUploads, number: int) -> UploadedFile:
    return uploads.put(LINES, line(WELL.format(number)).encode(), PINNED, "api:server")


def _work_off(folder: Path) -> None:
    with IngestRunner(folder, log=lambda _: None) as runner:
        assert runner.acquire()
        runner.run_until_idle()


def _counts(uploads: SqliteUploads, upload: UploadedFile) -> dict[str, int]:
    body = uploads.reported(summary_key(upload.key, upload.version))
    assert body is not None
    return {name: number for name, number in read_summary(json.loads(body)).counts.items() if number}
