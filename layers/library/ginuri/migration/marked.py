"""YAML, and JSON as a subset of it, read as values with their lines. No objects are constructed.

This is the only module that needs PyYAML. It reads events only, so that no tag creates an object; aliases,
which can make a small file huge, and endless nesting are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import yaml

from ginuri.identifiers.errors import UnreadableFile

MOST_BYTES = 1024 * 1024
MOST_VALUES = 100_000
MOST_DEPTH = 20
# The C parser in PyYAML's wheels is thirty times faster.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_END = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


@dataclass(frozen=True, slots=True)
class LocatedValue:
    """A value and its first line: a text without conversion, a list, or an object."""

    value: str | Sequence[LocatedValue] | Mapping[str, LocatedValue]
    line: int

    @property
    def text(self) -> str | None:
        """The text; None for a list or an object."""
        return self.value if isinstance(self.value, str) else None

    @property
    def items(self) -> Sequence[LocatedValue]:
        """The members of a list; none for any other value."""
        return () if isinstance(self.value, str | Mapping) else self.value

    @property
    def fields(self) -> Mapping[str, LocatedValue]:
        """The fields of an object; none for any other value."""
        return self.value if isinstance(self.value, Mapping) else {}


def read_located(content: bytes) -> LocatedValue:
    """Read a file of YAML or JSON with one document. Raises UnreadableFile."""
    if len(content) > MOST_BYTES:
        raise UnreadableFile(
            "size",
            f"{len(content):,}",
            "The file has more than {most} bytes. Split it into several files.",
            most=f"{MOST_BYTES:,}",
        )
    try:
        events = yaml.parse(content.decode("utf-8-sig"), Loader=_LOADER)
        documents = [_value(event, events, count(1)) for event in events if isinstance(event, yaml.NodeEvent)]
    except UnicodeDecodeError as error:
        raise UnreadableFile("UTF-8", "", "The file is not UTF-8. Save it as UTF-8.") from error
    except yaml.YAMLError as error:
        raise UnreadableFile(
            "YAML", "", "The file is not valid YAML: {reason}", reason=_why(error)
        ) from error
    if len(documents) != 1:
        raise UnreadableFile(
            "YAML", len(documents), "A file must contain one YAML document. Put each into a file of its own."
        )
    return documents[0]


def _value(event: Any, events: Iterator[Any], numbers: Iterator[int], depth: int = 0) -> LocatedValue:  # noqa: ANN401  PyYAML has no types
    line = event.start_mark.line + 1
    if isinstance(event, yaml.AliasEvent):
        raise UnreadableFile(
            "alias",
            event.anchor,
            "Line {line} has an alias, *{anchor}. Write out what it stands for.",
            line=str(line),
            anchor=event.anchor,
        )
    if next(numbers) > MOST_VALUES or depth > MOST_DEPTH:
        raise UnreadableFile(
            "size",
            line,
            "Line {line}: the file has more than {most} values, or is nested deeper than {depth}.",
            line=str(line),
            most=f"{MOST_VALUES:,}",
            depth=str(MOST_DEPTH),
        )
    if isinstance(event, yaml.ScalarEvent):
        return LocatedValue(event.value, line)
    members = []
    for inner in events:
        if isinstance(inner, _END):
            break
        members.append(_value(inner, events, numbers, depth + 1))
    if isinstance(event, yaml.SequenceStartEvent):
        return LocatedValue(members, line)
    # Use the key's line: a block text starts on the next line.
    fields: dict[str, LocatedValue] = {}
    for key, value in zip(members[::2], members[1::2], strict=True):
        if key.text is None or key.text in fields:
            raise UnreadableFile(
                "YAML",
                key.text,
                "Line {line}: a key must be a text, and occur once in its object.",
                line=str(key.line),
            )
        fields[key.text] = LocatedValue(value.value, key.line)
    return LocatedValue(fields, line)


def _why(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    return f"line {mark.line + 1}: {problem}" if mark is not None else str(problem)
