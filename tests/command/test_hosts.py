"""`ginuri hosts`: the registered hosts that the edge does not serve yet, and the next steps."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from ginuri.cli.registry.hosts import MOST_HOSTS, match_hosts
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from infra.local.aws.clients import Account
from tests.command.conftest import Kept

DAY = "2024-01-01"
PURL, GIN = "//purl.example.org/", "uri-gin/"


@pytest.fixture
def registered(kept: Kept) -> Kept:
    """Return a host of PURLs, and a scheme that trusts two hosts."""
    kept.state(DAY, PURL, record="host", title="PURLs")
    kept.state(
        DAY, GIN, record="scheme", title="URIs", trusted_hosts=["resources.example.org", "purl.example.org"]
    )
    kept.state(DAY, "uri-gin/azgs/doc/a", title="No host")
    return kept


def _deployed(kept: Kept, account: Account, *hosts: str) -> Kept:
    """Return the same table as a stack in AWS, with these hosts for its edge."""
    local = json.loads(Path(kept.environment[LOCAL_STACK_VARIABLE]).read_text(encoding="utf-8"))
    name = f"ginuri-{uuid.uuid4()}"
    outputs = {"RegistryTable": local["registry_table"], "EdgeDomain": "d111.cloudfront.net"}
    # moto describes a CommaDelimitedList in Python's notation; AWS returns the text.
    template = {
        "Parameters": {"HostNames": {"Type": "String"}},
        "Resources": {"AlarmTopic": {"Type": "AWS::SNS::Topic"}},
        "Outputs": {output: {"Value": value} for output, value in outputs.items()},
    }
    account.client("cloudformation").create_stack(
        StackName=name,
        TemplateBody=json.dumps(template),
        Parameters=[{"ParameterKey": "HostNames", "ParameterValue": ",".join(hosts) or "none"}],
    )
    environment = {
        "GINURI_STACK": name,
        "AWS_ENDPOINT_URL": account.endpoint,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    return replace(kept, environment=environment)


def test_without_an_edge_hosts_prints_every_missing_host_and_the_steps(registered: Kept) -> None:
    result = registered.run("hosts")

    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert lines[:2] == [
        "purl.example.org  not served yet  (//purl.example.org/ + 1)",
        "resources.example.org  not served yet  (uri-gin/)",
    ]
    assert lines[3] == "2 hosts for the edge:"
    assert "--region us-east-1" in lines[4]
    assert lines[4].endswith(
        "--domain-name purl.example.org --subject-alternative-names resources.example.org"
    )
    assert "HostNames=purl.example.org,resources.example.org CertificateArn=" in lines[5]
    assert "the output EdgeDomain of the stack" in lines[6]


def test_hosts_prints_the_same_as_json(registered: Kept) -> None:
    result = registered.run("hosts", "--json")

    document = json.loads(result.stdout)
    assert result.exit_code == 1
    assert document["edge"] is None
    assert document["host_names"] == ["purl.example.org", "resources.example.org"]
    assert document["hosts"][0] == {
        "host": "purl.example.org",
        "served": False,
        "public": True,
        "named_by": [PURL, GIN],
    }


def test_hosts_lists_the_served_hosts_and_the_ones_to_add(registered: Kept, account: Account) -> None:
    deployed = _deployed(registered, account, "resources.example.org")

    result = deployed.run("hosts")

    assert result.exit_code == 1
    assert "resources.example.org  served  (uri-gin/)" in result.stdout
    assert "HostNames=resources.example.org,purl.example.org " in result.stdout
    assert "Lead them to d111.cloudfront.net in DNS" in result.stdout


def test_hosts_served_by_the_edge_need_no_steps(registered: Kept, account: Account) -> None:
    deployed = _deployed(registered, account, "*.example.org", "other.example.net")

    result = deployed.run("hosts")
    document = json.loads(deployed.run("hosts", "--json").stdout)

    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 2
    assert document["unregistered"] == ["other.example.net"]
    assert document["edge"] == "d111.cloudfront.net"


def test_a_wildcard_covers_one_label() -> None:
    hosts = [("//a.example.org/", {"record": "host"}), ("//b.a.example.org/", {"record": "host"})]

    assert [host.is_served for host in match_hosts(hosts, ["*.example.org"])] == [True, False]


def test_a_host_that_another_one_answers_for_needs_no_edge() -> None:
    assert not match_hosts([(PURL, {"record": "host", "answered_by": "other.example"})], [])


def test_the_edge_does_not_serve_a_name_with_a_port(kept: Kept) -> None:
    kept.state(DAY, "//localhost:8000/", record="host", title="Here")

    result = kept.run("hosts")

    assert result.exit_code == 1
    assert "An edge cannot answer on localhost:8000: it takes public names without a port." in result.stdout
    assert "certificate" not in result.stdout


def test_more_hosts_than_an_edge_allows_need_a_higher_quota(kept: Kept) -> None:
    hosts = [f"h{number}.example.org" for number in range(MOST_HOSTS + 1)]
    kept.state(DAY, GIN, record="scheme", title="URIs", trusted_hosts=hosts)

    lines = kept.run("hosts").stdout.splitlines()

    assert lines[-1].startswith("An edge takes 100 hosts.")


def test_without_registered_hosts_no_steps_are_needed(kept: Kept) -> None:
    result = kept.run("hosts")

    assert (result.exit_code, result.stdout) == (0, "No hosts are registered.\n")
