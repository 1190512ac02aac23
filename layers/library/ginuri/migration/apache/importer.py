"""Converts the configuration of a host in Apache httpd to registrations with the same answers.

The directives are run, as Apache httpd does, on examples of the names that they match, once for each kind of
client; what was answered is registered. `plan.py` has the candidates, `rewriting.py` runs the rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from ginuri.identifiers.messages import Message, message
from ginuri.migration.apache.answers import Responder
from ginuri.migration.apache.candidates import Candidate, Candidates
from ginuri.migration.apache.configuration import Configuration
from ginuri.migration.apache.contexts import find_contexts, group_contexts
from ginuri.migration.apache.directive_patterns import (
    TranslatedDirective,
    find_names,
    find_regions,
    translate_directives,
)
from ginuri.migration.apache.directories import write_directories
from ginuri.migration.apache.folders import read_folders, read_server
from ginuri.migration.apache.outcomes import Accounts
from ginuri.migration.apache.plan import Plan
from ginuri.migration.apache.registrations import write_registration
from ginuri.migration.apache.site import Site
from ginuri.migration.entries import Files, Outcome, Registration

_BROKEN = {403, 500}
_GONE = 410


class Scope(StrEnum):
    """Where directives are stated."""

    FOLDER = "folder"
    SERVER = "server"


def import_apache(files: Files, host: str, scope: Scope = Scope.FOLDER) -> Iterator[Outcome]:
    """Convert the directives of these files."""
    yield from convert_site(read_folders(files, host) if scope is Scope.FOLDER else read_server(files, host))


def convert_site(site: Site, paths: Sequence[str] = ()) -> Iterator[Outcome]:
    """Convert the directives of a site; these paths are registered by themselves, if they are redirected."""
    for configurations in _groups(site):
        yield from _convert(site, configurations, paths)


def _groups(site: Site) -> Iterator[Mapping[str, Configuration]]:
    """Divide a site by the first segment of its paths: rules of one group match no names of another."""
    groups: dict[str, dict[str, Configuration]] = defaultdict(dict)
    for directory, configuration in site.configurations.items():
        groups[directory.partition("/")[2].partition("/")[0]][directory] = configuration
    yield from groups.values()


def _convert(
    site: Site, configurations: Mapping[str, Configuration], paths: Sequence[str]
) -> Iterator[Outcome]:
    working = {name: each for name, each in configurations.items() if each.fault is None}
    directives = list(translate_directives(working))
    contexts = find_contexts(working.values())
    plan = Plan(Responder(site, group_contexts(contexts, working.values())))
    plan.add(_candidates(working, directives, paths))
    plan.settle()
    accounts = Accounts(plan, directives)
    registered = Candidates()
    for candidate in plan.candidates:
        line = _register(candidate, plan, site.host)
        if line is not None:
            accounts.note(candidate, line)
        if isinstance(line, Mapping):
            registered.add(candidate)
    for holders, line in write_directories(site.host, working, plan, registered):
        accounts.attach(holders, line)
    yield from accounts.close(configurations.values())


def _candidates(
    configurations: Mapping[str, Configuration],
    directives: Sequence[TranslatedDirective],
    paths: Sequence[str],
) -> Sequence[Candidate]:
    """Return the candidates of all directives, each once, and those for names that may differ from others."""
    candidates: dict[Candidate, Candidate] = {}
    for directive in directives:
        for candidate in directive.candidates:
            known = candidates.get(candidate)
            candidates[candidate] = candidate if known is None else known.owned_by(*candidate.owners)
    for region in find_regions(configurations, directives):
        candidates.setdefault(region, region)
    for name in find_names(paths, directives):
        candidates[name] = replace(candidates.get(name, name), is_required=True)
    return list(candidates.values())


def _register(candidate: Candidate, plan: Plan, host: str) -> Registration | Message | None:
    """Write a candidate as a registration; None if its names need none."""
    table = plan.tables[candidate]
    statuses = {cell.status for cell in table.values()}
    if not any(cell.is_redirect for cell in table.values()):
        if statuses & _BROKEN:
            return message("Apache httpd answers {status}.", status=str(min(statuses & _BROKEN)))
        if not plan.is_needed(candidate) and _GONE not in statuses:
            return None
    elif not (candidate.is_required or plan.is_used(candidate) or plan.is_needed(candidate)):
        return None
    return write_registration(candidate, table, plan.responder, host)
