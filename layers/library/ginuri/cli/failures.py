"""Failures in AWS, or on the way to it, in words that name the remedy."""

from __future__ import annotations

from urllib.parse import urlsplit

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionError,  # noqa: A004  botocore's name
    CredentialRetrievalError,
    HTTPClientError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
    ProfileNotFound,
    SSOError,
    TokenRetrievalError,
)

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.loopback import is_loopback
from ginuri.identifiers.messages import Message, Words, message, translatable

_REFUSALS = (
    (
        {"ExpiredToken", "ExpiredTokenException", "RequestExpired"},
        translatable(
            "The AWS credentials have expired. Sign in again, such as with `aws sso login`, or renew them "
            "with `aws configure`."
        ),
    ),
    (
        {
            "AuthFailure",
            "InvalidAccessKeyId",
            "InvalidClientTokenId",
            "SignatureDoesNotMatch",
            "UnrecognizedClientException",
        },
        translatable(
            "AWS does not accept these credentials ({error}). Correct them with `aws configure`, or name "
            "another profile with --profile or AWS_PROFILE."
        ),
    ),
    (
        {"403", "AccessDenied", "AccessDeniedException", "UnauthorizedOperation"},
        translatable(
            "AWS does not permit this ({error}). Name another profile with --profile or AWS_PROFILE, or ask "
            "the operator of the stack for the permission."
        ),
    ),
    (
        {
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "SlowDown",
            "Throttling",
            "ThrottlingException",
            "TooManyRequestsException",
        },
        translatable("AWS receives too many requests ({error}). Try again in a minute."),
    ),
)
"""The codes of refusals, and the remedy of each."""


def explain_failure(error: Exception) -> Words:  # noqa: PLR0911  one line a failure
    """Describe a failure and, if it is known, the remedy."""
    match error:
        case RegistryUnavailable():
            cause = error.__cause__
            return explain_failure(cause) if isinstance(cause, BotoCoreError | ClientError) else error.words
        case NoRegionError():
            return message(
                "No AWS region is set. Name one with --region or AWS_REGION, or run `aws configure`."
            )
        case NoCredentialsError() | PartialCredentialsError():
            return message(
                "No AWS credentials were found. Run `aws configure`, or name a profile with --profile or "
                "AWS_PROFILE."
            )
        case ProfileNotFound():
            return message(
                "There is no AWS profile {profile}. `aws configure list-profiles` lists them; name another "
                "one with --profile or AWS_PROFILE, or create it with `aws configure --profile {profile}`.",
                profile=error.kwargs["profile"],
            )
        case SSOError() | TokenRetrievalError() | CredentialRetrievalError():
            return message(
                "AWS credentials could not be retrieved ({error}). Sign in again, such as with `aws sso "
                "login`.",
                error=str(error),
            )
        case ConnectionError() | HTTPClientError():
            return _unreachable(error)
        case ClientError():
            return _refused(error)
        case _:
            return str(error)


def _unreachable(error: BotoCoreError) -> Words:
    address = urlsplit(error.kwargs.get("endpoint_url") or "")
    if is_loopback(address.hostname or ""):
        return message(
            "Nothing answers at {address}. Start the local stack again with `make serve`.",
            address=f"{address.scheme}://{address.netloc}",
        )
    return message(
        "AWS cannot be reached ({error}). Check the network, the proxy, and the region (--region or "
        "AWS_REGION).",
        error=str(error),
    )


def _refused(error: ClientError) -> Words:
    code, reason = error.response["Error"].get("Code", ""), str(error)
    remedies = (Message(template, {"error": reason}) for codes, template in _REFUSALS if code in codes)
    return next(remedies, reason)
