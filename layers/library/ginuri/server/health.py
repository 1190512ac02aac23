"""`/health`: whether a registry on one machine works, for its monitoring."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from http import HTTPStatus
from importlib.metadata import version

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.resolution.outcomes import MethodNotAllowed, Options, Unavailable
from ginuri.server.problems import refuse
from ginuri.sqlite.database import Database
from ginuri.sqlite.lock import is_ingesting
from ginuri.sqlite.queue import SqliteQueue
from ginuri.web.headers import ALLOW, PREFLIGHT, cache
from ginuri.web.request import Request, refuse_method
from ginuri.web.response import Answered, Headers, Response

_HEADERS: Headers = (("Content-Type", "application/json"), *cache(0))


@dataclass(frozen=True, slots=True)
class Health:
    """The registry answers; its uploads are processed, or not."""


def answer_health(request: Request, database: Database) -> Answered:
    """Answer with 200 if the records can be read, else with 503."""
    refused = refuse_method(request)
    if isinstance(refused, Options):
        return Answered(refused, Response(HTTPStatus.NO_CONTENT, PREFLIGHT))
    if isinstance(refused, MethodNotAllowed):
        return Answered(refused, refuse(HTTPStatus.METHOD_NOT_ALLOWED, "Use GET.", (("Allow", ALLOW),)))
    state: dict[str, object] = {"version": version("ginuri")}
    outcome: Health | Unavailable = Health()
    try:
        database.read("SELECT 1 FROM record LIMIT 1")
        state |= {"records": True, "ingest": is_ingesting(database.folder)}
        state["queue"] = asdict(SqliteQueue(database).state())
    except RegistryUnavailable as error:
        outcome = Unavailable(error.retry_after, str(error))
        state |= {"records": False, "reason": str(error)}
    status = HTTPStatus.OK if isinstance(outcome, Health) else HTTPStatus.SERVICE_UNAVAILABLE
    return Answered(outcome, Response(status, _HEADERS, json.dumps(state).encode()))
