"""What a person need not state to upload a file: folder and columns, guessed and shown, or asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import click

from ginuri.cli.choices.content_questions import choose_dates, choose_encoding, choose_hidden_rows, find_links
from ginuri.cli.choices.remembered import MAP, NAME, recall
from ginuri.cli.choices.stated import Stated
from ginuri.cli.options import read_folder
from ginuri.cli.terminal import fault, format_value, localize, refusal, say, wrong_value
from ginuri.files.formats import JSON_SUFFIXES, is_graph, mapping_of, read_lines, reader_for, suffix_of
from ginuri.files.guesses.candidates import Ambiguity, Doubt
from ginuri.files.guesses.graphs import find_folder_of_subjects
from ginuri.files.guesses.tables import (
    IDENTIFIER,
    MOST_ROWS,
    ProposingReader,
    TableGuess,
    count_folders,
    guess_table,
)
from ginuri.files.mapping.columns import list_columns, write_map, write_map_option, write_names
from ginuri.files.options import REGISTRATIONS, UploadOptions
from ginuri.files.tables.heading import HeadingReader
from ginuri.identifiers import parse, read_identifier
from ginuri.identifiers.errors import MalformedIdentifier, UnreadableFile
from ginuri.identifiers.messages import Message, counted, message
from ginuri.identifiers.roots import folder_to_prefix, prefix_to_folder
from ginuri.identifiers.stewards import HOST_FOLDER, folder_of

_OF_IDENTIFIERS = {Doubt.NUMBERS, Doubt.IDENTIFIER}
_MOST_NAMED = 5
"""The most folders to choose from."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options of an upload, and how they were found."""

    options: Stated
    summary: list[str] = field(default_factory=list)
    """The guesses, a line for each."""
    is_guessed: bool = False
    """Whether there are options that were not stated, which a person must confirm."""
    is_recalled: bool = False
    """Whether they are those that a person confirmed for an earlier upload of the file."""


def choose(file: Path, body: bytes, stated: Stated, *, asks: bool) -> Chosen:
    """Complete the options for a file: as before, then by guesses; `asks` for the rest on a terminal.

    Raises CommandFailed for what can only be asked, and is not stated, without a terminal.
    """
    options = stated.adding(**recall(file))
    if options != stated:
        line = message("As before ({file}): {options}", file=NAME, options=options.as_command())
        return Chosen(options, [localize(line)], is_recalled=True)
    with_encoding, lines = choose_encoding(file, stated, body)
    with_encoding = with_encoding.adding(
        **{"read-as": REGISTRATIONS if not stated.under and is_of_objects(file.name, body) else ""}
    )
    chosen = _choose_rest(file, body, with_encoding, asks=asks)
    if stated.under and chosen.options == with_encoding and not asks:
        return Chosen(stated)  # nothing is missing: the report names the lines that are not UTF-8
    is_guessed = chosen.options != stated
    return replace(chosen, summary=[*lines, *chosen.summary], is_guessed=is_guessed)


def is_of_objects(name: str, body: bytes) -> bool:
    """Return whether a JSON file has objects with identifiers, which an option must ask to register."""
    guess = guess_table(name, body, UploadOptions()) if suffix_of(name) in JSON_SUFFIXES else None
    return guess is not None and bool(guess.folders)


def _choose_rest(file: Path, body: bytes, stated: Stated, *, asks: bool) -> Chosen:
    prefix = folder_to_prefix(stated.under or next(_folders_of_path(file), ""))
    guess = guess_table(file.name, body, stated.options, prefix)
    if guess is None:
        return _choose_folder(file, stated, _folders_of_rows(file, body, stated), asks=asks)
    heading = ProposingReader(mapping_of(stated.options))
    stated = choose_hidden_rows(file, stated, body, heading, asks=asks)
    if MAP in stated.values:
        chosen = _choose_folder(file, stated, guess.folders, asks=asks)
        return _with_dates(file, body, chosen, asks=asks) if asks else chosen
    if stated.under and IDENTIFIER in HeadingReader().fields(guess.sample.names) and not asks:
        return Chosen(stated)  # nothing is missing: the report names the other columns
    column, lines = find_links(file, stated, body, heading)
    chosen = _choose_columns(file, stated, guess, prefix, column.name if column else "", asks=asks)
    return _with_dates(file, body, replace(chosen, summary=[*chosen.summary, *lines]), asks=asks)


