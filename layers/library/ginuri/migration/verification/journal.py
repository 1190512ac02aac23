"""The state of a comparison in a file: each identifier's answers are stored as soon as they are known.

The first line names the comparison, each further one has the answers to one identifier. A line that was cut
off is dropped; of several lines for an identifier, the last counts.
"""

from __future__ import annotations

import json
import re
import threading
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ginuri.migration.verification.answers import ResolverAnswer
from ginuri.migration.verification.comparison import BothAnswers, SideAnswer
from ginuri.migration.verification.requests import IdentifierUses, Resolvers

_NUMBER = re.compile(rb'\{"number": ([0-9]+),')
_ABSENT = -1
Settings = Mapping[str, Any]
"""What a comparison is about, by option: the state of another one cannot be continued."""


class OtherComparison(Exception):
    """The state belongs to another comparison: the name of what differs, and both values."""

    def __init__(self, name: str, stored: object, stated: object) -> None:
        super().__init__(name)
        self.name, self.stored, self.stated = name, stored, stated


class Journal:
    """The answers of a comparison, in a file that outlasts the process."""

    def __init__(self, path: Path, settings: Settings, resolvers: Resolvers) -> None:
        """Open a state, or begin one. Raises OtherComparison, OSError, and ValueError if it is no state."""
        self._resolvers = resolvers
        self._lock = threading.Lock()
        self._places = array("q")
        self._file = path.open("a+b")
        try:
            self._begin(settings)
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def recall(self, number: int, identifier: IdentifierUses) -> list[BothAnswers] | None:
        """Return the stored answers to the identifier of a number in the list; None if there are none.

        Raises OtherComparison if another identifier has the number.
        """
        place = self._places[number] if number < len(self._places) else _ABSENT
        if place == _ABSENT:
            return None
        with self._lock:
            self._file.seek(place)
            stored = json.loads(self._file.readline())
        stated = [identifier.uri, [use.accept for use in identifier.uses]]
        if stored["request"] != stated:
            raise OtherComparison("request", stored["request"], stated)
        return [self._read(identifier, *answer) for answer in stored["answers"]]

    def store(self, number: int, identifier: IdentifierUses, answers: Sequence[BothAnswers]) -> None:
        """Store the answers to an identifier."""
        line = {
            "number": number,
            "request": [identifier.uri, [use.accept for use in identifier.uses]],
            "answers": [
                [both.accept, *(_side(each) for each in (both.here, both.there))] for both in answers
            ],
        }
        with self._lock:
            self._write(line)

    def _begin(self, settings: Settings) -> None:
        self._file.seek(0)
        first = self._file.readline()
        if not first.endswith(b"\n"):
            self._file.truncate(0)
            self._write({"verify": 1, **settings})
            return
        stored = json.loads(first)
        if not isinstance(stored, dict) or "verify" not in stored:
            raise ValueError("the first line names no comparison")
        for name, value in settings.items():
            if stored.get(name) != value:
                raise OtherComparison(name, stored.get(name), value)
        self._index()

    def _index(self) -> None:
        place = self._file.tell()
        for line in self._file:
            found = _NUMBER.match(line)
            if found is None or not line.endswith(b"\n"):
                break
            number = int(found[1])
            self._places.extend([_ABSENT] * (number + 1 - len(self._places)))
            self._places[number] = place
            place += len(line)
        self._file.truncate(place)

    def _write(self, line: Mapping[str, Any]) -> None:
        # An appending file is written at its end, and what was flushed outlasts the process.
        self._file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        self._file.flush()

    def _read(
        self, identifier: IdentifierUses, accept: str | None, ours: Sequence[Any], theirs: Sequence[Any]
    ) -> BothAnswers:
        here, there = (
            SideAnswer(
                self._resolvers.requested(resolver, identifier, identifier.target),
                ResolverAnswer(*side[:4]),
                ResolverAnswer(*side[4]) if side[4] else None,
            )
            for resolver, side in ((self._resolvers.here, ours), (self._resolvers.there, theirs))
        )
        return BothAnswers(accept, here, there)


def _side(side: SideAnswer) -> list[Any]:
    return [*_answer(side.answer), None if side.end is None else _answer(side.end)]


def _answer(answer: ResolverAnswer) -> list[Any]:
    return [answer.status, answer.location, answer.media_type, str(answer.error)]
