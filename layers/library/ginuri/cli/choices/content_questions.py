"""What the content of a file leaves open: its code page, hidden rows, and the links behind its cells."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import click

from ginuri.cli.choices.stated import Stated
from ginuri.cli.terminal import format_value, localize, say
from ginuri.files.dates import DateMeaning, DateOrder, meaning_of_dates
from ginuri.files.formats import fault_of_reading, is_packed
from ginuri.files.guesses.encodings import propose_encoding
from ginuri.files.guesses.sheets import LinkColumn, find_hidden_rows, find_link_columns
from ginuri.files.lines import MOST_BYTES
from ginuri.files.options import HIDDEN_ROWS, UploadOptions
from ginuri.files.packing import unpack
from ginuri.files.tables.heading import HeadingReader
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import counted, message

_MOST_CHUNKS = 1_000
"""The most pieces of a compressed file in which its code page is looked for."""


def choose_encoding(file: Path, stated: Stated, body: bytes) -> tuple[Stated, list[str]]:
    """Propose the code page of a file that is not UTF-8."""
    proposed = None if "encoding" in stated.values else propose_encoding(_unpacked(file.name, body))
    if proposed is None or fault_of_reading(file.name, UploadOptions(encoding=proposed.name)):
        return stated, []
    line = message(
        "The file is not UTF-8. Read as {encoding}, {before} is {after}.",
        encoding=proposed.name,
        before=repr(proposed.before),
        after=repr(proposed.after),
    )
    return stated.adding(encoding=proposed.name), [localize(line)]


def _unpacked(name: str, body: bytes) -> bytes:
    if not is_packed(name):
        return body
    try:
        return b"".join(islice(unpack([body], MOST_BYTES), _MOST_CHUNKS))
    except UnreadableFile:
        return b""


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


def choose_dates(stated: Stated, values: Iterable[str], *, asks: bool) -> tuple[Stated, list[str]]:
    """Find the order of day and month that fits all dates; if both do, ask on a terminal."""
    meaning = DateMeaning.UNORDERED if "dates" in stated.values else meaning_of_dates(values)
    if meaning is DateMeaning.AMBIGUOUS and asks:
        question = message("Is the day or the month first in dates such as 03/04/2024?")
        order = click.prompt(localize(question), type=click.Choice([str(each) for each in DateOrder]))
        return stated.adding(dates=str(order)), []
    if meaning.order is None:
        return stated, []
    line = message("dates: {order}, which fits all of them", order=str(meaning.order))
    return stated.adding(dates=str(meaning.order)), [f"  {localize(line)}"]


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
