"""The port of a stack: all that commands need of one, wherever it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Protocol, runtime_checkable

from ginuri.access.creation import WantedToken
from ginuri.access.operators import Event
from ginuri.access.tokens import Token
from ginuri.files.reports.listed_uploads import ReportedUploads
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words
from ginuri.registration.stored_files import InspectingFileKeeper
from ginuri.registry.model import StoredFile
from ginuri.registry.ports import Archive, MemberLister, Registry
from ginuri.registry.transfer import RegistryTarget
from ginuri.replay.ports import ReplayStack


@dataclass(frozen=True, slots=True)
class IngestReaders:
    """The adapters that judge a file before it is uploaded; a command only reads with them."""

    registry: Registry
    lister: MemberLister
    keeper: InspectingFileKeeper
    canonical_host: str = ""


@runtime_checkable
class ExpectingArchive(Protocol):
    """An archive over a network that reads many histories at once, if it knows which ones are needed."""

    def expect(self, names: Sequence[str]) -> None:
        """Note identifiers whose histories are read soon."""


class DeadLetters(Protocol):
    """The messages that failed too often. Its methods raise RegistryUnavailable."""

    def redrive(self) -> Iterator[str]:
        """Move the messages back to the ingest queue one by one, and yield each body after it was moved."""

    def bodies(self) -> Iterator[str]:
        """Yield the body of each message, and leave all of them there."""


class Tokens(Protocol):
    """The access tokens of a registry. Its methods raise RegistryUnavailable."""

    def create(self, wanted: WantedToken) -> tuple[str, Token]:
        """Create a token, and return its secret and the token. Raises CommandFailed with the reason."""

    def all(self) -> Sequence[Token]:
        """Return the tokens that the user may see, the oldest first."""

    def revoke(self, token_id: str) -> Token | None:
        """Revoke a token, and return it; None if it does not exist."""

    def events(self) -> Sequence[Event]:
        """Return what operators did with tokens, the oldest first."""


class Stack(ReportedUploads, Protocol):
    """A stack as commands use it.

    A part that the stack lacks raises CommandFailed; a call that fails raises RegistryUnavailable.
    """

    @property
    def name(self) -> str:
        """The name in messages."""

    @property
    def option(self) -> str:
        """The option of printed commands that names it, after a space; empty for a stack in AWS."""

    @property
    def service(self) -> str:
        """The address of the service."""

    @property
    def has_ingest(self) -> bool:
        """Whether uploads are processed while no command runs."""

    @property
    def served_hosts(self) -> Sequence[str] | None:
        """The hosts that the edge answers on; None if every host is answered."""

    @property
    def edge(self) -> str:
        """The domain of the edge; empty without one."""

    @property
    def archive(self) -> Archive:
        """The registry."""

    @property
    def readers(self) -> IngestReaders:
        """The adapters that judge a file before it is uploaded."""

    @property
    def tokens(self) -> Tokens:
        """The access tokens."""

    @property
    def dead_letters(self) -> DeadLetters:
        """The messages that failed too often."""

    def explain(self, error: RegistryUnavailable) -> Words:
        """Describe a failure and, if it is known, its remedy."""

    def put(self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str]) -> str:
        """Upload a file, and return its version."""

    def work(self, seconds: float) -> None:
        """Wait some seconds for the stack to process uploads; one without a process for them does it now."""

    def report_location(self, key: str) -> str:
        """Write where a report is stored."""

    def report_address(self, key: str) -> str:
        """Write the address at which people read a report."""

    def content(self, file: StoredFile) -> Iterator[bytes]:
        """Open a stored file, and return its chunks. Raises OSError if it cannot be read."""

    @property
    def whole(self) -> RegistryTarget:
        """The whole registry, to move and compare it."""

    @property
    def replaying(self) -> ReplayStack:
        """The parts with which uploads are processed once more."""

    def restore(self, file: StoredFile) -> None:
        """Upload a stored file once more, so that registrations can name it."""
