"""The names of RDF → identifiers: those that are ours as they are, foreign ones by what `--map` says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier, UnreadableFile
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import printable_name, root_of
from ginuri.registration.checks.authorization import authority_to_open
from ginuri.registry.rules.patterns import REST, Pattern, fault_of
from ginuri.registry.rules.templates import expand, variables

RELATIVE = "http://relative.invalid/"
"""What names are resolved against where a file states no base."""
_SCHEMES = r"uri-[A-Za-z0-9.\-]+"
_NAMED = re.compile(rf"/{_SCHEMES}/")
_SEVERAL = re.compile(r"(?<![\s,])[\s,]++(?=[A-Za-z][A-Za-z0-9+.\-]*:)")
_MAPPING = re.compile(
    rf"(?P<names>.+?)=(?P<identifiers>/?(?:{_SCHEMES})/.*|(?:https?:)?//[^/{{}}]+/.*)", re.DOTALL
)
_ALL = f"{{+{REST}}}"
_ENDS = "/#:?&="
"""What the part of a name ends in that stands before its pieces."""
_URI = "!#$%&'()*+,/:;=?@[]~"
_EXAMPLE = f"http://vocab.example.org/geo/{_ALL}=uri-gin/usgin/vocab/geo/{_ALL}"


@dataclass(frozen=True, slots=True)
class NameMapping:
    """Which identifier a foreign name is: `http://vocab.example.org/geo/{+rest}=uri-gin/…/{+rest}`."""

    prefix: str
    pattern: Pattern | None
    """What follows the prefix; None where the prefix is the whole name."""
    template: str

    def apply(self, uri: str) -> str | None:
        """Give what a name is mapped to; None for one that this mapping is not about."""
        if self.pattern is None:
            return self.template if uri == self.prefix else None
        rest = uri.removeprefix(self.prefix) if uri.startswith(self.prefix) else ""
        # What has a fragment is another thing than what has none: it is mapped by a mapping that says so.
        found = None if "#" in rest else self.pattern.match(rest)
        return None if found is None else expand(self.template, found)


def read_mappings(text: str, folder: str = "") -> list[NameMapping]:
    """Read the mappings of `--map`, blanks or commas between them.

    To names that are bound to a host only those lead that begin with this folder's. Raises UnreadableFile.
    """
    return [_mapping(each, folder) for each in _SEVERAL.split(text.strip()) if each]


def _mapping(text: str, folder: str) -> NameMapping:
    found = _MAPPING.fullmatch(text)
    if found is None or not _is_ours(found["identifiers"], folder):
        raise _wrong(text, message("The mapping does not lead to an identifier of this folder."))
    names, template = found["names"], found["identifiers"]
    before, brace, _ = names.partition("{")
    if not brace:
        pattern, known = None, frozenset[str]()
        prefix = names
    else:
        prefix = before[: max(map(before.rfind, _ENDS)) + 1]
        written = names[len(prefix) :]
        pattern = Pattern("" if written == _ALL else written)
        known = frozenset({REST, *pattern.names})
        fault = fault_of(pattern.text)
        if fault is not None:
            raise _wrong(text, fault)
    try:
        unknown = variables(template) - known
    except ValueError as error:
        raise _wrong(text, error.args[0]) from error
    if unknown:
        names = ", ".join(sorted(unknown))
        raise _wrong(text, message("There is no piece called {names} before the = sign.", names=names))
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
    """Tells which names are identifiers, and remembers those that are none."""

    def __init__(self, folder: str, mappings: Sequence[NameMapping]) -> None:
        self.folder = folder
        self._mappings = mappings
        self.foreign: dict[str, None] = {}
        """The subjects that nobody mapped."""
        self.elsewhere: dict[str, None] = {}
        """The subjects that are identifiers, but not of this folder."""

    def identify(self, name: str) -> str | None:
        """Give the identifier to register for a subject; None for one that is not ours, and is remembered.

        What a mapping makes of a name is given also where it is no identifier.
        """
        mapped = self._mapped(name)
        if mapped is not None:
            return _normal(mapped) or mapped
        identifier = self._read(name)
        if identifier is None:
            self.foreign[name] = None
            return None
        normal = identifier.normal_form
        if (normal.startswith(self.folder) and normal != self.folder) or authority_to_open(
            identifier, self.folder
        ):
            return normal
        self.elsewhere[name] = None
        return None

    def refer(self, name: str) -> str | None:
        """Give the identifier that is meant by a name, as registrations write it; None where it is none."""
        mapped = self._mapped(name)
        if mapped is not None:
            return _normal(mapped)
        identifier = self._read(name)
        return printable_name(identifier.normal_form) if identifier else None

    def suggest(self) -> tuple[str, str]:
        """Give a mapping for most of what nobody mapped, and a name that it is for."""
        suggested = {name: _suggestion(name, self.folder) for name in self.foreign}
        [(mapping, _)] = Counter(suggested.values()).most_common(1)
        return mapping, next(name for name, each in suggested.items() if each == mapping)

    def _read(self, name: str) -> Identifier | None:
        # Any `http` URI may be bound to its host: only the host of this folder is known to be ours.
        root = root_of(self.folder) if self.folder.startswith("//") else None
        return _read(name, root)

    def _mapped(self, name: str) -> str | None:
        uri = to_uri(name)
        return next((text for each in self._mappings if (text := each.apply(uri)) is not None), None)


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
    try:
        identifier = parse(uri)
    except MalformedIdentifier:
        return None
    return identifier if is_near or not identifier.is_bound else None


def _normal(text: str) -> str | None:
    try:
        return parse(text).normal_form
    except MalformedIdentifier:
        return None
