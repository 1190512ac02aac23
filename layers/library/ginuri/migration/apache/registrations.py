"""Candidates with their answers as registrations, with tests of what Apache httpd answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Message, message
from ginuri.migration.apache.answers import Responder, Table, is_template
from ginuri.migration.apache.candidates import Candidate
from ginuri.migration.apache.contexts import NOTHING, Client, Context
from ginuri.migration.apache.forms import Form, write_forms
from ginuri.migration.entries import Registration, reject_location
from ginuri.registry.rules.grammar import ALL_THE_REST

_MOST_TESTS = 2
_ENDED = {404, 410}
_QUERY = "q=1"
_SEE_OTHER = 303


def write_registration(
    candidate: Candidate, table: Table, responder: Responder, host: str
) -> Registration | Message:
    """Write a candidate as a registration, or give the reason why it cannot be one."""
    base = f"http://{host}"
    forms = write_forms(table)
    line: dict[str, Any] = {"identifier": f"{base}{candidate.prefix}{candidate.text}"}
    if not candidate.is_name or not forms:
        line = {"record": "rule", "identifier": f"{base}{candidate.prefix}"}
        line |= {} if candidate.text == ALL_THE_REST else {"pattern": candidate.text}
        line |= {"ignore_case": True} if candidate.ignore_case else {}
    if forms:
        line |= _write_forms(forms)
        if "record" in line and _passes_query(candidate, table, responder):
            line["pass_query"] = True
        if tests := list(_tests(candidate, table, responder)):
            line["tests"] = tests
    else:
        status = table[NOTHING].status
        line["status_code"] = status if status in _ENDED else 404
    return _find_fault(line, candidate, forms) or line


def _write_forms(forms: Sequence[Form]) -> dict[str, Any]:
    is_thing = all(form["status_code"] == _SEE_OTHER for form in forms)
    if is_thing:
        forms = [{name: value for name, value in form.items() if name != "status_code"} for form in forms]
    kind = {"kind": "thing" if is_thing else "document"}
    if len(forms) == 1 and not {"role", "profile"} & forms[0].keys():
        return kind | forms[0]
    return kind | {"representations": list(forms)}


def _find_fault(line: Registration, candidate: Candidate, forms: Sequence[Form]) -> Message | None:
    try:
        parse(line["identifier"])
    except MalformedIdentifier as error:
        return error.words
    if not candidate.text and "record" in line:
        return message("Here the prefix of a rule is answered by a registration of its own.")
    for form in forms:
        location = form["location"]
        if not is_template(location):
            return reject_location(location)
        if location.partition(":")[2] == f"//{line['identifier'].partition('//')[2]}":
            return message("It leads to itself.")
    return None


def _passes_query(candidate: Candidate, table: Table, responder: Responder) -> bool:
    redirected = (context for context, cell in table.items() if cell.is_redirect)
    context = next(redirected)
    path = candidate.paths[0]
    location = responder.answers(path)[context].location
    answer = responder.with_query(path, context, _QUERY)
    return answer.location in {f"{location}?{_QUERY}", f"{location}&{_QUERY}"}


def _tests(candidate: Candidate, table: Table, responder: Responder) -> Iterator[dict[str, Any]]:
    path = candidate.paths[0]
    seen: set[str] = set()
    for context in _tested(table):
        answer = responder.answers(path)[context]
        if table[context].is_redirect and answer.location not in seen and len(seen) < _MOST_TESTS:
            seen.add(answer.location)
            name = "" if candidate.is_name else path[len(candidate.prefix) :]
            headers = {"headers": {"Accept": context.media_type}} if context.media_type else {}
            test = {"status": answer.status, "target": answer.location}
            yield ({"path": name} if name else {}) | headers | test


def _tested(table: Table) -> Iterator[Context]:
    yield NOTHING
    yield from (context for context in table if context.client is Client.TYPE)
