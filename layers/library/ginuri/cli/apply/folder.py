"""A folder of registration files, laid out like the uploads, with their options in `ginuri.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ginuri.cli.choices.remembered import NAME as OPTIONS_FILE
from ginuri.cli.choices.remembered import TABLE
from ginuri.cli.terminal import CommandFailed, fault
from ginuri.files.options import UploadOptions, read_options
from ginuri.files.upload_order import is_registry_file, list_files
from ginuri.identifiers.messages import message
from ginuri.identifiers.stewards import HOST_FOLDER

_IGNORE = "ignore"
_FLAGS = {"many", "correction", "strict-tests"}
_TEXTS = {"map", "sheet", "reason", "submitter", "language"}


@dataclass(frozen=True, slots=True)
class RegistrationFile:
    """A registration file, and the options of its upload."""

    key: str
    content: Path | bytes = field(repr=False)
    options: UploadOptions

    def read(self) -> bytes:
        """Read the file. Raises OSError."""
        return self.content if isinstance(self.content, bytes) else self.content.read_bytes()


@dataclass(frozen=True, slots=True)
class Folder:
    """The files of a folder: `_host/` first, then by key."""

    registrations: Sequence[RegistrationFile]
    files: Mapping[str, Path]
    """All files by key, which registrations may name: registration files too, such as a vocabulary."""


def read_folder(folder: Path) -> Folder:
    """Read a folder with its options. Raises CommandFailed for options that cannot be used."""
    stated = _read_toml(folder / OPTIONS_FILE)
    stated.pop(TABLE, None)  # what `ginuri upload` keeps for files beside it
    ignored = stated.pop(_IGNORE, [])
    if not (isinstance(ignored, list) and all(isinstance(pattern, str) for pattern in ignored)):
        raise _wrong(_IGNORE, ignored, 'a list of patterns, such as ["docs/*"]')
    files = {
        key: path
        for key, path in list_files(folder).items()
        if not any(fnmatchcase(key, pattern) for pattern in ignored) and key != OPTIONS_FILE
    }
    keys = sorted(filter(is_registry_file, files), key=lambda key: (not key.startswith(HOST_FOLDER), key))
    if unknown := sorted(stated.keys() - set(keys)):
        raise fault(
            message(
                "{options} has options for {file}, which is no registration file of the folder. Write its "
                "path from the folder, or remove them.",
                options=OPTIONS_FILE,
                file=unknown[0],
            )
        )
    registrations = [RegistrationFile(key, files[key], _options(key, stated.get(key, {}))) for key in keys]
    return Folder(registrations, files)


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise fault(
            message("{file} is not TOML: {error}. Correct it.", file=OPTIONS_FILE, error=str(error))
        ) from error


def _options(key: str, stated: Any) -> UploadOptions:  # noqa: ANN401  any value of TOML
    if not isinstance(stated, dict):
        raise _wrong(key, stated, f'a table: ["{key}"]')
    for name, value in stated.items():
        kind = bool if name in _FLAGS else str if name in _TEXTS else None
        if kind is None:
            known = ", ".join(sorted(_FLAGS | _TEXTS))
            raise _wrong(f"{key}: {name}", value, known)
        if not isinstance(value, kind):
            raise _wrong(f"{key}: {name}", value, "true or false" if kind is bool else "a text")
    # Options of a command are the metadata of an upload, in which flags are texts.
    return read_options({name: str(value) for name, value in stated.items()})


def _wrong(name: str, value: object, allowed: str) -> CommandFailed:
    return fault(
        message(
            "{file}, {name}: {value} cannot be used. Write one of: {allowed}.",
            file=OPTIONS_FILE,
            name=name,
            value=repr(value),
            allowed=allowed,
        )
    )
