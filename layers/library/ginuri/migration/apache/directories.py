"""The names of directories without their final slash, which Apache httpd leads to those with it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from ginuri.migration.apache.configuration import Configuration
from ginuri.migration.apache.plan import Plan
from ginuri.migration.apache.requests import Applied
from ginuri.migration.entries import Registration

_MOVED = 301


def write_directories(
    host: str, configurations: Mapping[str, Configuration], plan: Plan, registered: Container[str]
) -> Iterator[tuple[Applied, Registration]]:
    """Yield the registration of each such name, with a directive of its directory.

    `registered` has the paths of single names. A name is left out if nothing would answer for it.
    """
    for directory, configuration in configurations.items():
        path = directory[:-1]
        directive = next(iter(configuration.directives), None)
        if not path or path in registered or directive is None or not _adds_slash(plan, host, path):
            continue
        name = f"http://{host}{path}"
        if directory in registered:
            yield directive, {"record": "alias", "identifier": name, "stands_for": f"{name}/"}
        elif plan.candidates.winner(path) is not None:
            location = f"https://{host}{directory}"
            yield (
                directive,
                {"identifier": name, "kind": "document", "location": location, "status_code": _MOVED},
            )


def _adds_slash(plan: Plan, host: str, path: str) -> bool:
    answers = {(answer.status, answer.location) for answer in plan.responder.answers(path).values()}
    return answers == {(_MOVED, f"https://{host}{path}/")}
