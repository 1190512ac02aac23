"""The names of directories without their final slash, which Apache httpd leads to those with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ginuri.migration.apache.candidates import Candidates
from ginuri.migration.apache.configuration import Configuration
from ginuri.migration.apache.plan import Plan
from ginuri.migration.apache.requests import Applied
from ginuri.migration.entries import Registration

_MOVED = 301


def write_directories(
    host: str, configurations: Mapping[str, Configuration], plan: Plan, registered: Candidates
) -> Iterator[tuple[Sequence[Applied], Registration]]:
    """Yield the registration of each such name, with the directives of its directory, the last one first.

    A name is left out if the one with the slash is not registered.
    """
    for directory, configuration in configurations.items():
        path = directory[:-1]
        directives = configuration.directives[::-1]
        if not path or not directives or registered.winner(directory) is None:
            continue
        if not registered.has_name(path) and _adds_slash(plan, host, path):
            # An alias would be judged before the rules of its target.
            form = {"identifier": f"http://{host}{directory}", "status_code": _MOVED}
            line = {"identifier": f"http://{host}{path}", "kind": "document", "representations": [form]}
            yield directives, line


def _adds_slash(plan: Plan, host: str, path: str) -> bool:
    answers = {(answer.status, answer.location) for answer in plan.responder.answers(path).values()}
    return answers == {(_MOVED, f"https://{host}{path}/")}
