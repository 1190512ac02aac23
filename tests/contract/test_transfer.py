"""Is a moved registry the same registry? Between memory, folders and stacks in moto, in any direction."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from moto import mock_aws

from ginuri.aws.dynamodb.archive import DynamoArchive
from ginuri.aws.dynamodb.items import DynamoItems
from ginuri.aws.dynamodb.record_writer import as_attribute_values
from ginuri.aws.retrying_client import make_retrying_client
from ginuri.aws.s3 import S3ContentStore
from ginuri.aws.upload_archive import S3UploadArchive
from ginuri.files.export import files_of
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.transfer import RegistryTarget, UploadedFile
from ginuri.sqlite.archive import SqliteArchive
from ginuri.sqlite.database import Database
from ginuri.sqlite.transfer import SqliteTransfer
from ginuri.transfer.comparison import compare_registries
from ginuri.transfer.move import FINISHED, Move, Moved, MoveRefused
from tests.aws import dynamodb_client, s3_client, sqs_client
from tests.memory_transfer import MemoryTransfer
from tests.services import Service
from tests.whole_registries import DOC, FOLDER, FolderSteward, fill, new_stack

Make = Callable[[str], RegistryTarget]
"""Makes an empty registry of a kind."""
KINDS = ["memory", "folder", "stack"]


@pytest.fixture(scope="session")
def filled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that a registry can have."""
    folder = tmp_path_factory.mktemp("filled")
    with closing(Database(folder)) as database:
        fill(database)
    return folder


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Return a function that makes empty registries, each with a name of its own."""
    with mock_aws(), ExitStack() as opened:
        names = iter(range(100))

        def make_one(kind: str) -> RegistryTarget:
            name = f"{kind}-{next(names)}"
            if kind == "memory":
                return MemoryTransfer(name)
            if kind == "stack":
                return new_stack(name)
            return SqliteTransfer(opened.enter_context(closing(Database(tmp_path / name))))

        yield make_one


@pytest.fixture
def database(filled_folder: Path, tmp_path: Path) -> Iterator[Database]:
    """Return the database of a copy of that folder."""
    shutil.copytree(filled_folder, tmp_path / "source")
    with closing(Database(tmp_path / "source")) as database:
        yield database


@pytest.fixture
def source(database: Database) -> SqliteTransfer:
    """Return a registry in a folder with everything that a registry can have."""
    return SqliteTransfer(database)


def _move(source: RegistryTarget, target: RegistryTarget, *, again: bool = False) -> Moved:
    return Move(source, target, lambda _part, _number: None).run(again=again)


def _move_until(source: RegistryTarget, target: RegistryTarget, most: int) -> None:
    """Move, and interrupt it when this number of things was read."""
    left = iter(range(most))

    def show(_part: str, _number: int) -> None:
        if next(left, None) is None:
            raise InterruptedError

    with suppress(InterruptedError, MoveRefused):
        Move(source, target, show).run(again=False)


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_a_registry_that_was_moved_twice_is_the_same(
    source: SqliteTransfer, make: Make, first: str, second: str
) -> None:
    between, target = make(first), make(second)

    _move(source, between)
    moved = _move(between, target)

    assert list(compare_registries(source, between)) == []
    assert list(compare_registries(source, target)) == []
    assert moved.read == moved.written == {"contents": 2, "uploads": 7, "reports": 25, "items": 20}


@pytest.mark.usefixtures("make")
def test_the_history_of_a_moved_record_has_the_same_stamps(
    source: SqliteTransfer, database: Database
) -> None:
    stack = new_stack("stack")
    _move(source, stack)

    archive = DynamoArchive(dynamodb_client(), stack.parts.table)
    before, after = (
        {history.identifier: history.statements for history in each.histories(f"{DOC}a")}
        for each in (SqliteArchive(database), archive)
    )

    assert before == after
    assert len(before) == 2


@pytest.mark.usefixtures("make")
def test_a_moved_record_pins_a_file_that_the_bucket_has(source: SqliteTransfer) -> None:
    stack = new_stack("stack")
    _move(source, stack)
    archive = DynamoArchive(dynamodb_client(), stack.parts.table)
    content = S3ContentStore(s3_client, stack.parts.content)

    [(_, values)] = archive.standing(f"{DOC}map")
    first = next(archive.histories(f"{DOC}map")).at("2011-08-25T17:20:00.000Z")

    assert first is not None
    read = [content.read(file) for each in (values, first.values()) for file in files_of(each)]
    assert read == [b"%PDF second" * 1_000, b"%PDF first"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_moved_upload_is_not_processed_again(source: SqliteTransfer, make: Make, kind: str) -> None:
    target = make(kind)

    _move(source, target)

    assert target.waiting() == 0
    assert {upload.put for upload in target.uploads()} == {upload.put for upload in source.uploads()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_pass_copies_only_changes(
    source: SqliteTransfer, database: Database, make: Make, kind: str
) -> None:
    target = make(kind)
    _move(source, target)
    FolderSteward(database, hours=2).put(f"{FOLDER}third.csv", f"identifier,title\n{DOC}a,Third\n")

    moved = _move(source, target, again=True)

    assert (moved.written["uploads"], moved.written["contents"]) == (1, 0)
    assert moved.written["items"] == 3  # the record, its former title, the proof of the upload
    assert list(compare_registries(source, target)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_finished_move_is_repeated_only_on_request(source: SqliteTransfer, make: Make, kind: str) -> None:
    target = make(kind)
    _move(source, target)

    with pytest.raises(MoveRefused, match="State --again to copy what has changed since"):
        _move(source, target)


@pytest.mark.parametrize("kind", KINDS)
def test_two_registries_are_never_merged(source: SqliteTransfer, make: Make, kind: str) -> None:
    target = make(kind)
    _move(source, target)
    other = make("memory")

    with pytest.raises(MoveRefused, match="is not empty: registries cannot be merged"):
        _move(other, target, again=True)


@pytest.mark.usefixtures("make")
def test_a_target_that_was_used_meanwhile_is_not_overwritten(source: SqliteTransfer) -> None:
    target = new_stack("stack")
    _move(source, target)
    s3_client().put_object(Bucket=target.parts.uploads, Key=f"{FOLDER}new.csv", Body=b"identifier\n")

    with pytest.raises(MoveRefused, match=f"has {FOLDER}new.csv .* lacks: it was used meanwhile"):
        _move(source, target, again=True)


def test_a_registry_with_waiting_uploads_is_not_moved() -> None:
    waiting = MemoryTransfer()
    waiting.queue.append("a message")

    with pytest.raises(MoveRefused, match=r"has uploads in its queue \(1\)"):
        _move(waiting, MemoryTransfer("other"))


@pytest.mark.usefixtures("make")
def test_messages_in_the_queue_of_a_stack_are_counted() -> None:
    stack = new_stack("stack")
    sqs_client().send_message(QueueUrl=stack.parts.queue, MessageBody="an upload")

    assert stack.waiting() == 1


def test_unprocessed_items_are_written_again() -> None:
    items = [{"identifier": f"uri-gin/{number}", "version": "now", "revision": "1"} for number in range(20)]
    client, slept = dynamodb_client(), list[float]()
    left = {"UnprocessedItems": {"table": [{"PutRequest": {"Item": as_attribute_values(items[3])}}]}}
    throttled = (400, {"__type": "com.amazonaws.dynamodb.v20120810#ThrottlingException", "message": "no"})
    service = Service(client, throttled, (200, left), (200, {"UnprocessedItems": {}}))
    patient = make_retrying_client(slept.append, lambda: 0.0, Random(1), client)  # noqa: S311  repeatable by its seed

    DynamoItems(patient, "table").write(items)

    assert [len(asked["RequestItems"]["table"]) for asked in service.asked] == [20, 20, 1]
    assert len(slept) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_move_interrupted_at_any_part_continues(source: SqliteTransfer, make: Make, kind: str) -> None:
    target = make(kind)
    for most in range(1, 120, 6):
        _move_until(source, target, most)

    assert target.moved_from() == f"{FINISHED}{source.identity}"
    assert list(compare_registries(source, target)) == []
    assert len(list(target.contents())) == 2


def test_an_interrupted_move_copies_nothing_twice(source: SqliteTransfer) -> None:
    target = MemoryTransfer()
    for writes in range(60):
        target.interrupt(writes % 4)
        with suppress(InterruptedError, MoveRefused):
            _move(source, target)

    assert list(compare_registries(source, target)) == []
    assert len(target.content) == 2
    assert target.adopted == {"canonical_host": "ids.example"}


@pytest.mark.parametrize("kind", ["folder", "stack"])
@pytest.mark.parametrize(
    ("key", "length"),
    [(f"{FOLDER}scan.tif", 9 * 1024 * 1024), (f"{FOLDER}{'é' * 500}", 1)],
    ids=["sent in parts", "of the longest key"],
)
def test_an_unusual_upload_is_moved(make: Make, kind: str, key: str, length: int) -> None:
    source, target, body = MemoryTransfer(), make(kind), b"x" * length
    sha256 = hashlib.sha256(body).hexdigest()
    source.bodies[sha256] = body
    source.uploaded[key, "v1"] = UploadedFile(key, "v1", "2011-08-26T00:00:00.000Z", length, sha256, {})

    _move(source, target)

    [moved] = target.uploads()
    assert moved == source.uploaded[key, "v1"]
    assert b"".join(target.open_upload(moved)) == body


@pytest.mark.usefixtures("make")
def test_moved_uploads_are_listed_under_a_prefix_and_found() -> None:
    archive = S3UploadArchive(s3_client, new_stack("stack").parts.archive)
    long = f"{FOLDER}{'é' * 500}"
    uploads = [
        UploadedFile(key, version, "2011-08-26T00:00:00.000Z", 0, hashlib.sha256().hexdigest(), {})
        for key, version in ((long, "v1"), (f"{FOLDER}a.csv", "v1"), (f"{FOLDER}a.csv", "v1.2"), ("b", "v"))
    ]
    for upload in uploads:
        archive.add(upload, [])

    listed = {(each.key, each.version, each.put) for each in archive.versions(FOLDER)}

    assert listed == {(each.key, each.version, datetime.fromisoformat(each.put)) for each in uploads[:3]}
    assert [archive.upload(each.key, each.version) for each in uploads] == uploads
    assert archive.upload("b", "none") is None


@pytest.mark.parametrize("kind", ["folder", "stack"])
def test_a_damaged_file_is_not_moved(database: Database, make: Make, kind: str) -> None:
    source = SqliteTransfer(database)
    [kept] = [content.file for content in source.contents() if content.file.length == 10]
    path = database.folder / "files" / kept.sha256[:2] / kept.sha256
    path.chmod(0o644)
    path.write_bytes(b"%PDF worst")

    with pytest.raises(RegistryUnavailable, match=f"{kept.key} has the SHA-256 .* instead of {kept.sha256}"):
        _move(source, make(kind))
