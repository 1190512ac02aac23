"""The flow of a request for a description of an identifier, the list of its members, or its QR code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ginuri.descriptions.references import add_mentioned
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.grammars.gin import MOST_BYTES
from ginuri.identifiers.service_paths import members_path, qr_code_path
from ginuri.registry.lists.listing import Listing, ListReader
from ginuri.registry.moments import RecordsAt
from ginuri.resolution.decision import Question
from ginuri.resolution.descriptions.canonical_forms import find_canonical_form
from ginuri.resolution.descriptions.decision import (
    Describe,
    DescribeNormalForm,
    ListMembers,
    ListOrder,
    Outcome,
    add_uploads,
    decide_description,
    decide_list,
    decide_qr_code,
    negotiate_language,
    reconsider_description,
)
from ginuri.resolution.descriptions.formats import HTML
from ginuri.resolution.descriptions.paths import (
    DescriptionRequest,
    address,
    name_asked,
    read_description_path,
    read_list_path,
    read_qr_code_path,
)
from ginuri.resolution.fallbacks import fall_back
from ginuri.resolution.outcomes import Malformed, NotRegistered
from ginuri.resolution.resolve import name_fault
from ginuri.web.request import Request

if TYPE_CHECKING:
    from ginuri.registry.ports import RecordReader
    from ginuri.service.describe import Collaborators


def describe(request: Request, using: Collaborators) -> Outcome:
    """Decide the outcome, with everything that a description needs. Raises RegistryUnavailable."""
    listed, drawn = read_list_path(request.path), read_qr_code_path(request.path)
    path = listed or drawn or read_description_path(request.path)
    try:
        identifier = name_asked(path, request.host, using.canonical_host)
    except MalformedIdentifier as error:
        return name_fault(error)
    if listed:
        return _list(request, listed, identifier, using)
    if drawn:
        return _draw(request, identifier, using)
    return _describe(request, path, identifier, using)


def _describe(
    request: Request, path: DescriptionRequest, identifier: Identifier, using: Collaborators
) -> Outcome:
    if _is_respelled(identifier):
        return DescribeNormalForm(address(identifier, path.extension))
    reader = RecordsAt(using.reader, request.moment)
    found = add_mentioned(using.finder.find(identifier, request.moment), reader, using.canonical_host)
    outcome = decide_description(path, found, request.preferences, using.canonical_host)
    if isinstance(outcome, NotRegistered):
        question = Question(identifier, request.moment, (request.host, using.canonical_host))
        fallen = fall_back(outcome, question, using.finder)
        near = using.finder.near(outcome.found.identifier)
        outcome = reconsider_description(path, outcome, near, fallen)
        if isinstance(outcome, NotRegistered) and request.preferences.names_html:
            from ginuri.resolution.neighbours import add_neighbours

            outcome = add_neighbours(outcome, using.finder)
    if not isinstance(outcome, Describe):
        return outcome
    if using.stamps is not None:
        outcome = add_uploads(outcome, using.stamps)
    if outcome.record.rules:
        outcome = _add_rules(outcome, request, reader, using)
    listing = _count(ListReader(using.lister, reader).show(outcome.record, found), outcome, using)
    return replace(negotiate_language(outcome, request.preferences), host=request.host, listing=listing)


def _is_respelled(identifier: Identifier) -> bool:
    # A path of the service has no normal form, unless its host has given it up.
    return not identifier.is_normal and not identifier.is_of_service


def _add_rules(outcome: Describe, request: Request, reader: RecordReader, using: Collaborators) -> Describe:
    """Add the rules of a prefix that are in other records, those of one page."""
    from ginuri.registry.lists.rules import read_rules

    after = request.parameters.get("after", "")
    is_beginning = after.isascii() and after.isprintable() and len(after) <= MOST_BYTES
    page = read_rules(outcome.record, using.lister, reader, after if is_beginning else "")
    return replace(outcome, record=replace(outcome.record, rules=page.rules), next_rules=page.next_cursor)


def _count(listing: Listing, outcome: Describe, using: Collaborators) -> Listing:
    """Add the number of members to a long list on a page, if the last daily run counted them."""
    if outcome.extension != HTML or listing.is_whole or listing.register:
        return listing
    figures = using.read_figures()
    return replace(listing, total=figures.count(outcome.identifier.normal_form)) if figures else listing


def _draw(request: Request, identifier: Identifier, using: Collaborators) -> Outcome:
    if _is_respelled(identifier):
        return DescribeNormalForm(qr_code_path(identifier.normal_form))
    return decide_qr_code(using.finder.find(identifier, request.moment), using.canonical_host)


def _list(
    request: Request, path: DescriptionRequest, identifier: Identifier, using: Collaborators
) -> Outcome:
    after = request.parameters.get("after", "")
    try:  # a page ends at an identifier; the index rejects some other texts
        cursor = parse(after).normal_form if after else ""
    except MalformedIdentifier as error:
        return Malformed(error)
    if _is_respelled(identifier):
        return DescribeNormalForm(members_path(str(identifier), extension=path.extension or "", after=cursor))
    found = using.finder.find(identifier, request.moment)
    outcome = decide_list(path, found, request.preferences, using.canonical_host)
    if not isinstance(outcome, ListMembers):
        return outcome
    reader = ListReader(using.lister, RecordsAt(using.reader, request.moment))
    listing = _count(reader.page(outcome.record, found, cursor), outcome, using)
    form = find_canonical_form(outcome.record, listing, found, using.finder, request.moment)
    sort = request.parameters.get("sort", "")
    order = ListOrder(sort) if sort in {*ListOrder} and listing.is_whole else ListOrder.IDENTIFIER
    outcome = replace(outcome, listing=replace(listing, canonical_media_type=form), order=order)
    return negotiate_language(outcome, request.preferences)
