"""Reads the parts of a spreadsheet (ECMA-376 part 2, OpenDocument 1.3 part 2): XML in a zip, with limits.

Elements are streamed to callbacks and no tree is built: the memory depends on the kept data, not on the
size of the part.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn
from xml.parsers import expat

from ginuri.files.packing import BROKEN_ZIP
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import message

MOST_PARTS = 1_000
"""The most files in the zip."""
_MOST_DEPTH = 64
# The longest tag with all its attributes.
_MOST_TOKEN_BYTES = 1024 * 1024
CHUNK = 64 * 1024
"""The bytes of a part to read in one step."""
_ENTRY = b"PK\x01\x02"  # APPNOTE §4.3.12: starts every entry of the directory
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # part 2, §B.4: no others
_ROOT = "_rels/.rels"
_MOST_SEARCHED = 100
_BROKEN = (*BROKEN_ZIP, expat.ExpatError)
SAVE_AS = message("Save it as an Excel workbook (.xlsx) without a password, or as CSV UTF-8.")
"""The advice for any fault of a workbook."""

Start = Callable[[str, Mapping[str, str]], None]
"""Called for the start of an element, with its name without prefix, and its attributes."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A reference of a part: the last segment of its type, and the name of the target."""

    id: str
    type: str
    target: str


class Package:
    """An open zip whose parts are read one at a time, each of at most `most` bytes."""

    def __init__(self, content: bytes, most: int) -> None:
        if content.count(_ENTRY) > MOST_PARTS:  # counted before the directory is read into memory
            raise UnreadableFile(
                "xlsx", f"> {MOST_PARTS:,}", "The workbook has too many parts. {way_out}", way_out=SAVE_AS
            )
        self._most = most
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except _BROKEN as error:
            raise _no_xlsx(error) from error

    def relations(self, part: str = "") -> list[Relation]:
        """Return the relations of a part, or of the package itself."""
        folder, _ = posixpath.split(part)
        found: list[Relation] = []

        def start(element: str, attributes: Mapping[str, str]) -> None:
            if element == "Relationship" and attributes.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, attributes.get("Target", "")))
                kind = attributes.get("Type", "").rpartition("/")[2]
                found.append(Relation(attributes.get("Id", ""), kind, target.lstrip("/")))

        self.parse(_relations_of(part), start)
        return found

    def addresses(self, part: str) -> dict[str, str]:
        """Return the targets of a part that are outside of the package, by their ids."""
        found: dict[str, str] = {}

        def start(element: str, attributes: Mapping[str, str]) -> None:
            if element == "Relationship" and attributes.get("TargetMode") == "External":
                found[attributes.get("Id", "")] = attributes.get("Target", "")

        if self.has_relations(part):
            self.parse(_relations_of(part), start)
        return found

    def has_relations(self, part: str) -> bool:
        """Return whether a part has relations."""
        return _relations_of(part) in self._zip.NameToInfo

    def contains(self, part: str, text: re.Pattern[bytes]) -> bool:
        """Return whether a text may be in a part, without parsing it. Raises UnreadableFile."""
        end = b""
        try:
            with self._zip.open(self._info(part)) as content:
                while chunk := content.read(CHUNK):
                    # UTF-16 would have to be decoded.
                    if b"\0" in chunk or text.search(end + chunk):
                        return True
                    end = chunk[-_MOST_SEARCHED:]
        except UnreadableFile:
            raise
        except _BROKEN as error:
            raise _no_xlsx(error) from error
        return False

    def parse(
        self,
        part: str,
        start: Start,
        end: Callable[[str], None] | None = None,
        text: Callable[[str], None] | None = None,
    ) -> None:
        """Parse a part, calling back for its elements and text."""
        for _ in self.steps(part, start, end, text):
            pass

    def steps(
        self,
        part: str,
        start: Start,
        end: Callable[[str], None] | None = None,
        text: Callable[[str], None] | None = None,
    ) -> Iterator[None]:
        """Parse a part in pieces, so that the caller can take the collected data in between.

        Raises UnreadableFile for invalid XML and over the limits.
        """
        try:
            yield from self._feed(part, _parser(start, end, text))
        except UnreadableFile:
            raise
        except _BROKEN as error:
            raise _no_xlsx(error) from error

    def _feed(self, part: str, parser: expat.XMLParserType) -> Iterator[None]:
        fed = 0
        with self._zip.open(self._info(part)) as content:
            while chunk := content.read(CHUNK):
                parser.Parse(chunk, False)  # noqa: FBT003  positional only
                fed += len(chunk)
                if fed - parser.CurrentByteIndex > _MOST_TOKEN_BYTES:
                    raise UnreadableFile(
                        "XML",
                        part,
                        "The workbook contains a tag that is too long. {way_out}",
                        way_out=SAVE_AS,
                    )
                yield
        parser.Parse(b"", True)  # noqa: FBT003  positional only
        yield

    def _info(self, part: str) -> zipfile.ZipInfo:
        try:
            info = self._zip.getinfo(part)
        except KeyError as error:
            raise _no_xlsx(error) from error
        if info.compress_type not in _METHODS:
            raise UnreadableFile(
                "xlsx",
                part,
                "The workbook is packed in a way that is not supported. {way_out}",
                way_out=SAVE_AS,
            )
        # zipfile unpacks at most the size in the directory, even if that is wrong.
        if info.file_size > self._most:
            raise UnreadableFile(
                "size",
                info.file_size,
                "Unpacked, {part} has {size} bytes; at most {most} are allowed. Split it into several files.",
                part=part,
                size=f"{info.file_size:,}",
                most=f"{self._most:,}",
            )
        return info


def _relations_of(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels") if part else _ROOT


def _parser(
    start: Start, end: Callable[[str], None] | None, text: Callable[[str], None] | None
) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    depth = 0

    def begin(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MOST_DEPTH:
            raise UnreadableFile(
                "XML", name, "The elements of the workbook are nested too deep. {way_out}", way_out=SAVE_AS
            )
        start(name.rpartition(":")[2], attributes)

    def finish(name: str) -> None:
        nonlocal depth
        depth -= 1
        if end:
            end(name.rpartition(":")[2])

    parser.StartElementHandler, parser.EndElementHandler = begin, finish
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse_doctype
    return parser


def _refuse_doctype(name: str, *_: object) -> NoReturn:
    # Part 2, §8.2.5: no part declares a document type; without one there are no entities to expand.
    raise UnreadableFile(
        "XML",
        name,
        "The workbook declares a document type, which is not supported. {way_out}",
        way_out=SAVE_AS,
    )


def _no_xlsx(error: Exception) -> UnreadableFile:
    return UnreadableFile(
        "xlsx",
        str(error),
        "The file is not the spreadsheet that its name says, or it is protected or damaged. {way_out}",
        way_out=SAVE_AS,
    )
