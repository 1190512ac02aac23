"""A service over HTTP as a stack: with a token, without AWS credentials."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING
from urllib.parse import unquote

from ginuri.cli.access.service_tokens import ServiceTokens
from ginuri.cli.next_steps import report_command
from ginuri.cli.ports import DeadLetters, IngestReaders
from ginuri.cli.service.failures import explain, only_operators, unavailable
from ginuri.cli.service.files import ServiceFiles
from ginuri.cli.service.records import ServiceArchive, ServiceLister, ServiceRegistry
from ginuri.cli.service.reports import ServiceReports
from ginuri.cli.terminal import CommandFailed, localize
from ginuri.client import Client, ListedUpload, ServiceUnreachable
from ginuri.client.requests import upload_path
from ginuri.files.formats import stored_as
from ginuri.files.options import read_options
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words, message
from ginuri.registry.model import StoredFile
from ginuri.registry.transfer import RegistryTarget

if TYPE_CHECKING:
    from ginuri.replay.ports import ReplayStack

_SKEW = timedelta(seconds=5)
"""How much the clocks of this machine and of the service may differ."""
_JSON = ".json"


class ServiceStack(ServiceReports):
    """A service that processes the uploads itself; parts for operators raise CommandFailed."""

    has_ingest = True
    edge = ""
    explain = staticmethod(explain)
    work = staticmethod(time.sleep)

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.service = client.service

    @property
    def name(self) -> str:
        """The name in messages."""
        return localize(message("the service {address}", address=self.service))

    @property
    def option(self) -> str:
        """The option with the address."""
        return f" --service {shlex.quote(self.service)}"

    @property
    def archive(self) -> ServiceArchive:
        """The records that the token may read."""
        return ServiceArchive(self._client)

    @property
    def readers(self) -> IngestReaders:
        """The adapters that judge a file before it is uploaded; they read each record once."""
        registry = ServiceRegistry(self._client)
        return IngestReaders(registry, ServiceLister(registry), ServiceFiles(registry))

    def put(self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str]) -> str:
        """Upload a file, and return its version. It is found again if the answer was lost."""
        folder, name = key[: key.rfind("/") + 1], key[key.rfind("/") + 1 :]
        options = {option: unquote(value) for option, value in metadata.items()}
        begun = datetime.now(UTC)
        with unavailable():
            try:
                submitted = self._client.requests.submit(body, folder, name, options)
            except ServiceUnreachable:
                if arrived := self._find_arrived(key, metadata, begun):
                    return arrived.version
                raise
        self.rename((key, submitted.version), submitted.key)
        return submitted.version

    def _find_arrived(self, key: str, metadata: Mapping[str, str], begun: datetime) -> ListedUpload | None:
        stated = read_options(metadata)
        for upload in self._client.uploads(key[: key.rfind("/") + 1], last=20):
            is_same = (upload.key, upload.is_dry_run, upload.submitter) == (
                key,
                stated.is_dry_run,
                stated.submitter,
            )
            if is_same and datetime.fromisoformat(upload.put) >= begun - _SKEW:
                return upload
        return None

    def report_location(self, key: str) -> str:
        """Write the address of a report, for programs with a token."""
        upload, _, file = key.rpartition("/")
        return f"{self.service}{upload_path(upload, file.removesuffix(_JSON))}"

    def report_address(self, key: str) -> str:
        """Write the command that prints a report."""
        return report_command(key, self.option)

    def content(self, file: StoredFile) -> Iterator[bytes]:
        """Open a stored file. Raises OSError if it cannot be read."""
        try:
            with unavailable():
                return self._client.file(file.key, file.version)
        except RegistryUnavailable as error:
            raise OSError(str(error)) from error

    def restore(self, file: StoredFile) -> None:
        """Upload a stored file once more."""
        with TemporaryFile() as body:
            with unavailable():
                body.writelines(self._client.file(file.key, file.version))
            self.put(stored_as(file.key), body, {})

    @property
    def tokens(self) -> ServiceTokens:
        """The tokens of the owner of the token."""
        return ServiceTokens(self._client)

    @property
    def served_hosts(self) -> None:
        """The hosts of the edge."""
        raise self._only_operators(message("the hosts of its edge"))

    @property
    def whole(self) -> RegistryTarget:
        """The whole registry."""
        raise self._only_operators(message("the whole registry"))

    @property
    def replaying(self) -> ReplayStack:
        """The parts with which uploads are processed once more."""
        raise self._only_operators(message("uploads to process once more"))

    @property
    def dead_letters(self) -> DeadLetters:
        """The messages that failed too often."""
        raise self._only_operators(message("uploads that failed"))

    def _only_operators(self, part: Words) -> CommandFailed:
        return only_operators(self.service, part)
