"""What the content of a file leaves open: its code page, hidden rows, and the links behind its cells."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from ginuri.cli.choices.stated import Stated
from ginuri.cli.terminal import fault, format_value, localize, say
from ginuri.files.dates import Cell, DateOrder
from ginuri.files.formats import fault_of_reading, is_packed, mapping_of
from ginuri.files.guesses.dates import find_dates
from ginuri.files.guesses.encodings import propose_encoding
from ginuri.files.guesses.sheets import LinkColumn, find_hidden_rows, find_link_columns
from ginuri.files.lines import MOST_BYTES
from ginuri.files.mapping.columns import quote_argument
from ginuri.files.mapping.date_columns import write_orders
from ginuri.files.options import HIDDEN_ROWS, UploadOptions
from ginuri.files.packing import unpack
from ginuri.files.tables.heading import HeadingReader
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import Message, counted, message

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


def choose_dates(file: Path, stated: Stated, body: bytes, *, asks: bool) -> tuple[Stated, list[str]]:
    """Find the order of day and month that fits all dates of a column; if both do, ask on a terminal.

    Raises CommandFailed for a column whose dates contradict each other.
    """
    orders, lines = dict(mapping_of(stated.options).dates), list[str]()
    for name, dates in find_dates(file.name, body, stated.options).items():
        if dates.contradiction:
            raise fault(_contradiction(name, *dates.contradiction))
        if dates.order:
            orders[name] = dates.order
            line = message(
                "dates of {column}: {order}, which fits all of them", column=name, order=dates.order
            )
            lines.append(f"  {localize(line)}")
        elif dates.is_ambiguous and asks:
            orders[name] = _ask_order(name, dates.first[None])
    return Stated({**stated.values, "dates": write_orders(orders)}) if orders else stated, lines


def _ask_order(name: str, cell: Cell) -> DateOrder:
    question = message(
        "Is the day or the month first in the dates of {column}, such as {text} (line {line})?",
        column=name,
        text=cell.text,
        line=str(cell.line),
    )
    return DateOrder(click.prompt(localize(question), type=click.Choice([*map(str, DateOrder)])))


def _contradiction(name: str, day_first: Cell, month_first: Cell) -> Message:
    return message(
        "The dates of {column} contradict each other: {first} (line {line}) has the day first, {second} "
        "(line {other}) the month. Correct one of them, or state the order of the others with {option}.",
        column=name,
        first=day_first.text,
        line=str(day_first.line),
        second=month_first.text,
        other=str(month_first.line),
        option=f"--dates {quote_argument(write_orders({name: DateOrder.DAY_FIRST}))}",
    )


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
