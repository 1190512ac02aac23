"""Recognizes names of well-known schemes, with their scheme or bare: `doi:10.1000/182`, `10.1000/182`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ginuri.identifiers import Identifier, read_identifier, read_without_host
from ginuri.registry.locations import is_location
from ginuri.schemes.catalogue import KnownScheme, known_schemes

_LEAST_LITERAL = 3
"""The literal characters of a pattern that make a bare name distinctive: `10.` and a slash, three hyphens."""


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name of a well-known scheme."""

    scheme: KnownScheme
    identifier: str
    """Its normal form, in the case of the scheme."""
    location: str | None
    """Where it resolves; None if it is the scheme itself, or has not the form of its names."""
    is_bare: bool = False
    """Whether it was written without its scheme."""

    @property
    def command(self) -> str:
        """The command that registers the scheme."""
        return f"ginuri schemes add {self.scheme.name}"


def recognize(text: str) -> KnownName | None:
    """Recognize a name, or the path of one on any host; None for any other text.

    >>> recognize("DOI:10.1000/ABC").identifier, recognize("10.1000/182").location
    ('doi:10.1000/abc', 'https://doi.org/10.1000/182')
    """
    identifier = read_identifier(text)
    return _recognize_bare(text.removeprefix("/")) if identifier is None else recognize_identifier(identifier)


def recognize_identifier(identifier: Identifier) -> KnownName | None:
    """Recognize an identifier like `recognize`."""
    named = identifier if not identifier.is_bound else read_without_host(identifier)
    if named is None:
        return _recognize_bare(identifier.normal_form[len(identifier.root) :])
    return _recognize_named(named)


def fold_known(name: str) -> str:
    """Return a name of a well-known scheme in the case of its scheme; any other stays as it is."""
    scheme = known_schemes().get(f"{name.partition(':')[0]}:")
    return name if scheme is None else scheme.fold(name)


def _recognize_named(identifier: Identifier) -> KnownName | None:
    # Namespaces such as `urn:nbn:` have a scheme of their own.
    for above in (*reversed(identifier.ancestors), identifier.normal_form):
        scheme = known_schemes().get(above)
        if scheme is not None:
            name = scheme.fold(identifier.normal_form)
            return KnownName(scheme, name, _locate(scheme, name))
    return None


def _recognize_bare(text: str) -> KnownName | None:
    """Recognize a name without its scheme by its distinctive form; the first scheme of the file counts."""
    return next(_bare_names(text), None)


def _bare_names(text: str) -> Iterator[KnownName]:
    for scheme in known_schemes().values():
        if not scheme.identifier.endswith(":") or scheme.identifier.count(":") > 1:
            continue  # people leave out a scheme, not a namespace
        name = scheme.fold(f"{scheme.identifier}{text}")
        rest = name[len(scheme.identifier) :]
        is_fitting = any(
            rule.pattern.precedence[0] >= _LEAST_LITERAL and rule.pattern.match(rest) for rule in scheme.rules
        )
        if is_fitting and (identifier := read_identifier(name)) is not None:
            yield KnownName(
                scheme, identifier.normal_form, _locate(scheme, identifier.normal_form), is_bare=True
            )


def _locate(scheme: KnownScheme, name: str) -> str | None:
    location = scheme.locate(name)
    return location if location and is_location(location) else None
