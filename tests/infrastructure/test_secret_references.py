"""References to secrets are replaced as in CloudFormation, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from moto import mock_aws

from infra.local.aws.clients import Account
from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.secret_references import resolve, resolve_all


@pytest.fixture
def account() -> Iterator[Account]:
    endpoint = "https://secretsmanager.us-east-1.amazonaws.com"
    with mock_aws(), closing(Account(endpoint)) as own:
        own.client("secretsmanager").create_secret(Name="ginuri-EdgeSecret-1", SecretString="a value")
        yield own


@pytest.mark.parametrize("rest", ["", ":SecretString", ":SecretString:::", "::::"])
def test_a_secret_is_found_by_its_name_and_by_its_arn(account: Account, rest: str) -> None:
    arn = account.client("secretsmanager").describe_secret(SecretId="ginuri-EdgeSecret-1")["ARN"]

    for named in ("ginuri-EdgeSecret-1", arn):
        reference = f"{{{{resolve:secretsmanager:{named}{rest}}}}}"
        assert resolve(account, f"<{reference}{reference}>") == "<a valuea value>"


def test_one_key_of_a_secret_is_found(account: Account) -> None:
    account.client("secretsmanager").create_secret(Name="keys", SecretString='{"one": "1", "two": "2"}')

    nested = {
        "a": ["{{resolve:secretsmanager:keys:SecretString:two}}", 3],
        "b": "{{resolve:secretsmanager:keys::one::}}",
    }

    assert resolve_all(account, nested) == {"a": ["2", 3], "b": "1"}


@pytest.mark.parametrize("name", ["keys", "ginuri-EdgeSecret-1"])
def test_a_key_that_is_not_in_the_secret_is_refused(account: Account, name: str) -> None:
    account.client("secretsmanager").create_secret(Name="keys", SecretString='{"one": "1"}')

    with pytest.raises(TemplateRefused, match="no such key"):
        resolve(account, f"{{{{resolve:secretsmanager:{name}:SecretString:two}}}}")


def test_a_text_without_a_reference_is_unchanged(account: Account) -> None:
    assert resolve(account, "{{resolve}} ${X}") == "{{resolve}} ${X}"


@pytest.mark.parametrize(
    "reference",
    [
        "ssm:parameter",
        "secretsmanager:ginuri-EdgeSecret-1:SecretBinary",
        "secretsmanager:ginuri-EdgeSecret-1:SecretString:key:AWSPREVIOUS",
        "secretsmanager:",
        "ssm-secure:x:1",
    ],
)
def test_any_other_reference_is_refused(account: Account, reference: str) -> None:
    with pytest.raises(TemplateRefused, match="only references to a secret that is current"):
        resolve(account, f"{{{{resolve:{reference}}}}}")
