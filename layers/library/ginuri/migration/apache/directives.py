"""Reads configuration files of Apache httpd: lines → directives.

    line    = [ name *( blank argument ) ] / "#" comment / "<" section ">" / "</" section ">"
    a line that ends in a backslash continues in the next one

The directives of `<IfModule>` and `<VirtualHost>` are read as if they were outside: all modules are loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SECTION = re.compile(r"<(/?)(\w+)\s*([^>]*)>?")
_TRANSPARENT = {"ifmodule", "ifversion", "ifdefine", "virtualhost"}
_ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|\'((?:[^\'\\]|\\.)*)\'|(\S+)')


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive with its place; the name is in lower case."""

    file: str
    line: int
    name: str
    text: str
    """What follows the name."""

    def arguments(self) -> list[str]:
        """Split the text into arguments: words, or quoted texts."""
        return [
            re.sub(r'\\(["\'\\])', r"\1", next(part for part in found.groups() if part is not None))
            for found in _ARGUMENT.finditer(self.text)
        ]


@dataclass(frozen=True, slots=True)
class IgnoredSection:
    """A section for some requests or files only, such as `<Files>`: its directives are left out."""

    file: str
    line: int
    name: str


def read_directives(file: str, content: bytes) -> Iterator[Directive | IgnoredSection]:
    """Read the directives of a file, in order."""
    ignored: list[str] = []
    for line, text in _join_lines(content.decode("utf-8", errors="replace")):
        section = _SECTION.match(text)
        if section is not None:
            is_end, name = bool(section[1]), section[2].lower()
            is_left_out = name not in _TRANSPARENT or (name == "ifmodule" and section[3].startswith("!"))
            if is_end:
                if ignored and ignored[-1] == name:
                    ignored.pop()
            elif ignored or is_left_out:
                ignored.append(name)
                yield IgnoredSection(file, line, text)
        elif not ignored:
            name, _, rest = _partition(text)
            yield Directive(file, line, name.lower(), rest)


def _partition(text: str) -> tuple[str, str, str]:
    name, *rest = text.split(None, 1)
    return name, " ", rest[0] if rest else ""


def _join_lines(text: str) -> Iterator[tuple[int, str]]:
    first, joined = 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        first = first if joined else number
        if line.endswith("\\"):
            joined += line[:-1]
            continue
        whole = (joined + line).strip()
        joined = ""
        if whole and not whole.startswith("#"):
            yield first, whole
    if joined.strip():
        yield first, joined.strip()
