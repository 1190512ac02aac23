"""The IAM policies of the docs: each allows its purpose, and nothing in other folders."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import boto3
import httpx
import pytest
from click import Context
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from ginuri.aws.upload_archive import S3UploadArchive
from ginuri.cli.main import main
from ginuri.registry.transfer import UploadedFile
from ginuri.sqlite.database import Database
from ginuri.sqlite.settings import Settings
from infra.local import ROOT
from infra.local.aws.calls import Need
from infra.local.aws.permissions import Statement, allowed, read_policy
from infra.local.stack import Stack
from infra.local.template import ACCOUNT, REGION
from tests.end_to_end.uploading import upload
from tests.whole_registries import FolderSteward

FOLDER = "uri-gin/azgs/"
DOCUMENT = f"{FOLDER}doc/map/M1/map.pdf"
UPLOAD, LOOK_BACK, REDRIVE = "To upload", "To look back and undo", "To redrive"
PLAN = "To plan"
MOVE = "To move a registry"
REPLAY = "To replay uploads"
TOKENS = "To create and revoke tokens"
COMMANDS = {
    UPLOAD: {"schemes", "upload"},
    LOOK_BACK: {
        "export",
        "history",
        "hosts",
        "refused",
        "relocate",
        "report",
        "rollback",
        "upload",
        "uploads",
        "verify",
    },
    PLAN: {"apply"},
    REDRIVE: {"redrive"},
    MOVE: {"diff", "move"},
    REPLAY: {"replay"},
    TOKENS: {"token"},
}
OF_A_WHOLE_REGISTRY = {MOVE, REPLAY}
"""The policies for operators that write the registry without any check of folders."""
CALLS_NOTHING = {
    "backup",
    "check",
    "compare",
    "explain",
    "get",
    "import",
    "inventory",
    "parse",
    "repair",
    "search",
    "serve",
    "validate",
}
"""Commands that make no call to AWS, except one for the address of a stack that they ask over HTTP."""
NAME = "ginuri"
EMPTY = hashlib.sha256().hexdigest()


@cache
def _policies(name: str, folder: str = FOLDER) -> dict[str, list[Statement]]:
    """Return every policy in the docs, filled in, by its heading."""
    found: dict[str, list[Statement]] = {}
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        heading = ""
        for match in re.finditer(
            r"^#+ ([^\n]+)$|^ *```json\n(.*?)```", page.read_text(), re.MULTILINE | re.DOTALL
        ):
            heading = match[1] or heading
            if match[2] and '"Effect"' in match[2]:
                found[heading] = read_policy(_filled(match[2], name, folder))
    return found


def _filled(policy: str, name: str, folder: str) -> str:
    values = {"<stack>": name, "<account>": ACCOUNT, "<region>": REGION, FOLDER: folder}
    for written, value in values.items():
        policy = policy.replace(written, value)
    return policy


# The statements of the policies

OF_BUCKETS = ("uploads", "archive", "content", "reports", "published")
_KEYS = st.text(st.sampled_from("azgs-/.uri_ginhost"), max_size=20)
ELSEWHERE = st.one_of(
    _KEYS,
    st.builds("uri-gin/{}".format, _KEYS),
    st.builds("uri-gin/azgs{}".format, _KEYS),
    st.sampled_from(
        ("uri-gin/azgs.mapping/a.csv", "uri-gin/azgs", "_host/all.jsonl", "_parts/uri-gin/azgs/")
    ),
).filter(lambda key: not key.startswith(FOLDER))
S3_ACTIONS = ("GetObject", "GetObjectVersion", "PutObject", "DeleteObject", "DeleteObjectVersion")


@given(ELSEWHERE, st.sampled_from(OF_BUCKETS), st.sampled_from(S3_ACTIONS))
def test_no_policy_for_a_folder_reaches_another(key: str, bucket: str, action: str) -> None:
    of_folders = [policy for name, policy in _policies(NAME).items() if name not in OF_A_WHOLE_REGISTRY]
    statements = [each for policy in of_folders for each in policy]
    arn = f"arn:aws:s3:::{NAME}-{bucket}-{ACCOUNT}-{REGION}"

    assert not allowed(statements, Need(f"s3:{action}", f"{arn}/{key}"))
    assert not allowed(statements, Need("s3:ListBucketVersions", arn, key))
    assert not allowed(statements, Need("s3:ListBucketVersions", arn))


def test_every_command_that_calls_aws_has_a_policy() -> None:
    assert _policies(NAME).keys() == COMMANDS.keys()
    assert set().union(*COMMANDS.values()) == set(main.list_commands(Context(main))) - CALLS_NOTHING


def test_only_the_policies_for_a_whole_registry_allow_to_write_it() -> None:
    apart = {*OF_A_WHOLE_REGISTRY, TOKENS}
    others = [policy for name, policy in _policies(NAME).items() if name not in apart]
    actions = {action for policy in others for each in policy for action in each.actions}

    writing = ("Put", "Update", "Delete", "BatchWrite")
    assert {action for action in actions if action.partition(":")[2].startswith(writing)} == {
        "s3:PutObject",  # into the uploads
        "sqs:DeleteMessage",  # the new uploads
    }
    written = {
        resource
        for each in _policies(NAME)[TOKENS]
        for resource in each.resources
        if any(action.partition(":")[2].startswith(writing) for action in each.actions)
    }
    assert written == {f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{NAME}-AccessTable-*"}
    moving = {action for each in _policies(NAME)[MOVE] for action in each.actions}
    assert not [action for action in moving if "Delete" in action or "Send" in action]
    replaying = {action for each in _policies(NAME)[REPLAY] for action in each.actions}
    assert {action for action in replaying if "Delete" in action or "Send" in action} == {
        "dynamodb:DeleteTable"
    }
    assert "*" not in "".join(actions | moving | replaying)


# The commands


@dataclass(frozen=True)
class _Watched(Statement):
    """A statement that records the actions that used it."""

    used: set[str] = field(default_factory=set, compare=False)

    def covers(self, need: Need) -> bool:
        is_covered = super().covers(need)
        if is_covered:
            self.used.add(need.action)
        return is_covered


@dataclass(frozen=True)
class Holder:
    """A user with some of the policies, who runs commands."""

    statements: Sequence[_Watched]
    environment: Mapping[str, str | None]
    folder: Path
    commands: set[str] = field(default_factory=set)

    def run(self, *arguments: str) -> Result:
        """Run a command against the stack as if it were AWS."""
        self.commands.add(arguments[0])
        boto3.setup_default_session()  # it keeps the credentials of its first caller
        return CliRunner().invoke(main, arguments, env=self.environment, prog_name="ginuri")

    def may(self, *arguments: str) -> str:
        """Run a command that succeeds, and return its output."""
        ran = self.run(*arguments)
        assert ran.exit_code == 0, ran.output
        return ran.stdout

    def write(self, name: str, content: str) -> str:
        """Write a file to upload."""
        path = self.folder / name
        path.write_text(content, encoding="utf-8")
        return str(path)

    def unused(self) -> set[str]:
        """Return the actions of the policies that no command needed."""
        return {action for each in self.statements for action in each.actions if action not in each.used}


Hold = Callable[..., Holder]


@pytest.fixture(scope="module")
def registry(empty_stack: Stack) -> Stack:
    """A stack in which two name authorities and a resource type are registered."""
    lines = [
        {"record": "scheme", "identifier": "uri-gin/", "title": "uri-gin"},
        {"record": "authority", "identifier": "uri-gin/azgs/", "title": "AZGS"},
        {"record": "authority", "identifier": "uri-gin/usgin/", "title": "USGIN"},
    ]
    types = [{"record": "resource-type", "identifier": f"{FOLDER}doc/map/", "title": "Map"}]
    for key, registered in (("_host/all.jsonl", lines), (f"{FOLDER}types.jsonl", types)):
        report = upload(empty_stack, key, "".join(f"{json.dumps(line)}\n" for line in registered).encode())
        assert report["counts"]["refused"] == 0
    return empty_stack


@pytest.fixture
def stack_name(registry: Stack) -> str:
    """Return the name of the stack, which is part of the names of the buckets."""
    return registry.uploads_bucket.partition("-uploads-")[0]


@pytest.fixture
def hold(registry: Stack, stack_name: str, tmp_path: Path) -> Iterator[Hold]:
    """Return a user with the named policies."""

    def given_to(*names: str) -> Holder:
        policies, key = _policies(stack_name), f"holder-of-{len(names)}-{tmp_path.name}"
        statements = [
            _Watched(each.allows, each.actions, each.resources, each.listed)
            for name in names
            for each in policies[name]
        ]
        registry.guard.admit(key, statements)
        environment = {
            "AWS_ENDPOINT_URL": registry.endpoint,
            "AWS_ACCESS_KEY_ID": key,
            "AWS_SECRET_ACCESS_KEY": "never checked",
            "AWS_SESSION_TOKEN": None,
            "AWS_PROFILE": None,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "GINURI_STACK": stack_name,
        }
        return Holder(statements, environment, tmp_path)

    yield given_to
    boto3.setup_default_session()


def test_every_resource_in_the_policies_exists(registry: Stack, stack_name: str) -> None:
    arns = set(_arns(registry, stack_name))
    for policy in _policies(stack_name, folder="").values():
        for pattern in {pattern for each in policy for pattern in each.resources}:
            assert [arn for arn in arns if fnmatchcase(arn, pattern)], pattern


def _arns(registry: Stack, name: str) -> Iterator[str]:
    of_kind = registry.resources.of_kind
    yield f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/{name}/any"
    for bucket in of_kind("AWS::S3::Bucket"):
        yield from (f"arn:aws:s3:::{bucket.physical_id}{key}" for key in ("", "/any/key"))
    for table in of_kind("AWS::DynamoDB::Table"):
        arn = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table.physical_id}"
        yield from (arn, f"{arn}/index/members", f"{arn}-drill")
    for queue in of_kind("AWS::SQS::Queue"):
        yield f"arn:aws:sqs:{REGION}:{ACCOUNT}:{queue.physical_id.rpartition('/')[2]}"
    for source in of_kind("AWS::Lambda::EventSourceMapping"):
        yield f"arn:aws:lambda:{REGION}:{ACCOUNT}:event-source-mapping:{source.physical_id}"
    for distribution in of_kind("AWS::CloudFront::Distribution"):
        yield f"arn:aws:cloudfront::{ACCOUNT}:distribution/{distribution.physical_id}"


def test_the_policy_for_uploading_allows_uploads_and_reading_reports(hold: Hold) -> None:
    steward = hold(UPLOAD)
    file = steward.write("maps.csv", f"identifier,title\n{FOLDER}doc/map/M2/,A map\n")

    steward.may("upload", file, "--under", FOLDER, "--dry-run")
    told = steward.may("upload", file, "--under", FOLDER, "--yes")
    steward.may("schemes", "show", "doi")
    stored = steward.may("upload", steward.write("map.pdf", "%PDF-1"), "--as", DOCUMENT, "--yes")

    assert "1 registered" in told
    assert "1 registered" in stored
    assert (steward.commands, steward.unused()) == (COMMANDS[UPLOAD], set())


def test_the_policy_for_history_allows_reading_and_undoing(
    hold: Hold, registry: Stack, tmp_path: Path
) -> None:
    steward = hold(UPLOAD, LOOK_BACK)
    old, new = "https://old.example/", "https://new.example/"
    rows = "".join(f"{FOLDER}doc/map/L{number},L,{old}{number}\n" for number in range(3))
    steward.may(
        "upload", steward.write("led.csv", f"identifier,title,location\n{rows}"), "--under", FOLDER, "--yes"
    )
    for content in ("%PDF-1", "%PDF-2"):
        steward.may("upload", steward.write("map.pdf", content), "--as", f"{DOCUMENT}2", "--yes")
    tested = {"identifier": f"{FOLDER}doc/map/T", "title": "T", "location": old, "tests": [{"status": 302}]}
    steward.may("upload", steward.write("tested.jsonl", json.dumps(tested)), "--under", FOLDER, "--yes")

    assert "1 passed" in steward.may("verify", "--tests", "--under", FOLDER, "--against", registry.service)
    # Stored files have no rewrite rules, so that it exits with 1.
    rewriting = steward.run("export", "--under", FOLDER, "--format", "apache", "--since", "2011-08-25")
    assert f'{FOLDER}doc/map/T[? ]"' in rewriting.stdout
    steward.may("report", f"{FOLDER}led.csv")
    assert "There are no refused rows" in steward.run("refused", f"{FOLDER}led.csv").stderr
    _forget_summaries(registry, "led.csv")
    moved = _move_in(registry, "moved.csv")
    handed_in = [
        json.loads(line) for line in steward.may("uploads", "--under", FOLDER, "--json").splitlines()
    ]
    changing = next(each for each in handed_in if (each["counts"] or {}).get("changed"))
    history = steward.may("history", f"{FOLDER}doc/map/L1", "--at", "2999-01-01")
    steward.may("rollback", f"{changing['key']}#{changing['version']}", "--yes", "--many")
    steward.may("relocate", "--from", old, "--to", new, "--under", FOLDER, "--yes", "--many")
    assert "No hosts are registered." in steward.may("hosts")
    steward.may("export", "--under", FOLDER, "--output", str(tmp_path / "azgs.jsonl"))
    steward.may("export", "--under", FOLDER, "--to", str(tmp_path / "taken"), "--files")

    assert moved.key in {each["key"] for each in handed_in}
    assert old in history
    assert new in (tmp_path / "azgs.jsonl").read_text()
    assert (tmp_path / "taken" / f"{DOCUMENT}2").read_text() == "%PDF-1"
    assert (steward.commands, steward.unused()) == (COMMANDS[LOOK_BACK], set())


def _move_in(registry: Stack, name: str) -> UploadedFile:
    """Add an upload that was moved in from another registry."""
    moved = UploadedFile(f"{FOLDER}{name}", "v1", "2011-08-25T17:00:00.000Z", 0, EMPTY, {})
    S3UploadArchive(lambda: registry.client("s3"), registry.archive_bucket).add(moved, [])
    return moved


def _forget_summaries(registry: Stack, name: str) -> None:
    """Show the uploads of a file in their state before their reports exist."""
    s3, bucket = registry.client("s3"), registry.reports_bucket
    listed = s3.list_objects_v2(Bucket=bucket, Prefix=f"{FOLDER}{name}/")["Contents"]
    for key in (each["Key"] for each in listed if each["Key"].endswith(".summary.json")):
        s3.delete_object(Bucket=bucket, Key=key)


def test_the_policy_for_plans_allows_plans_and_with_that_for_uploads_applying(
    hold: Hold, tmp_path: Path
) -> None:
    reader, steward = hold(PLAN), hold(UPLOAD, PLAN)
    folder = tmp_path / "files" / FOLDER
    folder.mkdir(parents=True)
    file = {"part": "a.pdf", "file": "a.pdf"}
    row = {"identifier": f"{FOLDER}doc/map/P1/", "title": "P", "representations": [file]}
    (folder / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    files = str(tmp_path / "files")

    for content in ("%PDF-1", "%PDF-2"):
        (folder / "a.pdf").write_text(content, encoding="utf-8")
        planned = reader.may("apply", files, "--plan", "--snapshot", f"{FOLDER}doc/map/P1/")
        steward.may("apply", files, "--yes")

        assert f"stored first: {FOLDER}a.pdf" in planned
        assert "There is nothing to change." in reader.may("apply", files, "--plan")
    # Only a clock that is behind that of S3 asks for an older version.
    assert (reader.commands, reader.unused()) == (COMMANDS[PLAN], {"s3:GetObjectVersion"})


def test_the_policy_for_redriving_allows_redriving(hold: Hold, registry: Stack) -> None:
    operator, body = hold(REDRIVE), '{"Event": "s3:TestEvent"}'
    registry.client("sqs").send_message(QueueUrl=registry.dead_letter_queue, MessageBody=body)

    waiting = operator.may("redrive", "--dry-run", "--json")
    redriven = operator.may("redrive", "--json")

    assert json.loads(waiting)["message"] == json.loads(redriven)["message"] == body
    assert (operator.commands, operator.unused()) == (COMMANDS[REDRIVE], set())


def test_the_policy_for_moving_allows_moving_and_comparing(
    hold: Hold, registry: Stack, stack_name: str, tmp_path: Path
) -> None:
    operator, folder, stack = hold(MOVE), tmp_path / "folder", f"stack:{stack_name}"
    operator.may("move", stack, str(folder))
    with closing(Database(folder)) as database:
        steward = FolderSteward(database)
        steward.put(f"{FOLDER}moving.pdf", b"%PDF")
        rows = f"identifier,title,file\n{FOLDER}doc/map/moving,A map,moving.pdf\n"
        steward.put(f"{FOLDER}moving.csv", rows)
        archive = S3UploadArchive(lambda: registry.client("s3"), registry.archive_bucket)
        archive.write_note(
            Settings(database).identity()
        )  # as if a move from this folder had been interrupted

    moved = operator.may("move", str(folder), stack)

    assert "stored files: 1 written" in re.sub(r"\d+ read, ", "", moved)
    assert operator.may("diff", "--history", str(folder), stack) == ""
    with httpx.Client() as client:
        answer = client.get(f"{registry.service}/{FOLDER}doc/map/moving", follow_redirects=True)
    assert answer.content == b"%PDF"
    assert (operator.commands, operator.unused()) == (COMMANDS[MOVE], set())


def test_the_policy_for_replaying_allows_a_drill(hold: Hold, registry: Stack) -> None:
    operator = hold(REPLAY)
    _move_in(registry, "replayed.csv")

    result = json.loads(operator.may("replay", "--drill", "--json").splitlines()[-1])

    assert result["recovered"] == result["statements"] > 0
    # Only a replay into the table in use pauses ingest, empties the edge, and stores what is missing.
    # There are no rules here, which are checked together with the records that they depend on.
    assert operator.commands == COMMANDS[REPLAY]
    assert operator.unused() == {
        "cloudfront:CreateInvalidation",
        "dynamodb:ConditionCheckItem",
        "lambda:GetEventSourceMapping",
        "lambda:UpdateEventSourceMapping",
        "s3:PutObject",
    }


def test_the_policy_for_tokens_allows_creating_listing_and_revoking_them(hold: Hold, registry: Stack) -> None:
    operator = hold(TOKENS)
    granted = {"record": "grant", "identifier": FOLDER, "to": "jane@example.org", "may": ["read", "register"]}
    assert upload(registry, "_host/grants.jsonl", json.dumps(granted).encode())["counts"]["registered"] == 1

    secret = operator.may("token", "create", "--for", "jane@example.org", "--folder", FOLDER).splitlines()[0]
    listed = operator.may("token", "list", "--log")
    operator.may("token", "revoke", secret)

    assert "arn:aws:" in listed
    assert (operator.commands, operator.unused()) == (COMMANDS[TOKENS], set())


def test_the_policies_for_a_folder_allow_nothing_in_another(hold: Hold, registry: Stack) -> None:
    steward, other = hold(UPLOAD, LOOK_BACK), "uri-gin/usgin/"
    file = steward.write("maps.csv", f"identifier,title\n{other}doc/map/M2/,A map\n")

    refused = [
        steward.run("upload", file, "--under", other, "--yes"),
        steward.run("upload", file, "--as", f"{other}map.csv", "--yes"),
        steward.run("uploads", "--under", other),
        steward.run("uploads"),
        steward.run("redrive", "--dry-run"),
    ]

    assert {each.exit_code for each in refused} == {2}
    assert all("AccessDenied" in each.stderr for each in refused)
    listed = registry.client("s3").list_objects_v2(Bucket=registry.uploads_bucket, Prefix=other)
    assert listed["KeyCount"] == 0


@pytest.mark.parametrize("names", [(), (LOOK_BACK,)])
def test_a_user_without_permission_to_find_the_stack_gets_advice(hold: Hold, names: Sequence[str]) -> None:
    refused = hold(*names).run("uploads", "--under", FOLDER)

    assert refused.exit_code == 2
    assert "cloudformation:DescribeStacks" in refused.stderr
