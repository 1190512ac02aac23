"""Refuses an upload whose access token was revoked before its first row was registered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ginuri.ingest.checkpoints import Attempt, CheckpointStore, identify
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.registration.verdicts import Finding, refuse

_BEGUN = "begun"
"""The name of the file that marks an upload with a token as begun."""


def admit(
    attempt: Attempt, metadata: Mapping[str, str], collaborators: IngestCollaborators
) -> Attempt | Finding:
    """Identify the uploader of an upload that begins, or return the finding that refuses the upload.

    Its token may have been revoked while it waited. An upload that has begun is completed, also by a later
    delivery. Raises RegistryUnavailable.
    """
    identified = identify(attempt, metadata, collaborators)
    if isinstance(identified, Finding) or not (token := _token_of(identified)):
        return identified
    if not collaborators.is_revoked(token) or _has_begun(attempt, collaborators):
        return identified
    return refuse(
        "",
        "token",
        token,
        "The access token of this upload was revoked before it was processed. Nothing was registered.",
    )


def note_begun(attempt: Attempt, collaborators: IngestCollaborators) -> None:
    """Mark an upload with a token as begun, before a row is registered. Raises RegistryUnavailable."""
    if _token_of(attempt):
        _marks(attempt, collaborators).write(_BEGUN, b"")


def _has_begun(attempt: Attempt, collaborators: IngestCollaborators) -> bool:
    # A further attempt is at an upload that was completed, before the table lost registrations.
    return attempt.number > 1 or _BEGUN in _marks(attempt, collaborators).names(_BEGUN)


def _token_of(attempt: Attempt) -> str:
    return attempt.principal.token if attempt.principal else ""


def _marks(attempt: Attempt, collaborators: IngestCollaborators) -> CheckpointStore:
    return CheckpointStore(collaborators.uploads, replace(attempt, restart=0))
