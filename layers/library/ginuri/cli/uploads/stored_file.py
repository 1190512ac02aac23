"""Files that are stored: registered in one step with `ginuri upload FILE --as IDENTIFIER`, or only stored."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ginuri.cli.ports import Stack
from ginuri.cli.terminal import write_json, wrong_value
from ginuri.files.formats import reader_for, stored_as
from ginuri.files.mapping.stored_mapping import is_too_long, key_of, refer, store_beside
from ginuri.files.mistaken_files import way_out_of_content, way_out_of_name
from ginuri.files.options import UploadOptions, write_options
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import prefix_to_folder
from ginuri.identifiers.stewards import folder_of

_KNOWN = {"changed", "unchanged"}
"""The verdicts on identifiers that are registered already."""
_CHUNK = 64 * 1024
_KNOWINGLY = write_options(UploadOptions(is_stored=True))
DryRun = Callable[[str, bytes], dict[str, Any]]
"""Makes a dry run of a registry file: its key and content → the report."""


def mistaken_for_registry(file: Path, folder: str, options: UploadOptions) -> Message | None:
    """Return the advice for a file that may contain registrations, but is not read; else None."""
    if reader_for(file.name, options) is not None:
        return None
    with file.open("rb") as opened:
        chunks = iter(partial(opened.read, _CHUNK), b"")
        return way_out_of_name(file.name) or way_out_of_content(
            f"{folder}{file.name}", chunks, options.columns
        )


def store_mapping(stack: Stack, key: str, options: UploadOptions) -> UploadOptions:
    """Store a mapping that is too long for the metadata of an upload beside it, and refer to it."""
    if not options.columns or not is_too_long(options):
        return options
    digest, content = store_beside(options)
    version = stack.put(key_of(digest, key[: key.rfind("/") + 1]), content, _KNOWINGLY)
    return refer(options, digest, version)


def read_document_name(value: str) -> Identifier:
    """Read the identifier of a document, in any spelling.

    Raises MalformedIdentifier, and click.BadParameter for the identifier of a thing.
    """
    identifier = parse(value)
    if identifier.is_terminated or len(identifier.ancestors) < (1 if identifier.is_bound else 2):
        raise wrong_value(
            message(
                "{identifier} cannot be downloaded. Name a document, such as …/mapImageFile.pdf.",
                identifier=str(identifier),
            )
        )
    return identifier


@dataclass(frozen=True, slots=True)
class StoredFileUpload:
    """A file, and the identifier to register it as."""

    file: Path
    identifier: Identifier
    under: str | None
    title: str | None
    media_type: str | None

    @property
    def key(self) -> str:
        """The key of the registration, in the folder itself: below it, it could register less."""
        return f"{self._folder}{self.identifier.segments[-1]}.jsonl"

    def store(self, stack: Stack, dry_run: DryRun) -> bytes:
        """Upload the file, and write its registration. Raises RegistryUnavailable.

        It is a representation of the record above it if that is a resource; else a separate resource.
        """
        with self.file.open("rb") as body:
            stack.put(self._stored, body, _KNOWINGLY)
        titled = {"title": self.title} if self.title else {}
        named = {"file": self._stored.removeprefix(self._folder)}
        part = self.identifier.segments[-1]
        if media_type := self.media_type or mimetypes.guess_type(part)[0]:
            named["media_type"] = media_type
        own = {"identifier": self.identifier.normal_form, **titled, "representations": [named]}
        represented = {"part": part, **titled, **named}
        form = {"identifier": self.identifier.ancestors[-1], "representations": [represented]}
        verdicts = dry_run(self.key, _lines((own, form)))["verdicts"]
        registered = {verdict["identifier"] for verdict in verdicts if verdict["verdict"] in _KNOWN}
        is_form = own["identifier"] not in registered and form["identifier"] in registered
        return _lines([form if is_form else own])

    @property
    def _folder(self) -> str:
        return self.under or prefix_to_folder(folder_of(self.identifier))

    @property
    def _stored(self) -> str:
        name = prefix_to_folder(self.identifier.normal_form)
        return stored_as(name if name.startswith(self._folder) else f"{self._folder}{name}")


def _lines(registrations: Iterable[dict[str, Any]]) -> bytes:
    return "".join(f"{write_json(registration)}\n" for registration in registrations).encode()
