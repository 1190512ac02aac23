"""The bench measures the right work: its stub answers like DynamoDB, and calls are counted, never timed."""

from __future__ import annotations

import io
import json
import ssl
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import SSLError
from botocore.httpsession import DEFAULT_CA_BUNDLE
from moto import mock_aws

from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.registry.model import Resource
from infra.bench import mix
from infra.bench.__main__ import exit_code, main
from infra.bench.cases import Limit
from infra.bench.figures import Figure
from infra.bench.machine import describe_machine
from infra.bench.records import (
    ADDRESSES,
    REGISTRY,
    UNDER,
    address_item,
    change,
    registered,
    registry_item,
    unregistered,
)
from infra.bench.table import write_table
from infra.bench.workers.certificates import make_certificates
from infra.bench.workers.own_process import memory
from infra.bench.workers.processes import GATEWAY, Stub, replay, running_stub
from infra.bench.workers.stub import HOST
from tests.aws import new_table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_KNOWN = ("uri-gin/", "uri-gin/azgs/", "uri-gin/azgs/doc/", UNDER, registered(0))
_ASKED = "identifier, body, modified"


@pytest.fixture
def stub() -> Iterator[Stub]:
    with running_stub() as running:
        yield running


@pytest.fixture
def dynamodb() -> Iterator[DynamoDBClient]:
    with mock_aws():
        client = _client(None)
        for table in (REGISTRY, ADDRESSES):
            new_table(client, table)
        for name in _KNOWN:
            DynamoRegistry(client, REGISTRY).write(change(name))
        client.put_item(TableName=ADDRESSES, Item=dict(address_item(registered(0)) or {}))
        yield client


@pytest.fixture(scope="module")
def tiny_run() -> dict[str, Any]:
    tiny = ("--starts", "1", "--batches", "1", "--requests", "4", "--warming", "2")
    with redirect_stdout(io.StringIO()) as told:
        assert main([*tiny, "--json"]) == 0
    run: dict[str, Any] = json.loads(told.getvalue())
    return run


@pytest.mark.parametrize("name", [registered(0), UNDER, unregistered(0)])
@pytest.mark.parametrize("asked", [{}, {"ProjectionExpression": _ASKED}])
def test_the_stub_answers_a_get_as_dynamodb_does(
    stub: Stub, dynamodb: DynamoDBClient, name: str, asked: dict[str, str]
) -> None:
    wanted: dict[str, Any] = {"TableName": REGISTRY, "Key": _key(name), **asked}

    assert _without_metadata(_client(stub).get_item(**wanted)) == _without_metadata(
        dynamodb.get_item(**wanted)
    )


def test_the_stub_answers_the_bare_handler_as_dynamodb_does(stub: Stub, dynamodb: DynamoDBClient) -> None:
    wanted: dict[str, Any] = {"TableName": ADDRESSES, "Key": _key(registered(0))}

    answer = _without_metadata(_client(stub).get_item(**wanted))

    assert answer == _without_metadata(dynamodb.get_item(**wanted))
    assert answer["Item"]["location"]["S"].startswith("https://")


def test_the_stub_answers_a_batch_as_dynamodb_does(stub: Stub, dynamodb: DynamoDBClient) -> None:
    keys = [_key(name) for name in (*_KNOWN, unregistered(0))]
    wanted: dict[str, Any] = {"RequestItems": {REGISTRY: {"Keys": keys, "ProjectionExpression": _ASKED}}}

    answers = [_without_metadata(client.batch_get_item(**wanted)) for client in (_client(stub), dynamodb)]

    for each in answers:
        each["Responses"][REGISTRY].sort(key=lambda item: item["identifier"]["S"])
    assert answers[0] == answers[1]


def test_the_stubs_item_reads_as_a_map_with_three_representations(stub: Stub) -> None:
    found = DynamoReader(_client(stub), REGISTRY).fetch([registered(7), unregistered(7)])

    assert list(found) == [registered(7)]
    record = found[registered(7)]
    assert isinstance(record, Resource)
    assert len(record.representations) == 3


def test_the_stub_counts_every_call(stub: Stub) -> None:
    client = _client(stub)

    for _ in range(3):
        client.get_item(TableName=REGISTRY, Key=_key(registered(0)))

    assert stub.calls() == 3


def test_the_stub_refuses_unknown_operations(stub: Stub) -> None:
    client = _client(stub)

    with pytest.raises(client.exceptions.ClientError, match="UnknownOperation"):
        client.delete_item(TableName=REGISTRY, Key=_key(registered(0)))


def test_the_stub_answers_over_tls_to_clients_that_trust_its_authority(tmp_path: Path) -> None:
    certificates = make_certificates(tmp_path, HOST)

    with running_stub(certificates) as secure:
        client, distrustful = _client(secure), _client(secure, verify=DEFAULT_CA_BUNDLE)
        found = client.get_item(TableName=REGISTRY, Key=_key(registered(0)))

        assert _without_metadata(found) == {"Item": registry_item(registered(0))}
        with pytest.raises(SSLError, match="certificate verify failed"):
            distrustful.get_item(TableName=REGISTRY, Key=_key(registered(0)))
        assert secure.counts() == {"GetItem": 1}


