"""The routes of uploads: a file is uploaded, its report read, and it is undone."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from ginuri.api.exchanges import Exchange, Pending, UploadName, read_parameters, write_json
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import Kind, Problem, preferred_language
from ginuri.api.routes.reports import (
    MOST_LISTED,
    RETRY_SECONDS,
    STATES,
    answer_refused,
    answer_report,
    list_uploads,
    read_json_report,
    read_whole_report,
    send_report,
)
from ginuri.api.routes.rows import MOST_ROWS, ROWS, list_rows
from ginuri.api.submissions import (
    Submission,
    Submitter,
    folder_of_key,
    read_folder,
    require_submission,
)
from ginuri.files.formats import reader_for, stored_as
from ginuri.files.options import TEXTS, UploadOptions, read_options
from ginuri.files.reports.listed_uploads import find_last_attempt
from ginuri.files.undoing import UndoPlan, changed_records, plan_undo, undo_name
from ginuri.identifiers.messages import message
from ginuri.registration.authorization import Right, outermost
from ginuri.registry.model import Status
from ginuri.web.request import Request
from ginuri.web.response import Response

PRESIGNED_SECONDS = 300
BYTES = "application/octet-stream"
LARGEST_FILE = 1024 * 1024 * 1024
"""The most bytes of a file that a client puts itself, as of a file that is read line by line."""
_FLAGS = frozenset(("dry-run", "many", "correction", "store", "strict-tests", "only-new"))
UPLOAD_PARAMETERS = frozenset(("folder", "name", "size", *_FLAGS, *TEXTS.values()))
_BOOLEAN = frozenset(("true", "false"))
_MOST_PLACES = 10
_DRY_RUN = "dry-run"


class UploadRoutes:
    """The routes below `/api/uploads`. Their methods raise Problem and RegistryUnavailable."""

    def __init__(self, using: ApiCollaborators, submitter: Submitter) -> None:
        self._using, self._submitter = using, submitter

    def upload(self, exchange: Exchange) -> Response:
        """Upload a file, or sign the request for a large one."""
        request = exchange.request
        parameters = read_parameters(request, UPLOAD_PARAMETERS)
        folder = read_folder(_required(parameters, "folder"))
        name, options = _required(parameters, "name"), read_upload_options(request)
        require_submission(exchange.caller, folder, options)
        submission = Submission(folder, name, request.body, options)
        if request.headers.get("content-type", "").lower().startswith("multipart/"):
            raise Problem(
                Kind.MEDIA_TYPE,
                message("Send the file itself as the body, as {type}.", type=BYTES),
                headers=(("Accept", BYTES),),
            )
        if "size" in parameters:
            return self._sign(submission, exchange, parameters["size"])
        if not request.body:
            raise Problem(
                Kind.MALFORMED,
                message(
                    "The body of the request is the file. To upload it separately, state its {size}.",
                    size="size",
                ),
            )
        if len(request.body) > self._using.most_bytes:
            raise Problem(
                Kind.TOO_LARGE,
                message(
                    "A file in a request has at most {most} bytes. For a larger one, state its {size}, "
                    "without a body.",
                    most=f"{self._using.most_bytes:,}",
                    size="size",
                ),
            )
        return self.answer(self._submitter.submit(submission, exchange), exchange)

    def answer(self, upload: UploadName, exchange: Exchange) -> Response:
        """Answer with an upload, or with the report on it if the client waits for that."""
        meanwhile = accepted(upload)
        exchange.pending = Pending(upload, lambda report: send_report(self._using, upload, report), meanwhile)
        return meanwhile

    def _sign(self, submission: Submission, exchange: Exchange, written: str) -> Response:
        presigner = self._using.presigner
        if presigner is None:
            raise Problem(
                Kind.MALFORMED,
                message(
                    "Here, files are uploaded in the body of the request. Leave out {size}.", size="size"
                ),
            )
        size = read_number(written, "size", 1, LARGEST_FILE)
        if exchange.request.body:
            raise Problem(
                Kind.MALFORMED, message("State the {size} of a file, or send it, not both.", size="size")
            )
        name = submission.name
        key = f"{submission.folder}{name}"
        if any(each.key == key for each in self._using.reports.versions(key)):
            if reader_for(name, submission.options) is None:
                raise Problem(
                    Kind.CONFLICT,
                    message("There is a file {key} already. Choose another name for this one.", key=key),
                )
            key = f"{submission.folder}{secrets.token_hex(8)}-{name}"
        signed = presigner.presign(key, size, submission.metadata(exchange), PRESIGNED_SECONDS)
        put = {"url": signed.url, "headers": dict(signed.headers), "expires": PRESIGNED_SECONDS}
        return write_json({"key": key, "put": put}, HTTPStatus.CREATED)

    def list(self, exchange: Exchange) -> Response:
        """List the last uploads, to one folder or to all that the token may read."""
        parameters = read_parameters(exchange.request, frozenset(("folder", "last", "after", "state")))
        last = read_number(parameters.get("last", "20"), "last", 1, MOST_LISTED)
        after = read_number(parameters.get("after", "0"), "after", 0, 10**_MOST_PLACES)
        if (state := parameters.get("state")) is not None and state not in STATES:
            raise Problem(Kind.MALFORMED, message("A state is one of: {states}.", states=", ".join(STATES)))
        if "folder" in parameters:
            folders: Sequence[str] = [read_folder(parameters["folder"])]
            exchange.caller.require(Right.READ, folders[0])
        else:
            caller = exchange.caller
            folders = outermost(each for each in caller.token.folders if Right.READ in caller.rights(each))
        return write_json(list_uploads(self._using, folders, last, after, state or ""))

    def report(self, exchange: Exchange, upload: UploadName) -> Response:
        """Return the report on an upload, or its progress."""
        exchange.caller.require(Right.READ, folder_of_key(upload.key))
        answer = answer_report(self._using, upload)
        if answer.status is HTTPStatus.ACCEPTED:
            exchange.pending = Pending(
                upload, lambda report: send_report(self._using, upload, report), answer
            )
        return answer

    def rows(self, exchange: Exchange, upload: UploadName) -> Response:
        """Return rows of an upload with their verdicts."""
        exchange.caller.require(Right.READ, folder_of_key(upload.key))
        parameters = read_parameters(exchange.request, frozenset(("start", "most")))
        start = read_number(parameters.get("start", "1"), "start", 1, 10**_MOST_PLACES)
        most = read_number(parameters.get("most", str(ROWS)), "most", 1, MOST_ROWS)
        return write_json(list_rows(self._using, upload, start, most))

    def refused(self, exchange: Exchange, upload: UploadName) -> Response:
        """Return the refused lines of an upload."""
        exchange.caller.require(Right.READ, folder_of_key(upload.key))
        return answer_refused(self._using, upload)

    def undo(self, exchange: Exchange, upload: UploadName) -> Response:
        """Undo an upload by another one."""
        folder = folder_of_key(upload.key)
        parameters = read_parameters(exchange.request, frozenset((_DRY_RUN, "many")))
        flags = {name: _flag(parameters, name) for name in (_DRY_RUN, "many")}
        language = preferred_language(exchange.request.preferences.accept_language)
        options = UploadOptions(is_dry_run=flags[_DRY_RUN], is_many=flags["many"], language=language)
        exchange.caller.require(Right.READ, folder)
        require_submission(exchange.caller, folder, options)
        if repeated := self._submitter.repeated(folder, exchange):
            return self.answer(repeated, exchange)
        lines: list[str] = []
        plan = self._plan(upload, lines.extend)
        options = replace(options, is_correction=plan.is_correction, reason=plan.reason)
        require_submission(exchange.caller, folder, options)
        if not lines:
            raise Problem(
                Kind.CONFLICT,
                message("Nothing is left to undo: {reasons}", reasons=_reasons(plan) or "…"),
            )
        body = "".join(f"{line}\n" for line in lines).encode()
        name = undo_name(upload.key).rpartition("/")[2]
        submission = Submission(folder, name, body, options)
        if not options.is_dry_run:
            metadata = submission.metadata(exchange)
            for file in plan.files.values():  # so that registrations can name them again
                self._using.restorer.restore(file, stored_as(file.key), metadata)
        return self.answer(self._submitter.submit(submission, exchange), exchange)

    def _plan(self, upload: UploadName, add: Callable[[Iterable[str]], None]) -> UndoPlan:
        last = find_last_attempt(self._using.reports, upload.key, upload.version)
        written = read_whole_report(self._using, UploadName(upload.key, last))
        if written is None:
            raise Problem(
                Kind.NOT_FOUND, message("There is no report on this upload yet, so it cannot be undone.")
            )
        report = read_json_report(written)
        if report["dry_run"]:
            raise Problem(Kind.CONFLICT, message("The upload was a dry run and changed nothing."))
        plan = UndoPlan(upload.key, upload.version, add)
        return plan_undo(plan, changed_records(report), self._using.registry, self._find_below)

    def _find_below(self, prefixes: Sequence[str], reserved: set[str]) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for prefix in prefixes:
            after: str | None = ""
            while after is not None and prefix not in found:
                page = self._using.lister.members(prefix, after, 100)
                names = [name for name in page.names if name != prefix and name not in reserved]
                records = self._using.registry.fetch(names) if names else {}
                for name, record in records.items():
                    if record.status is not Status.RESERVED:
                        found.setdefault(prefix, name)
                after = page.next_cursor
        return found


def accepted(upload: UploadName) -> Response:
    """Answer that an upload waits to be processed."""
    members = {"key": upload.key, "version": upload.version, "state": "waiting", "report": upload.path}
    headers = (("Location", upload.path), ("Retry-After", str(RETRY_SECONDS)))
    return write_json(members, HTTPStatus.ACCEPTED, headers)


def read_upload_options(request: Request) -> UploadOptions:
    """Read the options of an upload from the parameters, under the names of its metadata. Raises Problem."""
    parameters = request.parameters
    for name in _FLAGS:
        _flag(parameters, name)
    # The metadata are escaped; parameters are decoded already.
    options = read_options({name: value for name, value in parameters.items() if name in _FLAGS})
    texts: dict[str, Any] = {
        field: parameters[name].strip() for field, name in TEXTS.items() if name in parameters
    }
    if not all(map(str.isprintable, texts.values())):
        raise Problem(Kind.MALFORMED, message("An option has no line breaks and no control characters."))
    chosen = replace(options, **texts)
    if chosen.is_correction and not chosen.reason:
        raise Problem(
            Kind.MALFORMED,
            message("A correction changes what an identifier names. State the {reason}.", reason="reason"),
        )
    return (
        chosen
        if chosen.language
        else replace(chosen, language=preferred_language(request.preferences.accept_language))
    )


def _flag(parameters: Mapping[str, str], name: str) -> bool:
    value = parameters.get(name, "false")
    if value not in _BOOLEAN:
        raise Problem(Kind.MALFORMED, message("{name} is `true` or `false`.", name=name))
    return value == "true"


def _required(parameters: Mapping[str, str], name: str) -> str:
    if not (value := parameters.get(name, "")):
        raise Problem(Kind.MALFORMED, message("The parameter {name} is missing.", name=name))
    return value


def read_number(written: str, name: str, least: int, most: int) -> int:
    """Read a number of a parameter. Raises Problem."""
    is_number = written.isascii() and written.isdecimal() and len(written) <= _MOST_PLACES
    if not (is_number and least <= int(written) <= most):
        raise Problem(
            Kind.MALFORMED,
            message(
                "{name} is a number from {least} to {most}.", name=name, least=str(least), most=str(most)
            ),
        )
    return int(written)


def _reasons(plan: UndoPlan) -> str:
    return (
        json.dumps(sorted({str(skip.because) for skip in plan.skipped}), ensure_ascii=False)
        if plan.skipped
        else ""
    )