def _with_dates(file: Path, body: bytes, chosen: Chosen, *, asks: bool) -> Chosen:
    options, lines = choose_dates(file, chosen.options, body, asks=asks)
    return replace(chosen, options=options, summary=[*chosen.summary, *lines])


def _folders_of_rows(file: Path, body: bytes, stated: Stated) -> Mapping[str, int]:
    """Count the folders of the identifiers in a file that is no table."""
    read = reader_for(file.name, stated.options)
    if read is None:
        return {}
    try:
        if is_graph(file.name):
            return find_folder_of_subjects(file.name, body)
        rows = list(islice(read(read_lines(file.name, [body], stated.options)), MOST_ROWS))
    except UnreadableFile as error:
        if stated.under:
            return {}  # the report has the reason
        raise refusal(error.reason) from error
    return count_folders(str(row.identifier) for row in rows if row.identifier is not None)


def _choose_columns(  # noqa: PLR0913  what is known of the file
    file: Path, stated: Stated, guess: TableGuess, prefix: str, linked: str, *, asks: bool
) -> Chosen:
    if not guess.sample.rows:
        raise fault(message("The table has a heading and no rows."))
    if not guess.identifiers and guess.made is None:
        words = message(
            "None of the columns has identifiers: {columns}. Name it: {option}",
            columns=list_columns(guess.sample.names),
            option='--map "identifier=…"',
        )
        raise fault(words)
    sources, folders = dict(guess.proposal.sources()), guess.folders
    if guess.made is not None:
        if not prefix or any(each.doubt is Doubt.NUMBERS for each in guess.proposal.questions):
            written = guess.made.source.removeprefix(prefix)
            prefix = _ask_prefix(guess, written, prefix, asks=asks)
            sources[IDENTIFIER] = f"{prefix}{written}"
        folders = {prefix_to_folder(folder_of(parse(f"{prefix}x"))): len(guess.sample.rows)}
    if linked and linked not in sources.values():  # its texts are another field
        stated = stated.adding(links=write_names([linked]))
        sources.setdefault("location", linked)
    options = stated.adding(map=write_map(sources)) if sources else stated
    chosen = _choose_folder(file, options, folders, asks=asks)
    return Chosen(chosen.options, [*(_describe_columns(guess, sources) if sources else ()), *chosen.summary])


def _choose_folder(file: Path, stated: Stated, folders: Mapping[str, int], *, asks: bool) -> Chosen:
    if stated.under:
        return Chosen(stated)
    found = list(folders) or list(_folders_of_path(file))
    if len(found) == 1:
        reason = message("folder: {folder}, as the file is in it here", folder=found[0])
        if number := folders.get(found[0]):
            reason = counted(
                "folder: {folder}, that of {number} identifier",
                "folder: {folder}, that of all {number} identifiers",
                number,
                folder=found[0],
            )
        return Chosen(stated.adding(under=found[0]), [f"  {localize(reason)}"])
    if not asks:
        raise fault(no_folder(file, found))
    return Chosen(stated.adding(under=_ask_folder(found)))


def _folders_of_path(file: Path) -> Iterator[str]:
    """Yield the folder of uploads that the folders of a file on this machine are named after."""
    parts = file.resolve().parent.parts
    paths = ("/".join(parts[start:]) + "/" for start in range(len(parts) - 1))
    found = (read_identifier(folder_to_prefix(path)) for path in paths if path.startswith("uri-"))
    yield from islice((prefix_to_folder(each.normal_form) for each in found if each is not None), 1)