def test_a_client_over_tls_reads_a_full_list_of_certificates(tmp_path: Path) -> None:
    context = ssl.create_default_context(cafile=make_certificates(tmp_path, HOST).authorities)

    assert len(context.get_ca_certs()) > 100


def test_the_mix_is_a_hundred_requests_with_the_expected_answers(stub: Stub) -> None:
    answers, _ = replay(GATEWAY, [mix.request(number) for number in range(100)], stub)

    assert sum(share.requests for share in mix.SHARES.values()) == 100
    assert [answer["statusCode"] for answer in answers] == [mix.status(number) for number in range(100)]


def test_a_run_has_every_figure_and_the_machine(tiny_run: dict[str, Any]) -> None:
    names = [figure["name"] for figure in tiny_run["figures"]]

    assert names == [
        *(
            "cold, CPU",
            "cold, wall",
            "cold, TLS, CPU",
            "cold, TLS, wall",
            "404 page, cold, CPU",
            "404 page, cold, wall",
            "hit",
            "part",
            "memory",
            "miss",
            "rule",
            "worst rules",
            "hit, TLS",
            *(("resident memory", "resident memory, TLS") if memory("VmRSS") else ()),
            "mix",
        ),
        *(f"{each}, cold, {time}" for each in ("page", "JSON-LD", "Turtle") for time in ("CPU", "wall")),
        *("page", "JSON-LD", "Turtle"),
    ]
    assert all(figure[each] > 0 for figure in tiny_run["figures"] for each in ("bare", "ours", "ratio"))
    assert set(tiny_run["machine"]) == {"processor", "cores", "system", "python", "botocore"}


def test_a_hit_takes_one_call_and_a_remembered_one_none(tiny_run: dict[str, Any]) -> None:
    calls = {figure["name"]: figure["calls"] for figure in tiny_run["figures"]}

    assert (calls["cold, CPU"], calls["hit"], calls["part"], calls["memory"]) == (1, 1, 1, 0)
    assert (calls["cold, TLS, CPU"], calls["hit, TLS"]) == (1, 1)
    assert calls["miss"] <= 2
    assert max(calls[each] for each in ("page", "JSON-LD", "Turtle")) <= 3


def test_the_table_names_the_machine_and_the_limits() -> None:
    figure = Figure("hit", "µs", bare=100, ours=120, ratio=1.2, calls=1, limit=Limit(1.25, 1))

    machine, _, headings, _, row = write_table(describe_machine(), [figure]).splitlines()
    hit = [cell.strip() for cell in row.strip("|").split("|")]
    assert " cores, " in machine
    assert [word for word in headings.split() if word != "|"] == [
        *("bare", "ours", "unit", "ratio", "limit"),
        *("calls", "limit"),
    ]
    assert (hit[0], hit[3], hit[5], hit[6], hit[7]) == ("hit", "µs", "1.25", "1", "1")


@pytest.mark.parametrize(("strict", "code"), [(False, 0), (True, 1)])
def test_a_missed_limit_fails_only_a_strict_run(strict: bool, code: int) -> None:  # noqa: FBT001  a row
    slow = Figure("hit", "µs", bare=100, ours=130, ratio=1.3, calls=1, limit=Limit(1.25, 1))

    assert exit_code([slow], strict=strict) == code


@pytest.mark.parametrize(
    ("ratio", "calls", "holds"), [(1.25, 1, True), (1.26, 1, False), (1.0, 1.5, False), (1.0, None, True)]
)
def test_a_limit_is_on_time_or_calls(ratio: float, calls: float | None, holds: bool) -> None:  # noqa: FBT001  a row
    figure = Figure("hit", "µs", bare=100, ours=100 * ratio, ratio=ratio, calls=calls, limit=Limit(1.25, 1))

    assert figure.holds is holds


@pytest.mark.parametrize(("mebibytes", "holds"), [(35, True), (35.1, False)])
def test_a_limit_may_be_on_the_figure_itself(mebibytes: float, holds: bool) -> None:  # noqa: FBT001  a row
    figure = Figure(
        "resident memory", "MiB", bare=44, ours=mebibytes, ratio=0.8, calls=None, limit=Limit(None, most=35)
    )

    assert figure.holds is holds
    assert "| 35 MiB |" in write_table(describe_machine(), [figure])


def _client(stub: Stub | None, verify: str | Path | None = None) -> DynamoDBClient:
    return boto3.client(
        "dynamodb",
        endpoint_url=stub.endpoint if stub else None,
        verify=str(verify or (stub and stub.authorities) or "") or None,
        region_name="us-west-2",
        aws_access_key_id="testing",
        aws_secret_access_key="testing",  # noqa: S106  nobody checks it
    )


def _key(name: str) -> dict[str, Any]:
    return {"identifier": {"S": name}, "version": {"S": "now"}}


def _without_metadata(answer: Any) -> dict[str, Any]:
    # moto returns the consumed capacity in every answer; DynamoDB only on request.
    metadata = {"ResponseMetadata", "ConsumedCapacity"}
    return {name: value for name, value in answer.items() if name not in metadata}
