"""A stack in AWS, or the local one, which answers as AWS does."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, cast

import boto3
from botocore.exceptions import ClientError
from botocore.session import Session as BotocoreSession

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.access.operated_tokens import DynamoOperatedTokens
from ginuri.aws.dynamodb.archive import DynamoArchive
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.moved_uploads import S3MovedUploads
from ginuri.aws.object_streams import read_chunks
from ginuri.aws.reported_uploads import S3ReportedUploads
from ginuri.aws.s3 import S3Uploads
from ginuri.aws.sqs import SqsDeadLetters
from ginuri.aws.transfer import AwsParts, AwsTransfer
from ginuri.cli.access.operators import OperatorTokens
from ginuri.cli.failures import explain_failure
from ginuri.cli.next_steps import report_command
from ginuri.cli.ports import IngestReaders
from ginuri.cli.terminal import fault, localize
from ginuri.files.formats import stored_as
from ginuri.identifiers.messages import message
from ginuri.identifiers.service_paths import report_path
from ginuri.registry.content import UploadVersion
from ginuri.registry.model import StoredFile

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

    from ginuri.replay.ports import ReplayStack

_OUTPUTS = {
    "service": "ServiceUrl",
    "uploads_bucket": "UploadsBucket",
    "reports_bucket": "ReportsBucket",
    "archive_bucket": "ArchiveBucket",
    "content_bucket": "ContentBucket",
    "registry_table": "RegistryTable",
    "access_table": "AccessTable",
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
_NO_HOST = {"", "none"}
_WAIT_SECONDS = 1
"""With a wait time, SQS asks all of its servers, so that no message is overlooked; a local stack has one."""


def _local_session() -> boto3.Session:
    # The user's own profile is not used: it may be missing, or belong to another account.
    return boto3.Session(botocore_session=BotocoreSession({"profile": (None, [], None, None)}))


@dataclass(frozen=True)
class AwsStack:
    """A stack, and the addresses of its parts."""

    name: str
    outputs: Mapping[str, str]
    is_local: bool
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The values of the template's parameters; the local stack has their defaults."""
    session: boto3.Session = field(default_factory=_local_session, repr=False)

    explain = staticmethod(explain_failure)
    work = staticmethod(time.sleep)

    def output(self, name: str) -> str:
        """Look up an output of the stack. Raises CommandFailed if it has none of that name."""
        try:
            return self.outputs[name]
        except KeyError:
            raise fault(
                message(
                    "{stack} is not a stack of ginuri: it has no output {output}.",
                    stack=self.name,
                    output=name,
                )
            ) from None

    def client(self, service: str) -> Any:  # noqa: ANN401  boto3 has a type for each literal name only
        """Make a client of one of its services."""
        access = {name: self.output(output) for name, output in _ACCESS.items()} if self.is_local else {}
        return self.session.client(service, **access)  # type: ignore[call-overload]

    @cached_property
    def s3(self) -> S3Client:
        """The client of its buckets."""
        return cast("S3Client", self.client("s3"))

    @property
    def option(self) -> str:
        """Empty: GINURI_STACK names the stack."""
        return ""

    @property
    def has_ingest(self) -> bool:
        """True: a function processes the uploads."""
        return True

    @property
    def service(self) -> str:
        """The address of the service."""
        return self.output("ServiceUrl")

    @property
    def edge(self) -> str:
        """The domain of the edge; empty without one."""
        return self.outputs.get("EdgeDomain", "")

    @property
    def served_hosts(self) -> Sequence[str]:
        """The hosts that the edge answers on."""
        return [host for host in self.parameters.get("HostNames", "").split(",") if host not in _NO_HOST]

    @property
    def archive(self) -> DynamoArchive:
        """The table, read with the permissions of the user: no function may read all of it."""
        return DynamoArchive(self.client("dynamodb"), self.output("RegistryTable"))

    @property
    def readers(self) -> IngestReaders:
        """The table and the buckets, read with the permissions of the user."""
        dynamodb, table = self.client("dynamodb"), self.output("RegistryTable")
        files = S3Uploads(
            self.s3,
            uploads=self.output("UploadsBucket"),
            content=self.output("ContentBucket"),
            reports=self.output("ReportsBucket"),
        )
        return IngestReaders(
            DynamoRegistry(dynamodb, table),
            DynamoMemberLister(dynamodb, table),
            files,
            self.parameters.get("CanonicalHost", ""),
        )

    @cached_property
    def tokens(self) -> OperatorTokens:
        """The access tokens, in the name of the user."""
        dynamodb = self.client("dynamodb")
        store = DynamoOperatedTokens(dynamodb, self.output("AccessTable"))
        registry = DynamoRegistry(dynamodb, self.output("RegistryTable"))
        return OperatorTokens(store, registry, self._identify)

    def _identify(self) -> str:
        with unavailable():
            return str(self.client("sts").get_caller_identity()["Arn"])

    @property
    def dead_letters(self) -> SqsDeadLetters:
        """The dead-letter queue of the ingest queue."""
        ingest, dead_letters = self.output("IngestQueue"), self.output("IngestDeadLetterQueue")
        return SqsDeadLetters(self.client("sqs"), ingest, dead_letters, 0 if self.is_local else _WAIT_SECONDS)

    def put(self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str]) -> str:
        """Upload a file."""
        with unavailable():
            return self.s3.put_object(
                Bucket=self.output("UploadsBucket"), Key=key, Body=body, Metadata=metadata
            )["VersionId"]

    @property
    def whole(self) -> AwsTransfer:
        """The whole registry."""
        parts = AwsParts(
            self.name,
            self.output("RegistryTable"),
            self.output("UploadsBucket"),
            self.output("ArchiveBucket"),
            self.output("ContentBucket"),
            self.output("ReportsBucket"),
            self.output("IngestQueue"),
            {"canonical_host": host} if (host := self.parameters.get("CanonicalHost")) else {},
        )
        return AwsTransfer(parts, self.client("dynamodb"), self.s3, self.client("sqs"))

    @property
    def replaying(self) -> ReplayStack:
        """The parts with which uploads are processed once more."""
        from ginuri.cli.replays.aws_replay import AwsReplay

        return AwsReplay(self)

    @cached_property
    def _reported(self) -> S3ReportedUploads:
        archive = self.outputs.get(
            "ArchiveBucket"
        )  # absent in a stack that was deployed before there was one
        return S3ReportedUploads(
            self.s3,
            uploads=self.output("UploadsBucket"),
            reports=self.output("ReportsBucket"),
            moved=None if archive is None else S3MovedUploads(lambda: self.s3, archive),
        )

    def versions(self, prefix: str) -> Iterator[UploadVersion]:
        """List the versions of uploads."""
        return self._reported.versions(prefix)

    def metadata(self, key: str, version: str) -> Mapping[str, str]:
        """Read the metadata of an upload."""
        return self._reported.metadata(key, version)

    def report(self, key: str) -> Iterator[bytes] | None:
        """Open a file of the reports bucket, and return its chunks."""
        return self._reported.report(key)

    def report_location(self, key: str) -> str:
        """Write the address of a report in S3."""
        return f"s3://{self.output('ReportsBucket')}/{key}"

    def report_address(self, key: str) -> str:
        """Write the address of a report on the web, or for a stack in AWS the command that prints it."""
        return f"{self.service}{report_path(key)}" if self.is_local else report_command(key, self.option)

    def content(self, file: StoredFile) -> Iterator[bytes]:
        """Open a stored file, and return its chunks."""
        bucket = self.output("ContentBucket")
        with unavailable():
            try:
                answer = self.s3.get_object(Bucket=bucket, Key=file.key, VersionId=file.version)
            except ClientError as error:
                raise OSError(str(error)) from error
        return read_chunks(answer)

    def restore(self, file: StoredFile) -> None:
        """Copy a stored file back to the uploads."""
        source: Any = {"Bucket": self.output("ContentBucket"), "Key": file.key, "VersionId": file.version}
        replaced = {"MetadataDirective": "REPLACE", "TaggingDirective": "REPLACE"}
        with unavailable():
            self.s3.copy(source, self.output("UploadsBucket"), stored_as(file.key), ExtraArgs=replaced)


def read_local_stack(values: Mapping[str, str]) -> AwsStack:
    """Make the stack that the file of a local stack describes. Raises KeyError and AttributeError."""
    outputs = {_OUTPUTS.get(key, key): value for key, value in values.items()}
    name = localize(message("the local stack at {address}", address=values["service"]))
    return AwsStack(name, outputs, is_local=True)


def find_in_aws(name: str, profile: str | None, region: str | None) -> AwsStack:
    """Find a stack by its name. Raises CommandFailed if there is none, and RegistryUnavailable."""
    with unavailable():
        session = boto3.Session(profile_name=profile, region_name=region)
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
    outputs = {"StackName": described["StackName"]} | {
        output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", ())
    }
    parameters = {
        parameter["ParameterKey"]: parameter["ParameterValue"]
        for parameter in described.get("Parameters", ())
    }
    title = localize(message("the stack {name}", name=name))
    return AwsStack(title, outputs, is_local=False, parameters=parameters, session=session)
