"""The routes of one identifier: its registration, its history, and changes to it as uploads of one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from ginuri.api.exchanges import (
    Exchange,
    Pending,
    UploadName,
    read_object,
    read_parameters,
    read_segment,
    write_json,
)
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import PRIVATE, Kind, Problem
from ginuri.api.replacement import complete
from ginuri.api.routes.reports import findings_of, read_json_report, send_report
from ginuri.api.routes.uploads import accepted, read_upload_options
from ginuri.api.submissions import Submission, Submitter, read_folder, require_submission
from ginuri.files.export import authority_folder, folders_of, write_lines
from ginuri.files.reports.listed_uploads import read_summaries
from ginuri.files.reports.summary import ReportSummary
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import folder_to_prefix, printable_name
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.authorization import Right
from ginuri.registry.model import RecordType
from ginuri.registry.record.entity_tags import entity_tag
from ginuri.registry.record.history import LAST_MOMENT, HistoryStep
from ginuri.registry.record.record import Record
from ginuri.registry.record.serialization import path_of
from ginuri.web.conditional.conditions import NotModified, PreconditionFailed, Proceed, Selected, evaluate
from ginuri.web.response import Response

HOST_RECORDS = {RecordType.SCHEME, RecordType.HOST, RecordType.AUTHORITY, RecordType.NAMESPACE}
_OF_PREFIX = {RecordType.RULE, RecordType.DELEGATION}
_PARAMETERS = frozenset(
    ("folder", "dry-run", "many", "correction", "only-new", "strict-tests", "reason", "submitter", "language")
)
_CONDITIONS = ("if-match", "if-none-match")


class RecordRoutes:
    """The routes below `/api/records`. Their methods raise Problem and RegistryUnavailable."""

    def __init__(self, using: ApiCollaborators, submitter: Submitter) -> None:
        self._using, self._submitter = using, submitter

    def read(self, exchange: Exchange, segment: str) -> Response:
        """Return the registration of an identifier, as an exported line, and its entity tag."""
        name = read_identifier(segment).normal_form
        record = self._record(name)
        require_reading(exchange, name, record)
        if record is None:
            raise Problem(Kind.NOT_FOUND, message("{identifier} is not registered.", identifier=name))
        lines = exported(name, record)
        own = [line for line in lines if line.get("record") not in _OF_PREFIX]
        tag = entity_tag(record)
        match evaluate(
            exchange.request.method, exchange.request.headers, Selected(etag=tag, modified=None, length=0)
        ):
            case NotModified():
                return Response(HTTPStatus.NOT_MODIFIED, (("ETag", tag), *PRIVATE))
            case PreconditionFailed():
                words = message("The entity tag of {identifier} is {tag}.", identifier=name, tag=tag)
                raise Problem(Kind.CONDITION, words)
            case Proceed():
                pass
        members = {
            "identifier": printable_name(name),
            "etag": tag,
            "registration": own[0] if own else None,
            "further": [line for line in lines if line not in own],
        }
        return write_json(members, headers=(("ETag", tag),))

    def history(self, exchange: Exchange, segment: str) -> Response:
        """Return the changes of an identifier, each with its upload and its principal."""
        name = read_identifier(segment).normal_form
        history = self._using.registry.history(name)
        require_reading(exchange, name, history.at(LAST_MOMENT))
        if not history.statements:
            raise Problem(Kind.NOT_FOUND, message("{identifier} was never registered.", identifier=name))
        steps = list(history.steps())
        uploads = [(step.stamp.upload, step.stamp.version) for step in steps]
        summaries = read_summaries(self._using.reports, uploads, self._using.mapper)
        changes = [_step(step, summaries.get(upload)) for step, upload in zip(steps, uploads, strict=True)]
        return write_json({"identifier": printable_name(name), "history": changes})

    def replace(self, exchange: Exchange, segment: str) -> Response:
        """Register an identifier as stated, and clear what it states besides."""
        return self._write(exchange, segment, is_whole=True)

    def change(self, exchange: Exchange, segment: str) -> Response:
        """Change the stated fields of an identifier."""
        return self._write(exchange, segment, is_whole=False)

    def _write(self, exchange: Exchange, segment: str, *, is_whole: bool) -> Response:
        request = exchange.request
        name = read_identifier(segment).normal_form
        parameters = read_parameters(request, _PARAMETERS)
        stated = _named(read_object(request), name)
        folder = (
            read_folder(parameters["folder"])
            if "folder" in parameters
            else folder_for(exchange, name, str(stated.get("record", "")))
        )
        options = read_upload_options(request)
        require_submission(exchange.caller, folder, options)
        require_writing(exchange, folder, name)
        if is_whole and stated.get("record") not in _OF_PREFIX and (record := self._record(name)) is not None:
            current = next(
                (line for line in exported(name, record) if line.get("record") not in _OF_PREFIX), {}
            )
            stated = complete(stated, current)
        tags, none = (request.headers.get(name, "").strip() for name in _CONDITIONS)
        options = replace(options, if_match=tags, if_none_match=none)
        body = f"{json.dumps(stated, ensure_ascii=False)}\n".encode(errors="surrogatepass")
        submission = Submission(folder, ".jsonl", body, options, is_made=True)
        upload = self._submitter.submit(submission, exchange)
        exchange.pending = Pending(upload, lambda report: self._judge(upload, report), accepted(upload))
        return exchange.pending.meanwhile

    def _judge(self, upload: UploadName, written: bytes) -> Response:
        report = read_json_report(written)
        if report["counts"]["refused"]:
            raise refusal_of(report, upload)
        return send_report(self._using, upload, written)

    def _record(self, name: str) -> Record | None:
        return self._using.registry.read([name]).get(name)


def refusal_of(report: Mapping[str, Any], upload: UploadName) -> Problem:
    """Return the problem of an upload with refused lines: 412 if only conditions failed."""
    findings = [each for each in findings_of(report) if each["level"] == "refused"]
    is_condition = bool(findings) and all(each["rule"] in _CONDITIONS for each in findings)
    return Problem(
        Kind.CONDITION if is_condition else Kind.REFUSED,
        message("{reason}", reason=" ".join(dict.fromkeys(str(each["message"]) for each in findings))),
        findings,
        report=upload.path,
    )


def exported(name: str, record: Record) -> list[dict[str, Any]]:
    """Return the lines of an export of one identifier."""
    values = record.values()
    lines = (line for folder in folders_of(name) for line in write_lines(name, values, folder))
    return [json.loads(line) for line in lines]


def read_identifier(segment: str) -> Identifier:
    """Read an identifier from an escaped segment of the path. Raises Problem."""
    try:
        identifier = parse(read_segment(segment))
    except MalformedIdentifier as error:
        raise Problem(Kind.MALFORMED, error.words) from error
    return replace(identifier, written=identifier.normal_form)


def folder_for(exchange: Exchange, name: str, record_type: str = "") -> str:
    """Return the folder from which the token registers an identifier: its narrowest one with that prefix.

    Raises Problem if it has none. A folder may also register some names outside its prefix, such as those of
    its sub-authorities: for them it is stated.
    """
    folders = exchange.caller.token.folders
    if HOST_FOLDER in folders and record_type in HOST_RECORDS:
        return HOST_FOLDER
    fitting = [folder for folder in folders if name.startswith(folder_to_prefix(folder))]
    if not fitting:
        raise Problem(
            Kind.FORBIDDEN,
            message(
                "No folder of the token is for {name}. Use another token, or state the {folder}.",
                name=name,
                folder="folder",
            ),
        )
    return max((*fitting, authority_folder(name)), key=len)


def require_reading(exchange: Exchange, name: str, record: Record | None) -> None:
    """Raise Problem if the caller may not read an identifier, whether it is registered or not."""
    record_type = str(record.values().get("record", "")) if record is not None else ""
    exchange.caller.require(Right.READ, folder_for(exchange, name, record_type), name)


def require_writing(exchange: Exchange, folder: str, name: str) -> None:
    """Raise Problem if the caller may not register an identifier."""
    if Right.RETIRE not in exchange.caller.rights(folder, name):
        exchange.caller.require(Right.REGISTER, folder, name)


def _named(stated: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the registration with the identifier of the path. Raises Problem if it names another one."""
    written = stated.get("identifier")
    try:
        is_same = written is None or (isinstance(written, str) and parse(written).normal_form == name)
    except MalformedIdentifier:
        is_same = False
    if not is_same:
        raise Problem(
            Kind.MALFORMED,
            message(
                "The registration names another identifier than the path, {identifier}.", identifier=name
            ),
        )
    return {**stated, "identifier": printable_name(name)}


def _step(step: HistoryStep, summary: ReportSummary | None) -> Mapping[str, Any]:
    stamp = step.stamp
    return {
        "put": stamp.put,
        "upload": stamp.upload,
        "version": stamp.version,
        "line": stamp.line,
        "principal": summary.uploader.principal or None if summary else None,
        "changes": [
            {"field": path_of(change.key), "from": change.before, "to": change.after}
            for change in step.fields
        ],
    }
