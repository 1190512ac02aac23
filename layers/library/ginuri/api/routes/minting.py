"""Mints opaque names under a prefix: random ones, registered by uploads that register only new names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from ginuri.api.exchanges import Exchange, Pending, UploadName, read_parameters, write_json
from ginuri.api.models import MintRequest
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import Kind, Problem
from ginuri.api.routes.records import folder_for, refusal_of, require_writing
from ginuri.api.routes.reports import findings_of, read_json_report
from ginuri.api.routes.uploads import read_upload_options
from ginuri.api.submissions import Submission, Submitter, require_submission, seed_of
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.noid import LEAST_NAMES, Template, read_template
from ginuri.identifiers.roots import printable_name, root_of
from ginuri.web.response import Response

_PARAMETERS = frozenset(("dry-run", "many", "reason", "submitter", "language"))
ONLY_NEW = "only new"
"""The rule that refuses a name which is taken."""
MOST_TRIES = 5
"""The most uploads of one request: a template with enough names needs one, seldom two."""


@dataclass(frozen=True, slots=True)
class _Minting:
    """The names that are still to be registered by a request."""

    wanted: MintRequest
    template: Template
    prefix: str
    folder: str
    seed: bytes
    minted: tuple[str, ...] = ()
    tries: int = 1

    @property
    def missing(self) -> int:
        """The number of names that are still missing."""
        return self.wanted.count - len(self.minted)

    def candidates(self) -> list[str]:
        """Draw the names of this try, which are the same for a repeated request."""
        above = self.prefix.removeprefix(root_of(self.prefix))
        names = dict.fromkeys(
            f"{self.prefix}{self.template.write(number, above)}" for number in self._numbers()
        )
        return list(names)

    def _numbers(self) -> Iterator[int]:
        drawn: dict[int, None] = {}
        at = 0
        while len(drawn) < self.missing:
            block = hashlib.sha256(self.seed + f" {self.tries} {at}".encode()).digest()
            drawn[int.from_bytes(block) % self.template.size] = None
            at += 1
        return iter(drawn)


class MintRoutes:
    """The route `/api/identifiers`. Its method raises Problem and RegistryUnavailable."""

    def __init__(self, using: ApiCollaborators, submitter: Submitter) -> None:
        self._using, self._submitter = using, submitter

    def mint(self, exchange: Exchange, wanted: MintRequest) -> Response:
        """Register new names."""
        read_parameters(exchange.request, _PARAMETERS)
        template = _read_template(wanted.template)
        prefix = _read_prefix(wanted.prefix)
        if "identifier" in wanted.registration:
            raise Problem(
                Kind.MALFORMED, message("The registration of new names has no `identifier` itself.")
            )
        folder = folder_for(exchange, prefix)
        require_submission(exchange.caller, folder, read_upload_options(exchange.request))
        require_writing(exchange, folder, prefix)
        exchange.pending = self._upload(
            _Minting(wanted, template, prefix, folder, seed_of(exchange)), exchange
        )
        return exchange.pending.meanwhile

    def _upload(self, minting: _Minting, exchange: Exchange) -> Pending:
        names = minting.candidates()
        lines = [{**minting.wanted.registration, "identifier": printable_name(name)} for name in names]
        body = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        submission = Submission(
            minting.folder,
            ".jsonl",
            body.encode(errors="surrogatepass"),
            replace(read_upload_options(exchange.request), is_only_new=True),
            is_made=True,
            part="" if minting.tries == 1 else f"try {minting.tries}",
        )
        upload = self._submitter.submit(submission, exchange)
        waiting = _answer((*minting.minted, *names), upload, "waiting", HTTPStatus.ACCEPTED)
        return Pending(
            upload, lambda report: self._conclude(minting, names, upload, report, exchange), waiting
        )

    def _conclude(
        self, minting: _Minting, names: Sequence[str], upload: UploadName, written: bytes, exchange: Exchange
    ) -> Response | Pending:
        report = read_json_report(written)
        findings = [each for each in findings_of(report) if each["level"] == "refused"]
        if any(each["rule"] != ONLY_NEW for each in findings):
            raise refusal_of(report, upload)
        refused = {each["identifier"] for each in report["verdicts"] if each["verdict"] == "refused"}
        minted = (*minting.minted, *(name for name in names if name not in refused))
        if not refused:
            is_tried = report["dry_run"]
            return _answer(minted, upload, "complete", HTTPStatus.OK if is_tried else HTTPStatus.CREATED)
        if minting.tries == MOST_TRIES:
            raise Problem(
                Kind.CONFLICT,
                message(
                    "Most names of the template {template} are taken. Choose a longer one.",
                    template=minting.wanted.template,
                ),
                findings,
                report=upload.path,
            )
        further = _Minting(
            minting.wanted,
            minting.template,
            minting.prefix,
            minting.folder,
            minting.seed,
            minted,
            minting.tries + 1,
        )
        return self._upload(further, exchange)


def _answer(names: Sequence[str], upload: UploadName, state: str, status: HTTPStatus) -> Response:
    members = {
        "identifiers": [printable_name(name) for name in names],
        "upload": {"key": upload.key, "version": upload.version, "state": state, "report": upload.path},
    }
    return write_json(members, status, (("Location", upload.path),))


def _read_template(text: str) -> Template:
    template = read_template(text)
    if template is None or template.size < LEAST_NAMES:
        raise Problem(
            Kind.MALFORMED,
            message(
                "{template} is no template of NOID with at least {least} names. Write one such as {example}.",
                template=repr(text),
                least=f"{LEAST_NAMES:,}",
                example="eedeedeek",
            ),
        )
    return template


def _read_prefix(text: str) -> str:
    try:
        prefix = parse(text).normal_form
    except MalformedIdentifier as error:
        raise Problem(Kind.MALFORMED, error.words) from error
    if not prefix.endswith(("/", ":")):
        raise Problem(
            Kind.MALFORMED, message("A prefix ends in a slash, as in {example}.", example="uri-gin/azgs/doc/")
        )
    return prefix
