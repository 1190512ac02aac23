"""Reads the dumps of Django's tables that both resolvers of USGIN keep their rules in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import EntryPlace, Files
from ginuri.migration.marked import LocatedValue, read_located


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    file: str
    line: int
    key: str
    fields: Mapping[str, str]

    def place(self, name: str) -> EntryPlace:
        """Return its place, with a name for messages."""
        return EntryPlace(self.file, self.line, name)

    def text(self, field: str) -> str:
        """Return a field as a text; empty for an absent one."""
        return self.fields.get(field, "")


class Tables:
    """The tables of one application."""

    def __init__(self, files: Files, application: str) -> None:
        """Read the rows of all files. Raises UnreadableFile if one is of another application."""
        self._rows: dict[str, list[Row]] = {}
        for file, content in files.items():
            for item in read_located(content).items:
                model = _text(item, "model")
                if not model.startswith(f"{application}."):
                    raise UnreadableFile(
                        application,
                        model,
                        "{file}, line {line}: {model} is not a row of {application}.",
                        file=file,
                        line=str(item.line),
                        model=repr(model),
                        application=application,
                    )
                fields = item.fields["fields"].fields if "fields" in item.fields else {}
                texts = {name: (value.text or "").strip() for name, value in fields.items()}
                row = Row(file, item.line, _text(item, "pk"), texts)
                self._rows.setdefault(model.partition(".")[2], []).append(row)

    def rows(self, table: str) -> Sequence[Row]:
        """Return the rows of a table, in the order of the files."""
        return self._rows.get(table, ())

    def row(self, table: str, key: str) -> Row | None:
        """Return the row with a key; None without one."""
        return next((row for row in self.rows(table) if row.key == key), None)


def _text(row: LocatedValue, name: str) -> str:
    return (row.fields[name].text or "") if name in row.fields else ""
