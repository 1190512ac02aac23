"""The stack that a command works on: one deployed to AWS, or the local one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session as BotocoreSession

from ginuri.aws.dynamodb.archive import DynamoArchive
from ginuri.cli.failures import explain_failure
from ginuri.cli.terminal import fault, localize
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words, message
from ginuri.identifiers.service_paths import report_path

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

LOCAL_STACK_VARIABLE = "GINURI_LOCAL_STACK"
"""The environment variable with the file of a local stack, if it is not the default one."""
_OUTPUTS = {
    "service": "ServiceUrl",
    "uploads_bucket": "UploadsBucket",
    "reports_bucket": "ReportsBucket",
    "content_bucket": "ContentBucket",
    "registry_table": "RegistryTable",
    "ingest_queue": "IngestQueue",
    "dead_letter_queue": "IngestDeadLetterQueue",
}
"""The outputs of `template.yaml`, by their names in the file of a local stack."""
_ACCESS = {
    "endpoint_url": "endpoint",
    "region_name": "region",
    "aws_access_key_id": "access_key",
    "aws_secret_access_key": "secret_key",
}
"""The arguments of a client of the local stack."""
_PROFILE, _REGION = "profile_name", "region_name"
"""The arguments of a session that options of the command state, and their names in click's context."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


def stack_option(command: _Command) -> _Command:
    """Add the options that name a stack. Of a profile and a region `find_stack` asks click itself."""
    options = (
        click.option(
            "--stack",
            "name",
            envvar="GINURI_STACK",
            show_envvar=True,
            help="A stack in AWS; without it, the one that runs here.",
        ),
        _session_option(
            "--profile", _PROFILE, ["AWS_PROFILE"], "With --stack: the profile of the AWS command line."
        ),
        _session_option(
            "--region", _REGION, ["AWS_REGION", "AWS_DEFAULT_REGION"], "With --stack: its region."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _session_option(
    flag: str, argument: str, variables: Sequence[str], words: str
) -> Callable[[_Command], _Command]:
    def keep(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
        if value:
            context.meta[argument] = value

    return click.option(
        flag, argument, envvar=variables, show_envvar=True, help=words, callback=keep, expose_value=False
    )


def _local_session() -> boto3.Session:
    # Without the user's own profile, which may be missing, or lead elsewhere.
    return boto3.Session(botocore_session=BotocoreSession({"profile": (None, [], None, None)}))


@dataclass(frozen=True)
class Stack:
    """A stack, and the addresses of its parts."""

    name: str
    """Its name in messages."""
    outputs: Mapping[str, str]
    is_local: bool
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The values of the template's parameters; the local stack has their defaults."""
    session: boto3.Session = field(default_factory=_local_session, repr=False)

    def output(self, name: str) -> str:
        """Look up an output of the stack. Raises CommandFailed if it has none of that name."""
        try:
            return self.outputs[name]
        except KeyError:
            wrong = message(
                "{stack} is not a stack of ginuri: it has no output {output}.", stack=self.name, output=name
            )
            raise fault(wrong) from None

    def client(self, service: str) -> Any:  # noqa: ANN401  boto3 has a type for each literal name only
        """Make a client of one of its services."""
        access = {name: self.output(output) for name, output in _ACCESS.items()} if self.is_local else {}
        return self.session.client(service, **access)  # type: ignore[call-overload]

    @cached_property
    def s3(self) -> S3Client:
        """The client of its buckets."""
        client: S3Client = self.client("s3")
        return client

    @property
    def uploads_bucket(self) -> str:
        """The bucket for uploads."""
        return self.output("UploadsBucket")

    @property
    def reports_bucket(self) -> str:
        """The bucket with the reports."""
        return self.output("ReportsBucket")

    def report_address(self, key: str) -> str:
        """Write the address of an object in the reports bucket: on the web, or in S3 for a stack in AWS."""
        if self.is_local:
            return f"{self.output('ServiceUrl')}{report_path(key)}"
        return f"s3://{self.reports_bucket}/{key}"


def find_stack(name: str | None) -> Stack:
    """Find the stack of that name in AWS; without a name, the local one.

    Raises CommandFailed if there is none.
    """
    if name:
        with explaining_failures(message("The stack {name} cannot be found", name=name)):
            return _find_in_aws(name)
    file = Path(os.environ.get(LOCAL_STACK_VARIABLE) or Path(sys.prefix) / "ginuri-local-stack.json")
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
        outputs = {_OUTPUTS.get(key, key): value for key, value in values.items()}
        title = localize(message("the local stack at {address}", address=values["service"]))
        return Stack(title, outputs, is_local=True)
    except FileNotFoundError:
        raise fault(
            message(
                "There is no stack. Start the local one with `make serve`, or name one in AWS with --stack "
                "or GINURI_STACK."
            )
        ) from None
    except (ValueError, KeyError, AttributeError) as error:
        raise fault(
            message(
                "{file} describes no running stack ({error}). Start it again with `make serve`.",
                file=str(file),
                error=str(error),
            )
        ) from error


def _find_in_aws(name: str) -> Stack:
    context = click.get_current_context(silent=True)
    stated = {} if context is None else context.meta
    session = boto3.Session(profile_name=stated.get(_PROFILE), region_name=stated.get(_REGION))
    try:
        described = session.client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]
    except ClientError as error:
        if "does not exist" not in str(error):
            raise
        raise fault(
            message(
                "There is no stack {name} in the region {region}. Name another one with --stack or "
                "GINURI_STACK, or another region with --region or AWS_REGION.",
                name=name,
                region=session.region_name,
            )
        ) from error
    outputs = {output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", ())}
    parameters = {
        parameter["ParameterKey"]: parameter["ParameterValue"]
        for parameter in described.get("Parameters", ())
    }
    title = localize(message("the stack {name}", name=name))
    return Stack(title, outputs, is_local=False, parameters=parameters, session=session)


@contextmanager
def explaining_failures(failure: Words) -> Iterator[None]:
    """Raise CommandFailed with the remedy, if AWS refuses a call or cannot be reached."""
    try:
        yield
    except (ClientError, BotoCoreError, RegistryUnavailable) as error:
        raise fault(message("{failure}: {error}", failure=failure, error=explain_failure(error))) from error


@contextmanager
def open_archive(name: str | None) -> Iterator[DynamoArchive]:
    """Open the table of a stack with the permissions of the user: no function may read the history.

    Raises CommandFailed if there is none, or if it cannot be read.
    """
    with explaining_failures(message("The registry cannot be read")):
        stack = find_stack(name)
        yield DynamoArchive(stack.client("dynamodb"), stack.output("RegistryTable"))
