"""Files that registrations name: kept for good, and pinned in the record."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, Protocol

from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.model import StoredFile
from ginuri.registry.record.record import REPRESENTATIONS


class FileKeeper(Protocol):
    """What keeps the files that registrations name."""

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Keep an uploaded file for good, by its key, as it stood when an upload was put; None without any.

        One that came later only, or of which that is not known, is kept as it is. The same content is kept
        once, however often it is asked for. `put` is RFC 3339 in UTC. Raises RegistryUnavailable.
        """
        ...


class InspectingFileKeeper(FileKeeper, Protocol):
    """What keeps the files that registrations name, and can look at them without."""

    def inspect(self, name: str, put: str) -> StoredFile | None:
        """Tell what keeping an uploaded file would give, by its key; None where `keep` gives that.

        One that is not kept yet has no version. Raises RegistryUnavailable.
        """
        ...


def with_files(registration: Registration, keeper: FileKeeper, folder: str, put: str) -> Registration:
    """Keep the files that a registration names, as seen from a folder, and pin them in what it states.

    They are pinned as they stood when the upload was put, however late the registration is taken in. One that
    is not there is a finding. Raises RegistryUnavailable.
    """
    kept: dict[tuple[str, ...], Any] = {}
    findings: list[Finding] = []
    for path, value in registration.statements.items():
        if path[0] == REPRESENTATIONS[0] and path[-1] == "file" and value is not None:
            file = keeper.keep(f"{folder}{value}", put)
            if file is None:
                findings.append(_missing(value, folder))
            else:
                kept[path] = asdict(file)
    if not kept and not findings:
        return registration
    return replace(
        registration,
        statements={**registration.statements, **kept},
        findings=(*registration.findings, *findings),
    )


def _missing(name: str, folder: str) -> Finding:
    return refuse(
        "file",
        "uploaded",
        name,
        "There is no file {file}. Upload it first, then upload this row again.",
        file=f"{folder}{name}",
    )
