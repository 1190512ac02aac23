"""What becomes of each directive: its registrations, or the reason for its refusal."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from ginuri.files.expressions.expansion import Note
from ginuri.identifiers.messages import Message, message
from ginuri.migration.apache.candidates import Candidate
from ginuri.migration.apache.configuration import Configuration
from ginuri.migration.apache.contexts import NOTHING, Client, Context
from ginuri.migration.apache.directive_patterns import TranslatedDirective
from ginuri.migration.apache.plan import Conflict, Plan
from ginuri.migration.apache.requests import Applied
from ginuri.migration.apache.rules import RewriteRule
from ginuri.migration.entries import ConvertedEntry, Obstacle, Outcome, RefusedEntry, Registration

T = TypeVar("T")
_NOTES = {
    Note.ANCHORED: message(
        "The expression has no ^ and may match in the middle of a name; the rule matches from its beginning."
    ),
    Note.LIMITED: message("A part may be repeated without limit; the rules match up to three more."),
}
_VARIABLE = re.compile(r"%\{([^}]+)\}")
_OF_CLIENTS = re.compile("HTTP_ACCEPT$|HTTP:Accept$|HTTP_USER_AGENT$|ENV:", re.IGNORECASE)


class Accounts:
    """Collects the registrations of directives, and what is against them."""

    def __init__(self, plan: Plan, directives: Sequence[TranslatedDirective]) -> None:
        self._plan = plan
        self._directives = directives
        self._lines: list[tuple[Sequence[Applied], Registration]] = []
        self._faults: dict[Applied, Message] = {}
        self._conflicts: dict[Applied, Conflict] = {}
        self._partly: set[Applied] = set()
        """The directives that some registration is for."""
        self._applied: dict[Applied, set[Context]] = defaultdict(set)
        for table in plan.tables.values():
            for context, cell in table.items():
                for directive in cell.applied:
                    self._applied[directive].add(context)
        for candidate, failure in plan.failures.items():
            reason = message("{pattern}: {reason}", pattern=candidate.text, reason=failure.reason)
            _blame(self._faults, candidate, reason)
        for candidate, conflict in plan.conflicts.items():
            _blame(self._conflicts, candidate, conflict)

    def note(self, candidate: Candidate, line: Registration | Message) -> None:
        """Note the registration of a candidate, or what is against it."""
        if isinstance(line, Message):
            _blame(self._faults, candidate, line)
            return
        if not candidate.is_common:
            self._partly |= {owner.directive for owner in candidate.owners}
        table = self._plan.tables[candidate]
        cells = (table[NOTHING], *table.values())
        applied = [directive for cell in cells for directive in reversed(cell.applied)]
        owners = [owner.directive for owner in candidate.owners] or [
            each.directive for each in self._directives
        ]
        self.attach([*applied, *owners], line)

    def attach(self, directives: Sequence[Applied], line: Registration) -> None:
        """Attach a registration to the first of these directives that is imported."""
        self._lines.append((directives, line))

    def close(self, configurations: Iterable[Configuration]) -> Iterator[Outcome]:
        """Yield the outcomes of all directives."""
        refusals = {each.directive: refusal for each in self._directives if (refusal := self._refusal(each))}
        partial = self._partly & (self._faults.keys() | self._conflicts.keys())
        refused = {directive: refusal for directive, refusal in refusals.items() if directive not in partial}
        lines: dict[Applied, list[Registration]] = defaultdict(list)
        for holders, line in self._lines:
            holder = next((directive for directive in holders if directive not in refused), None)
            if holder is not None:
                lines[holder].append(line)
        yield from _broken(configurations)
        for each in self._directives:
            yield refused.get(each.directive) or self._converted(
                each, lines.get(each.directive, ()), refusals.get(each.directive)
            )

    def _refusal(self, translated: TranslatedDirective) -> RefusedEntry | None:
        directive = translated.directive
        place = directive.place
        if fault := translated.fault or self._faults.get(directive):
            return RefusedEntry(place, fault)
        if conflict := self._conflicts.get(directive):
            return _refuse(directive, conflict)
        if {context.client for context in self._applied.get(directive, ())} == {Client.BROWSER}:
            return RefusedEntry(place, message("It is for clients with certain names in `User-Agent` only."))
        if directive not in self._applied and (variable := _other_variable(directive)):
            return RefusedEntry(place, message("The answer depends on {variable}.", variable=variable))
        return None

    def _converted(
        self, translated: TranslatedDirective, lines: Sequence[Registration], refusal: RefusedEntry | None
    ) -> ConvertedEntry:
        place = translated.directive.place
        if refusal is not None:
            remark = message("Some of its names are not imported. {reason}", reason=refusal.reason)
            return ConvertedEntry(place, lines, [remark])
        if translated.directive not in self._applied:
            remark = message("No request reaches it: an earlier line comes first, or no name matches.")
            return ConvertedEntry(place, lines, [remark])
        return ConvertedEntry(place, lines, [_NOTES[note] for note in _NOTES if note in translated.notes])


def _blame(known: dict[Applied, T], candidate: Candidate, cause: T) -> None:
    if not candidate.is_common:
        for owner in candidate.owners:
            known.setdefault(owner.directive, cause)


def _broken(configurations: Iterable[Configuration]) -> Iterator[Outcome]:
    for configuration in configurations:
        fault = configuration.fault
        if fault is None or not configuration.is_faulty:
            continue
        yield fault
        obstacle = Obstacle(fault.place, message("Correct or remove this line."))
        for directive in configuration.directives:
            reason = message("{entry} makes Apache httpd answer 500.", entry=fault.place.describe())
            yield RefusedEntry(directive.place, reason, obstacle)


def _other_variable(directive: Applied) -> str | None:
    """Return a variable in its conditions that is no preference of a client."""
    conditions = directive.conditions if isinstance(directive, RewriteRule) else ()
    names = (name for condition in conditions for name in _VARIABLE.findall(condition.test))
    return next((f"%{{{name}}}" for name in names if not _OF_CLIENTS.match(name)), None)


def _refuse(directive: Applied, conflict: Conflict) -> RefusedEntry:
    others = [
        owner.directive
        for candidate in (conflict.other, conflict.winner)
        for owner in candidate.owners
        if owner.directive is not directive
    ]
    if not others:
        reason = message("Its names have different answers, such as {path}.", path=conflict.path)
        return RefusedEntry(directive.place, reason)
    reason = message(
        "{entry} matches {path} as well. Apache httpd takes the first one that matches, and here the more "
        "literal one would win.",
        entry=others[0].place.describe(),
        path=conflict.path,
    )
    edit = message("Change its expression so that it does not match {path}.", path=conflict.path)
    return RefusedEntry(directive.place, reason, Obstacle(others[0].place, edit))
