"""Failures in AWS, or on the way to it, and the advice to the user."""

from __future__ import annotations

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    CredentialRetrievalError,
    EndpointConnectionError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
    ProfileNotFound,
    ProxyConnectionError,
    ReadTimeoutError,
    SSOTokenLoadError,
    TokenRetrievalError,
    UnauthorizedSSOTokenError,
)

from ginuri.aws.clients import unavailable
from ginuri.cli.failures import explain_failure
from ginuri.identifiers.errors import RegistryUnavailable

AWS, HERE = "https://sqs.nowhere-1.amazonaws.com/", "http://127.0.0.1:8001"


def _refusal(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "No."}}, "DescribeStacks")


FAILURES: list[tuple[Exception, str]] = [
    (NoRegionError(), "--region or AWS_REGION"),
    (NoCredentialsError(), "`aws configure`, or name a profile with --profile or AWS_PROFILE"),
    (PartialCredentialsError(provider="env", cred_var="secret"), "`aws configure`"),
    (ProfileNotFound(profile="work"), "`aws configure --profile work`"),
    (SSOTokenLoadError(profile_name="work", error_msg="none"), "`aws sso login`"),
    (UnauthorizedSSOTokenError(), "`aws sso login`"),
    (TokenRetrievalError(provider="sso", error_msg="none"), "`aws sso login`"),
    (CredentialRetrievalError(provider="process", error_msg="none"), "Sign in again"),
    (EndpointConnectionError(endpoint_url=AWS), "the region (--region or AWS_REGION)"),
    (ConnectTimeoutError(endpoint_url=AWS), "Check the network"),
    (ReadTimeoutError(endpoint_url=AWS), "Check the network"),
    (ProxyConnectionError(proxy_url="http://proxy.example:3128"), "the proxy"),
    (
        EndpointConnectionError(endpoint_url=f"{HERE}/uploads?versions"),
        f"Nothing answers at {HERE}. Start the local stack again",
    ),
    *((_refusal(code), "have expired") for code in ("ExpiredToken", "ExpiredTokenException")),
    *((_refusal(code), "Correct them") for code in ("InvalidClientTokenId", "UnrecognizedClientException")),
    *((_refusal(code), "Correct them") for code in ("InvalidAccessKeyId", "SignatureDoesNotMatch")),
    *((_refusal(code), "does not permit this") for code in ("AccessDenied", "AccessDeniedException", "403")),
    *((_refusal(code), "Try again in a minute") for code in ("Throttling", "SlowDown")),
]


@pytest.mark.parametrize(("error", "remedy"), FAILURES, ids=lambda value: repr(value)[:60])
def test_a_failure_is_explained_with_its_remedy(error: Exception, remedy: str) -> None:
    assert remedy in str(explain_failure(error))


@pytest.mark.parametrize("code", ["AccessDenied", "InvalidClientTokenId", "Throttling"])
def test_the_reason_of_a_refusal_by_aws_is_passed_on(code: str) -> None:
    assert str(_refusal(code)) in str(explain_failure(_refusal(code)))


@pytest.mark.parametrize("error", [_refusal("NoSuchBucket"), BotoCoreError()])
def test_a_failure_without_a_known_remedy_is_reported_in_awss_words(error: Exception) -> None:
    assert explain_failure(error) == str(error)


@pytest.mark.parametrize(("error", "remedy"), FAILURES[::4], ids=lambda value: repr(value)[:60])
def test_the_cause_of_an_unavailable_registry_is_explained(error: Exception, remedy: str) -> None:
    with pytest.raises(RegistryUnavailable) as caught, unavailable():
        raise error

    assert remedy in str(explain_failure(caught.value))


def test_an_unavailable_registry_without_a_known_cause_is_reported() -> None:
    assert str(explain_failure(RegistryUnavailable("busy"))) == "The registry did not answer: busy"
