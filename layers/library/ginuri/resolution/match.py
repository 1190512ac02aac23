"""The record that answers for an identifier, and its representations: `find_match`.

Its own record, or one that it is a part of, or a rule above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from ginuri.frozen import Frozen
from ginuri.identifiers import Identifier, Kind
from ginuri.identifiers.roots import kind_by_syntax
from ginuri.registry.locations import is_location
from ginuri.registry.model import Prefix, Registered, Representation, Resource
from ginuri.registry.ports import Found
from ginuri.registry.statuses import STATUSES
from ginuri.registry.version_names import documents_above, versioned_by


class Match(Frozen):
    """The record that answers for an identifier, and its representations that apply."""

    identifier: Identifier
    record: Registered
    kind: Kind
    offered: tuple[Representation, ...] = ()
    is_retired: bool = False
    """Whether a part is retired while its record is not, or a rule states that all under it is gone."""
    is_ruled_out: bool = False
    """Whether a rule states that the identifier does not exist."""
    is_part: bool = False
    """Whether it is one form of the record, under the form's own name."""
    passes_query: bool = False
    below: str = ""
    """The part of the identifier below the version in force, or below the one called `version`."""
    version: str | None = None

    @property
    def has_versions(self) -> bool:
        """Whether its representations have days of validity."""
        return any(form.valid_from for form in self.offered)


def find_match(found: Found) -> Match | None:
    """Find the match of an identifier: its record, that of a form or version, or a rule."""
    return _match_record(found.identifier, found) or _match_version(found) or _match_rule(found)


def _match_record(identifier: Identifier, found: Found) -> Match | None:
    record = found.record
    if isinstance(record, Resource):
        kind = record.kind or identifier.kind
        offered = reachable(record.representations)
        if kind is Kind.THING:  # a thing cannot be sent: its stored form needs its own address
            offered = tuple([form for form in offered if form.part or not form.file or form.valid_from])
        return Match(identifier, record, kind, offered)
    if record is not None and not isinstance(record, Prefix):
        return Match(identifier, record, Kind.THING)
    if identifier.is_terminated:
        return None
    name = identifier.normal_form
    for stem in (*identifier.stems, identifier.ancestors[-1] if identifier.ancestors else ""):
        holder = found.resource(stem)
        if holder is not None and (part := _part(identifier, holder, name[len(stem) :])):
            return part
    return _below(identifier, found)


def _match_version(found: Found) -> Match | None:
    for identifier in versioned_by(found.identifier):
        matched = _match_record(identifier, Found(identifier, found.records))
        if matched is not None and (matched.has_versions or _is_hidden(matched.record)):
            return matched
    return None


def _match_rule(found: Found) -> Match | None:
    from ginuri.resolution.rules import find_rule

    ruled = find_rule(found)
    if ruled is None:
        return None
    rule, record = ruled
    return Match(
        found.identifier,
        record,
        record.kind or found.identifier.kind,
        reachable(record.representations),
        is_retired=rule.status_code == HTTPStatus.GONE,
        is_ruled_out=rule.status_code == HTTPStatus.NOT_FOUND,
        passes_query=rule.pass_query,
    )


def _is_hidden(record: Registered) -> bool:
    return STATUSES[record.status].is_hidden


def _part(identifier: Identifier, holder: Resource, rest: str) -> Match | None:
    if _is_hidden(holder):  # even for unknown parts, as the existing ones are hidden
        return Match(identifier, holder, identifier.kind)
    exact = tuple(form for form in holder.representations if form.part == rest)
    # By the generic syntax, also for schemes without kinds: the part was registered as a form.
    if exact and kind_by_syntax(identifier.normal_form) is Kind.REPRESENTATION:
        return Match(identifier, holder, Kind.REPRESENTATION, reachable(exact), is_part=True)
    # A part makes the abstract document before its first dot: `image.pdf` and `image.tif` make `image`.
    forms = tuple(form for form in holder.representations if rest and form.stem == rest)
    if forms:
        return Match(identifier, holder, Kind.DOCUMENT, reachable(forms))
    if rest in holder.retired_parts:
        return Match(identifier, holder, identifier.kind, is_retired=True)
    return None


def _below(identifier: Identifier, found: Found) -> Match | None:
    for document, version in documents_above(identifier):
        holder = found.resource(document)
        if holder is None:
            continue
        rest = identifier.normal_form[len(document) :]
        if part := _part(identifier, holder, rest):
            return part
        # `…/X/data.xml` and `…/X/current/data.xml` are also forms of a version, under another name.
        last = rest[rest.rindex("/") :]
        forms = tuple(form for form in holder.representations if form.part == f"/{form.valid_from}{last}")
        if forms:
            offered = reachable(forms)
            return Match(
                identifier, holder, Kind.REPRESENTATION, offered, is_part=True, below=last, version=version
            )
    return None


def reachable(representations: Sequence[Representation]) -> tuple[Representation, ...]:
    """Leave out the representations without a possible location."""
    # A location is checked at upload and once more here: only these may become redirects.
    return tuple(
        [  # a list is faster than a generator, here and in the functions above, which every redirect runs
            form
            for form in representations
            if (is_location(form.location) if form.location else form.file or form.identifier)
        ]
    )
