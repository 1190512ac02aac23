"""Converts RDF names to identifiers: those of this registry unchanged, others by the mappings of `--map`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from ginuri.identifiers import Identifier, read_identifier
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import printable_name, root_of
from ginuri.registration.checks.authorization import authority_to_open
from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.grammar import ALL, REST
from ginuri.registry.rules.patterns import Pattern
from ginuri.registry.rules.templates import expand, variables

RELATIVE = "http://relative.invalid/"
"""The base of relative names in a file without one."""
_SCHEMES = r"uri-[A-Za-z0-9.\-]+"
_NAMED = re.compile(rf"/{_SCHEMES}/")
_SEVERAL = re.compile(r"(?<![\s,])[\s,]++(?=[A-Za-z][A-Za-z0-9+.\-]*:)")
_MAPPING = re.compile(
    rf"(?P<names>.+?)=(?P<identifiers>/?(?:{_SCHEMES})/.*|(?:https?:)?//[^/{{}}]+/.*)", re.DOTALL
)
_ALL = f"{{+{REST}}}"
# The last characters that the fixed part of a mapped name can have.
_ENDS = "/#:?&="
_URI = "!#$%&'()*+,/:;=?@[]~"
_EXAMPLE = f"http://vocab.example.org/geo/{_ALL}=uri-gin/usgin/vocab/geo/{_ALL}"


@dataclass(frozen=True, slots=True)
class NameMapping:
    """Maps foreign names to identifiers: `http://vocab.example.org/geo/{+rest}=uri-gin/…/{+rest}`."""

    prefix: str
    pattern: Pattern | None
    """The rest of the name after the prefix; None when the prefix is the whole name."""
    template: str

    def apply(self, uri: str) -> str | None:
        """Return the mapped name; None when the mapping does not match."""
        if self.pattern is None:
            return self.template if uri == self.prefix else None
        rest = uri.removeprefix(self.prefix) if uri.startswith(self.prefix) else ""
        # A name with a fragment is another thing: only a mapping with `#` in its prefix matches it.
        found = None if "#" in rest else self.pattern.match(rest)
        return None if found is None else expand(self.template, found)


def read_mappings(text: str, folder: str = "") -> list[NameMapping]:
    """Read the mappings of `--map`, separated by spaces or commas.

    Identifiers with a host must start with that of the folder. Raises UnreadableFile.
    """
    return [_mapping(mapping, folder) for mapping in _SEVERAL.split(text.strip()) if mapping]


def _mapping(text: str, folder: str) -> NameMapping:
    found = _MAPPING.fullmatch(text)
    if found is None or not _is_ours(found["identifiers"], folder):
        raise _wrong(text, message("The mapping does not lead to an identifier of this folder."))
    names, template = found["names"], found["identifiers"]
    before, brace, _ = names.partition("{")
    pattern, known, prefix = None, frozenset[str](), names
    if brace:
        prefix = before[: max(map(before.rfind, _ENDS)) + 1]
        written = names[len(prefix) :]
        pattern = Pattern("" if written == _ALL else written)
        if fault := fault_of(pattern.text):
            raise _wrong(text, fault)
        known = frozenset({REST, ALL, *pattern.names})
    try:
        unknown = variables(template) - known
    except ValueError as error:
        raise _wrong(text, error.args[0]) from error
    if unknown:
        raise _wrong(
            text,
            message("There is no piece called {names} before the = sign.", names=", ".join(sorted(unknown))),
        )
    return NameMapping(to_uri(prefix), pattern, template)


def _is_ours(template: str, folder: str) -> bool:
    name = template[template.find("//") :]
    return _NAMED.search(f"/{template}") is not None or (bool(folder) and name.startswith(folder))


def _wrong(text: str, why: Message) -> UnreadableFile:
    return UnreadableFile(
        "map",
        text,
        "The mapping cannot be used. {reason} A mapping of names looks like {example}.",
        reason=why,
        example=_EXAMPLE,
    )


class Subjects:
    """Finds the identifiers of RDF names, and collects the names without one."""

    def __init__(self, folder: str, mappings: Sequence[NameMapping]) -> None:
        self.folder = folder
        self._mappings = mappings
        self.foreign: dict[str, None] = {}
        """The subjects without a mapping."""
        self.elsewhere: dict[str, None] = {}
        """The subjects with an identifier of another folder."""

    def identify(self, name: str) -> str | None:
        """Return the identifier to register for a subject; None for a foreign one, which is collected.

        The result of a mapping is returned even when it is not a valid identifier.
        """
        if (mapped := self._mapped(name)) is not None:
            return _normal(mapped) or mapped
        if (identifier := self._read(name)) is None:
            self.foreign[name] = None
            return None
        normal = identifier.normal_form
        is_below = normal.startswith(self.folder) and normal != self.folder
        if is_below or authority_to_open(identifier, self.folder):
            return normal
        self.elsewhere[name] = None
        return None

    def refer(self, name: str) -> str | None:
        """Return the identifier for a name, as registrations write it; None when it has none."""
        if (mapped := self._mapped(name)) is not None:
            return _normal(mapped)
        identifier = self._read(name)
        return printable_name(identifier.normal_form) if identifier else None

    def suggest(self) -> tuple[str, str]:
        """Suggest a mapping for most of the unmapped names, with one name that it matches."""
        suggested = {name: _suggestion(name, self.folder) for name in self.foreign}
        [(mapping, _)] = Counter(suggested.values()).most_common(1)
        return mapping, next(name for name, suggestion in suggested.items() if suggestion == mapping)

    def _read(self, name: str) -> Identifier | None:
        # Any `http` URI could be an identifier of its host; only this folder's host counts.
        root = root_of(self.folder) if self.folder.startswith("//") else None
        return _read(name, root)

    def _mapped(self, name: str) -> str | None:
        uri = to_uri(name)
        return next((text for mapping in self._mappings if (text := mapping.apply(uri)) is not None), None)


def _suggestion(name: str, folder: str) -> str:
    uri, folder = to_uri(name), printable_name(folder)
    document, hash_, _ = uri.partition("#")
    if hash_:
        own = _read(document)
        last = re.split("[/:]", document.rstrip("/"))[-1]
        below = f"{printable_name(own.normal_form).rstrip('/')}/" if own else f"{folder}{last}/"
        return f"{document}#{_ALL}={below}{_ALL}"
    prefix = uri[: max(uri.rstrip("/").rfind("/"), uri.rfind(":")) + 1]
    path = urlsplit(prefix).path.strip("/") if "//" in prefix else ""
    last = f"{path.rpartition('/')[2]}/" if path else ""
    return f"{prefix}{_ALL}={folder}{last}{_ALL}"


def to_uri(name: str) -> str:
    """Write an IRI as a URI (RFC 3987 §3.1)."""
    return name if name.isascii() else quote(name, safe=_URI)


def _read(name: str, root: str | None = None) -> Identifier | None:
    uri = to_uri(name)
    is_near = root is not None and uri.partition(":")[2].lower().startswith(root)
    if not is_near and _NAMED.search(name) is None:
        return None
    identifier = read_identifier(uri)
    return identifier if is_near or not (identifier and identifier.is_bound) else None


def _normal(text: str) -> str | None:
    return identifier.normal_form if (identifier := read_identifier(text)) else None
