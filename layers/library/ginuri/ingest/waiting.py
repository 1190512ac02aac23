"""Delays an upload whose prerequisites are not registered yet."""

from __future__ import annotations

from datetime import datetime
from math import ceil

from ginuri.files.reports.progress import UploadProgress, progress_key, write_progress
from ginuri.ingest.checkpoints import Attempt
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.plan import Plan
from ginuri.ingest.queue_messages import Begin, Part
from ginuri.registration.prerequisites import missing_prerequisites

MOST_NAMED = 100
"""The number of missing prerequisites that the progress names."""


def wait(attempt: Attempt, plan: Plan, collaborators: IngestCollaborators) -> list[Part]:
    """Delay an upload whose prerequisites another upload of the same time may still register.

    Raises RegistryUnavailable.
    """
    upload = attempt.upload
    age = (collaborators.now() - datetime.fromisoformat(upload.put)).total_seconds()
    left = collaborators.limits.wait_seconds - age
    missing = missing_prerequisites(plan.needed, collaborators.registry) if left > 0 and plan.needed else []
    if not missing:
        return []
    progress = write_progress(UploadProgress(waits_for=tuple(missing[:MOST_NAMED])))
    collaborators.uploads.report(progress_key(upload.key, attempt.version), progress)
    return [Begin(upload, max(1, ceil(min(left, collaborators.limits.wait_step))))]
