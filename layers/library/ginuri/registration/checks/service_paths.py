"""Checks names under the paths of the service, which a host gives up with `"pages": false`."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.identifiers import Identifier
from ginuri.identifiers.hosts import same_host
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.record.statements import Statements
from ginuri.resolution.reserved_paths import gives_up_paths

PAGES = "pages"


def judge_service_path(identifier: Identifier, context: JudgingContext) -> Iterator[Finding]:
    """Refuse a name, or a prefix of names, that the service has for itself on its host."""
    if identifier.is_of_service and not gives_up_paths(context.host, context.canonical_host):
        yield refuse(
            "identifier",
            "service",
            identifier,
            "{path} is a path of the service itself on every host that shows its pages. Use another path; or "
            'the operator states `"pages": false` for {host}, unless it is the canonical host.',
            path=f"/{identifier.segments[0]}",
            host=identifier.root,
        )


def judge_pages(identifier: Identifier, stated: Statements, context: JudgingContext) -> Iterator[Finding]:
    """Refuse a canonical host without pages; warn of names that are no longer answered."""
    if stated.value(PAGES) is False and same_host(identifier.root.strip("/"), context.canonical_host):
        yield refuse(
            PAGES,
            "canonical host",
            stated.value(PAGES),
            "{host} is the canonical host, which has the pages of all hosts. Leave the field empty.",
            host=identifier.root,
        )
    if stated.states(PAGES) and stated.value(PAGES) is not False and context.in_force.value(PAGES) is False:
        yield warn(
            PAGES,
            "names",
            stated.value(PAGES),
            "Names of {host} that begin with a path of the service, such as /registry/, are not answered any "
            "more: the service answers there again. They stay registered.",
            host=identifier.root,
        )
