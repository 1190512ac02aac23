"""Processes a message of the queue: an upload or a part of one, and the report after its last try."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote_plus

from ginuri.files.reports.report import Upload, report_key, write_unfinished
from ginuri.files.reports.summary import Uploader
from ginuri.identifiers.errors import GinuriError
from ginuri.ingest.checkpoints import Attempt, find_attempt, identify
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.principals import Principal
from ginuri.ingest.queue_messages import Part, name_of, read_part
from ginuri.registration.verdicts import Finding


@dataclass(frozen=True, slots=True)
class Delivery:
    """An upload or a part of one, delivered by the queue."""

    message: Upload | Part
    tries: int
    """The number of its deliveries, this one included."""
    most_tries: int
    """The deliveries after which the queue gives up a message."""

    @property
    def upload(self) -> Upload:
        """The upload, of which the message may be a part."""
        return self.message if isinstance(self.message, Upload) else self.message.upload

    @property
    def part_name(self) -> str:
        """The name of the part for people."""
        return "the upload" if isinstance(self.message, Upload) else name_of(self.message)

    def log_fields(self) -> dict[str, str]:
        """Return the fields of its line in the log, to which `note_principal` adds."""
        upload = self.upload
        fields = {"key": upload.key, "version": upload.version, "part": self.part_name}
        return fields | ({"identity": upload.identity} if upload.identity else {})


def read_deliveries(body: str, tries: int, most_tries: int) -> Iterator[Delivery]:
    """Read a message: a part, or the uploads of an event of S3."""
    fields = json.loads(body)
    if "part" in fields:
        yield Delivery(read_part(fields), tries, most_tries)
    # The first message of all is s3:TestEvent, which has no records.
    for event in fields.get("Records", ()):
        bucket, stored = event["s3"]["bucket"], event["s3"]["object"]
        # `AWS:AROA…:session` of a role; messages of older releases of one machine have no identity.
        identity = event.get("userIdentity", {}).get("principalId", "").removeprefix("AWS:")
        upload = Upload(
            bucket["name"], unquote_plus(stored["key"]), stored["versionId"], event["eventTime"], identity
        )
        yield Delivery(upload, tries, most_tries)


def note_principal(fields: dict[str, str], principal: Principal) -> None:
    """Add the principal of an upload, and the id of its token, to the fields of a line in the log."""
    noted = {"principal": principal.name, "token": principal.token}
    fields |= {name: text for name, text in noted.items() if text}


def process(delivery: Delivery, collaborators: IngestCollaborators) -> dict[str, int]:
    """Ingest an upload or a part of one, and return its counts.

    Raises GinuriError if it must be tried again; after the last try, the report of the upload says so.
    """
    is_last = delivery.tries >= delivery.most_tries
    if is_last:  # report first, as a failure may leave no time for it
        _report_unfinished(delivery, "it is being tried for the last time", collaborators, is_given_up=False)
    try:
        return ingest_part(delivery.message, collaborators)
    except GinuriError as error:
        if is_last:
            _report_unfinished(delivery, str(error), collaborators, is_given_up=True)
        raise


def _report_unfinished(
    delivery: Delivery, reason: str, collaborators: IngestCollaborators, *, is_given_up: bool
) -> None:
    upload = delivery.upload
    attempt = find_attempt(upload, collaborators.uploads, collaborators.registry)
    if isinstance(attempt, Attempt):
        collaborators.uploads.report(
            report_key(upload.key, attempt.version),
            write_unfinished(
                upload,
                delivery.part_name,
                delivery.tries,
                reason,
                is_given_up=is_given_up,
                uploader=_find_uploader(attempt, collaborators),
            ),
        )


def _find_uploader(attempt: Attempt, collaborators: IngestCollaborators) -> Uploader:
    """Return the uploader; only the identity if the metadata of the upload cannot be read."""
    try:
        head = collaborators.uploads.head(attempt.upload.key, attempt.upload.version)
    except GinuriError:
        return attempt.uploader
    identified = identify(attempt, head.metadata if head else {}, collaborators)
    return attempt.uploader if isinstance(identified, Finding) else identified.uploader
