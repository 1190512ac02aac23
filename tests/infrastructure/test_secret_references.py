"""References to secrets are replaced as CloudFormation does it, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from moto import mock_aws

from infra.local.aws.clients import Account
from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.secret_references import resolve


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


def test_a_text_without_a_reference_stays(account: Account) -> None:
    assert resolve(account, "{{resolve}} ${X}") == "{{resolve}} ${X}"


@pytest.mark.parametrize(
    "reference",
    [
        "ssm:parameter",
        "secretsmanager:ginuri-EdgeSecret-1:SecretString:key",
        "secretsmanager:",
        "ssm-secure:x:1",
    ],
)
def test_any_other_reference_is_refused(account: Account, reference: str) -> None:
    with pytest.raises(TemplateRefused, match="only references to a whole secret"):
        resolve(account, f"{{{{resolve:{reference}}}}}")