def _describe_columns(guess: TableGuess, sources: Mapping[str, str]) -> Iterator[str]:
    heading = message("Line {line} is the heading. Columns:", line=str(guess.sample.line))
    members = message("Each object is read as a registration. Members:")
    yield localize(heading if guess.sample.line else members)
    reader = HeadingReader(mapping_of(UploadOptions(columns=write_map(sources))))
    made = reader.templates(guess.sample.names).fill(next(iter(guess.sample.rows), ())).values
    for candidate in guess.proposal.chosen:
        if candidate.is_own_name:
            continue
        source = sources[candidate.field]
        values = guess.sample.values(source) if source in guess.sample.names else []
        example = made.get(candidate.field) or next(iter(values), "")
        yield f"  {candidate.field} ← {source}   {format_value(example) if example else '—'}"
    for question in guess.proposal.questions:
        if question.doubt is not Doubt.NUMBERS:  # it was asked
            yield from _describe_question(question, sources)
    if guess.proposal.unused:
        left = message("not registered: {columns}", columns=list_columns(guess.proposal.unused))
        yield f"  {localize(left)}"


def _describe_question(question: Ambiguity, sources: Mapping[str, str]) -> Iterator[str]:
    """Write a doubt, and the option that states another answer."""
    yield f"  {localize(question.reason)}"
    for other in question.candidates[1:]:
        option = write_map_option({**sources, other.field: other.source})
        yield f"    {localize(message('or: {option}', option=option))}"


def _ask_prefix(guess: TableGuess, template: str, prefix: str, *, asks: bool) -> str:
    """Ask what comes before the values that identifiers are made of."""
    question = next(each for each in guess.proposal.questions if each.doubt in _OF_IDENTIFIERS)
    if not asks:
        # With the other columns: a mapping that is stated is not completed by guesses.
        sources = {**guess.proposal.sources(), IDENTIFIER: f"uri-gin/azgs/…/{template}"}
        raise fault(
            message(
                "{reason} State what comes before: {option}",
                reason=question.reason,
                option=write_map_option(sources),
            )
        )
    say(question.reason)
    return str(
        click.prompt(
            localize(message("What comes before, such as uri-gin/azgs/well/")),
            default=prefix or None,
            value_proc=_read_prefix,
        )
    )


def _read_prefix(value: str) -> str:
    prefix = value.strip()
    try:
        if folder_of(parse(f"{prefix}x")) == HOST_FOLDER:
            raise wrong_value(message("{prefix} is above all name authorities.", prefix=prefix))
    except MalformedIdentifier as error:
        raise wrong_value(error.words) from error
    return prefix


def _ask_folder(found: list[str]) -> str:
    if found:
        named = list_columns(found[:_MOST_NAMED])
        click.echo(localize(message("The identifiers belong to several folders: {folders}.", folders=named)))
    question = localize(message("Folder to register under, such as uri-gin/azgs/"))
    return str(click.prompt(question, value_proc=read_folder))


def no_folder(file: Path, found: list[str]) -> Message:
    """Return the message about a folder that must be named."""
    if found:
        return message(
            "The identifiers of {file} belong to several folders: {folders}. Name one with --under, and "
            "split the file, or upload it once for each.",
            file=file.name,
            folders=list_columns(found[:_MOST_NAMED]),
        )
    if suffix_of(file.name) in JSON_SUFFIXES:
        return message(
            "No objects with identifiers were found in {file}. To register them, write an array of objects, "
            "as pandas does with {orient}; to store the file as it is, name the folder with --under "
            "uri-gin/azgs/.",
            file=file.name,
            orient='orient="records"',
        )
    return message("Name the folder with --under uri-gin/azgs/, or an identifier with --as uri-gin/azgs/….")
