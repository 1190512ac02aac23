"""The names of directories without their final slash, which Apache httpd leads to those with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ginuri.migration.apache.candidates import Candidates
from ginuri.migration.apache.configuration import Configuration
from ginuri.migration.apache.plan import Plan
from ginuri.migration.apache.requests import Applied
from ginuri.migration.entries import Registration

_MOVED = 301


def write_directories(
    host: str, configurations: Mapping[str, Configuration], plan: Plan, registered: Candidates
) -> Iterator[tuple[Applied, Registration]]:
    """Yield the registration of each such name, with a directive of its directory.

    A name is left out if the one with the slash is not registered.
    """
    for directory, configuration in configurations.items():
        path = directory[:-1]
        directive = next(iter(configuration.directives), None)
        if not path or directive is None or registered.winner(directory) is None:
            continue
        if not registered.has_name(path) and _adds_slash(plan, host, path):
            # An alias would be judged before the rules of its target.
            form = {"identifier": f"http://{host}{directory}", "status_code": _MOVED}
            yield (
                directive,
                {"identifier": f"http://{host}{path}", "kind": "document", "representations": [form]},
            )


def _adds_slash(plan: Plan, host: str, path: str) -> bool:
    answers = {(answer.status, answer.location) for answer in plan.responder.answers(path).values()}
    return answers == {(_MOVED, f"https://{host}{path}/")}
