"""The answers for the names of a pattern, in every context: a status, or a location template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from ginuri.files.expressions.templates import Example, find_template
from ginuri.identifiers.messages import Message, message
from ginuri.migration.apache.contexts import PROFILE, Context
from ginuri.migration.apache.requests import (
    Answer,
    Applied,
    Headers,
    Request,
    UnsupportedConfiguration,
)
from ginuri.migration.apache.rules import REDIRECTS
from ginuri.migration.apache.site import Site
from ginuri.migration.entries import reject_location
from ginuri.registry.locations import is_location

_PIECE = re.compile(r"\{[^{}]*\}")
_HOST = re.compile(r"https?://[^/?#]*")


@dataclass(frozen=True, slots=True)
class Cell:
    """The answer for all names of a pattern, in one context."""

    status: int
    template: str = ""
    """The location of a redirect."""
    applied: tuple[Applied, ...] = ()

    @property
    def is_redirect(self) -> bool:
        """Whether it leads anywhere."""
        return bool(self.template)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The names of a pattern have no answer in common."""

    reason: Message
    applied: frozenset[Applied]


Table = Mapping[Context, Cell]


class Responder:
    """Answers requests to a site, each once."""

    def __init__(self, site: Site, alike: Mapping[Context, Context]) -> None:
        self._site = site
        self._alike = alike
        """Each context, with one that has the same answers."""
        self._known: dict[str, Mapping[Context, Answer]] = {}

    def answers(self, path: str) -> Mapping[Context, Answer]:
        """Answer requests for a path in every context. Raises UnsupportedConfiguration."""
        if path not in self._known:
            self._known[path] = self._ask(path)
        return self._known[path]

    def with_query(self, path: str, context: Context, query: str) -> Answer:
        """Answer a request with a query."""
        return self._site.answer(Request(unquote(path), Headers(context.headers), query))

    def _ask(self, path: str) -> Mapping[Context, Answer]:
        answers: dict[Context, Answer] = {}
        read: set[str] = set()
        for context, alike in self._alike.items():
            if context.profile and PROFILE not in read:  # the answer is the same for every profile
                answers[context] = answers[context.without_profile]
            elif alike in answers:
                answers[context] = answers[alike]
            else:
                headers = Headers(context.headers)
                answers[context] = self._site.answer(Request(unquote(path), headers))
                read |= headers.read
            if not read:  # the answer is the same for every client
                return dict.fromkeys(self._alike, answers[context])
        return answers


def tabulate(responder: Responder, examples: Mapping[str, Mapping[str, str]]) -> Table | NoAnswer:
    """Tabulate the answers for examples of a pattern: paths, with the values of its pieces."""
    try:
        answers = {path: responder.answers(path) for path in examples}
    except UnsupportedConfiguration as error:
        return NoAnswer(error.words, frozenset())
    cells: dict[tuple[Answer, ...], Cell | NoAnswer] = {}
    table: dict[Context, Cell] = {}
    for context in next(iter(answers.values())):
        row = tuple(answers[path][context] for path in examples)
        if row not in cells:
            cells[row] = _cell(row, examples)
        cell = cells[row]
        if isinstance(cell, NoAnswer):
            return cell
        table[context] = cell
    return table


def is_template(template: str) -> bool:
    """Return whether a location template is an absolute web address, whose host no piece changes."""
    host = _HOST.match(template)
    return host is not None and "{" not in host[0] and is_location(_PIECE.sub("x", template))


def _cell(row: tuple[Answer, ...], examples: Mapping[str, Mapping[str, str]]) -> Cell | NoAnswer:
    first = row[0]
    applied = frozenset(directive for answer in row for directive in answer.applied)
    if len({answer.status for answer in row}) > 1:
        names = list(examples)
        other = next(at for at, answer in enumerate(row) if answer.status != first.status)
        return NoAnswer(
            message("{one} and {other} have different answers.", one=names[0], other=names[other]), applied
        )
    if first.status not in REDIRECTS:
        return Cell(first.status, applied=first.applied)
    locations = [answer.location for answer in row]
    template = (
        locations[0]
        if len(set(locations)) == 1
        else find_template(
            [Example(values, location) for values, location in zip(examples.values(), locations, strict=True)]
        )
    )
    if template is None:
        return NoAnswer(message("No location template leads to {location}.", location=locations[0]), applied)
    if not is_template(template):
        return NoAnswer(reject_location(template), applied)
    return Cell(first.status, template, first.applied)
