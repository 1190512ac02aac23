"""Stored files in registrations: kept permanently, and pinned to a version in the record."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Protocol

from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.model import StoredFile
from ginuri.registry.record.statements import JsonValue, Key, Statements


class FileKeeper(Protocol):
    """Keeps the files that registrations name."""

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Keep an uploaded file permanently, as it was when an upload was put; None if there is no such file.

        `name` is its key, and `put` is RFC 3339 in UTC. A file without a version of that time is kept in its
        current one. Keeping the same content again has no effect. Raises RegistryUnavailable.
        """


class InspectingFileKeeper(FileKeeper, Protocol):
    """Keeps files, and can inspect them without keeping them."""

    def inspect(self, name: str, put: str) -> StoredFile | None:
        """Return the stored file that `keep` would return.

        A file that is not kept yet has no version. Raises RegistryUnavailable.
        """


def with_files(registration: Registration, keeper: FileKeeper, folder: str, put: str) -> Registration:
    """Keep the files that a registration names, relative to a folder, and pin them in its statements.

    They are pinned in the version at the time of the upload, even if it is processed late. A missing file is
    a finding. Raises RegistryUnavailable.
    """
    kept: dict[Key, JsonValue] = {}
    findings: list[Finding] = []
    for form in registration.statements.forms().values():
        if (name := form.text("file")) is not None:
            file = keeper.keep(f"{folder}{name}", put)
            if file is None:
                findings.append(_missing(name, folder))
            else:
                kept[form.key("file")] = asdict(file)
    if not kept and not findings:
        return registration
    return replace(
        registration,
        statements=Statements({**registration.statements, **kept}),
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
