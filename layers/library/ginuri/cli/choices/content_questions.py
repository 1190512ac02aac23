"""What the content of a file leaves open: its code page, hidden rows, and the links behind its cells."""

from __future__ import annotations

from pathlib import Path

import click

from ginuri.cli.choices.stated import Stated
from ginuri.cli.terminal import format_value, localize, say
from ginuri.files.formats import fault_of_reading
from ginuri.files.guesses.encodings import propose_encoding
from ginuri.files.guesses.sheets import LinkColumn, find_hidden_rows, find_link_columns
from ginuri.files.options import HIDDEN_ROWS, UploadOptions
from ginuri.files.tables.heading import HeadingReader
from ginuri.identifiers.messages import counted, message

_HEAD = 64 * 1024
"""The bytes in which the code page of a file shows."""


def choose_encoding(file: Path, stated: Stated, body: bytes) -> tuple[Stated, list[str]]:
    """Propose the code page of a file that is not UTF-8."""
    proposed = None if "encoding" in stated.values else propose_encoding(body[:_HEAD])
    if proposed is None or fault_of_reading(file.name, UploadOptions(encoding=proposed.name)):
        return stated, []
    line = message(
        "The file is not UTF-8. Read as {encoding}, {before} is {after}.",
        encoding=proposed.name,
        before=repr(proposed.before),
        after=repr(proposed.after),
    )
    return stated.adding(encoding=proposed.name), [localize(line)]


def choose_hidden_rows(
    file: Path, stated: Stated, body: bytes, heading: HeadingReader, *, asks: bool
) -> Stated:
    """Ask whether the hidden rows of a sheet are registered; without a terminal, the report warns of them."""
    hidden = find_hidden_rows(file.name, body, stated.options, heading)
    if hidden is None or not asks or "hidden-rows" in stated.values:
        return stated
    say(
        counted(
            "{number} row of the sheet is hidden, {filtered} of them by a filter: {lines}.",
            "{number} rows of the sheet are hidden, {filtered} of them by a filter: {lines}.",
            hidden.number,
            filtered=f"{hidden.filtered:,}",
            lines=", ".join(map(str, hidden.lines)),
        )
    )
    answer = click.prompt(localize(message("What is to be done with them?")), type=click.Choice(HIDDEN_ROWS))
    return stated.adding(**{"hidden-rows": str(answer)})


def find_links(
    file: Path, stated: Stated, body: bytes, heading: HeadingReader
) -> tuple[LinkColumn | None, list[str]]:
    """Find the one column whose cells link to web addresses, and describe it."""
    columns = () if "links" in stated.values else find_link_columns(file.name, body, stated.options, heading)
    if len(columns) != 1:
        return None, []
    [column] = columns
    line = message(
        "The cells of {column} link to web addresses ({number}), such as {text} to {target}.",
        column=repr(column.name),
        number=f"{column.number:,}",
        text=format_value(column.text),
        target=format_value(column.target),
    )
    return column, [f"  {localize(line)}"]
