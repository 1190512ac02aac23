"""Submits uploads on behalf of a caller: the name, the metadata, and the repetition of a request."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass

from ginuri.api.authentication import Caller
from ginuri.api.exchanges import Exchange, UploadName
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import Kind, Problem
from ginuri.files.formats import MOST_KEY_BYTES
from ginuri.files.mapping.stored_mapping import MOST_METADATA_BYTES
from ginuri.files.options import UploadOptions, write_options
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier, UploadExists
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import folder_to_prefix, prefix_to_folder
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.ingest.principals import Principal, write_principal
from ginuri.registration.authorization import Right
from ginuri.web.request import Request

REQUEST = "request"
"""The metadata with the digest of the request, by which its repetition is recognized."""
_IDEMPOTENCY_KEY = "idempotency-key"
_KEY = re.compile(r"[!-~]{1,255}")
_OPTIONS_WITH_PERMISSION = {"is_correction": "correction", "is_many": "many", "snapshot": "snapshot"}


@dataclass(frozen=True, slots=True)
class Submission:
    """A file to upload."""

    folder: str
    name: str
    """The name of the file, or its suffix if `is_made`."""
    body: bytes
    options: UploadOptions
    is_made: bool = False
    """Whether the interface names the file: each one is a new key."""
    part: str = ""
    """Distinguishes the uploads of one request."""

    def metadata(self, exchange: Exchange) -> dict[str, str]:
        """Return the metadata, which pin the upload to what its token may. Raises Problem."""
        caller = exchange.caller
        metadata = {
            **write_options(self.options),
            **write_principal(Principal(caller.token.owner, caller.scope(self.folder), caller.token.id)),
        }
        if exchange.request.headers.get(_IDEMPOTENCY_KEY):
            metadata[REQUEST] = _digest(exchange.request)
        if sum(len(name) + len(value) for name, value in metadata.items()) > MOST_METADATA_BYTES:
            raise Problem(
                Kind.MALFORMED,
                message(
                    "The options of an upload have at most {most} bytes together. Shorten the reason, or the "
                    "mapping.",
                    most=f"{MOST_METADATA_BYTES:,}",
                ),
            )
        return metadata


class Submitter:
    """Puts uploads; a repeated request with an idempotency key puts none."""

    def __init__(self, using: ApiCollaborators) -> None:
        self._using = using

    def submit(self, submission: Submission, exchange: Exchange) -> UploadName:
        """Put an upload, or find the one of the same request. Raises Problem and RegistryUnavailable."""
        metadata = submission.metadata(exchange)
        if (stem := _idempotent_stem(exchange, submission.part)) is None:
            key = _checked(
                submission.folder,
                f"api-{secrets.token_hex(16)}{submission.name}" if submission.is_made else submission.name,
            )
            return UploadName(key, self._using.putter.put(key, submission.body, metadata))
        if repeated := self.repeated(submission.folder, exchange, submission.part):
            return repeated
        key = _checked(submission.folder, f"{stem}{_suffix(submission.name)}")
        try:
            return UploadName(key, self._using.putter.put(key, submission.body, metadata, is_new=True))
        except UploadExists:  # by the same request at the same moment
            if repeated := self.repeated(submission.folder, exchange, submission.part):
                return repeated
            raise

    def repeated(self, folder: str, exchange: Exchange, part: str = "") -> UploadName | None:
        """Find the upload of an earlier request with the same idempotency key; None without one.

        Raises Problem if that was another request.
        """
        stem = _idempotent_stem(exchange, part)
        if stem is None:
            return None
        prefix = f"{folder}{stem}"
        found = next(
            (each for each in self._using.reports.versions(prefix) if each.key.startswith(prefix)), None
        )
        if found is None:
            return None
        if self._using.reports.metadata(found.key, found.version).get(REQUEST) != _digest(exchange.request):
            raise Problem(
                Kind.REUSED_KEY,
                message("This Idempotency-Key was used for another request. Send another key."),
            )
        return UploadName(found.key, found.version)


def seed_of(exchange: Exchange) -> bytes:
    """Return the seed of random names: the same for a repeated request with an idempotency key."""
    stem = _idempotent_stem(exchange, "seed")
    return secrets.token_bytes(32) if stem is None else stem.encode()


def read_folder(text: str) -> str:
    """Read the folder of an upload as it is, in its normal form. Raises Problem."""
    if text == HOST_FOLDER:
        return text
    try:
        normal = prefix_to_folder(parse(folder_to_prefix(text)).normal_form)
    except MalformedIdentifier as error:
        raise Problem(Kind.MALFORMED, error.words) from error
    is_folder = text == normal and text.endswith("/") and "//" not in text
    if not is_folder or {".", ".."} & {*text.split("/")}:
        raise Problem(
            Kind.MALFORMED,
            message(
                "{folder} is no folder. Write it as in {example}.", folder=repr(text), example="uri-gin/azgs/"
            ),
        )
    return text


def folder_of_key(key: str) -> str:
    """Return the folder of an upload. Raises Problem for a key that is none."""
    folder = read_folder(key[: key.rfind("/") + 1])
    if key == folder:
        raise Problem(Kind.MALFORMED, message("The key of an upload ends with the name of a file."))
    return folder


def require_submission(caller: Caller, folder: str, options: UploadOptions) -> None:
    """Raise Problem if the caller may not upload to a folder, or not with these options."""
    if Right.RETIRE not in caller.rights(folder):
        caller.require(Right.REGISTER, folder)
    for name, option in _OPTIONS_WITH_PERMISSION.items():
        if getattr(options, name):
            caller.require_option(option)


def _idempotent_stem(exchange: Exchange, part: str) -> str | None:
    """Return the name that an idempotency key stands for; None without one. Raises Problem."""
    key = exchange.request.headers.get(_IDEMPOTENCY_KEY)
    if key is None:
        return None
    if _KEY.fullmatch(key) is None:
        raise Problem(
            Kind.MALFORMED, message("An Idempotency-Key has 1 to 255 characters of ASCII, without blanks.")
        )
    text = "\n".join((exchange.caller.token.owner, key, *filter(None, (part,))))
    return f"api-{hashlib.sha256(text.encode()).hexdigest()[:40]}"


def _suffix(name: str) -> str:
    """Return the suffixes by which a file is read.

    >>> [_suffix(name) for name in (".jsonl", "wells.2026.csv.gz", "map", "a.ttl.file")]
    ['.jsonl', '.csv.gz', '', '.ttl.file']
    """
    found = re.search(r"(?:\.[A-Za-z]{1,8})?\.[A-Za-z]{1,8}\Z", name)
    return found[0] if found else ""


def _checked(folder: str, name: str) -> str:
    if not name or "/" in name or not name.isprintable() or name in {".", ".."}:
        raise Problem(
            Kind.MALFORMED,
            message("{name} is no name of a file. Write one without slashes.", name=repr(name)),
        )
    key = f"{folder}{name}"
    if len(key.encode(errors="replace")) > MOST_KEY_BYTES:
        raise Problem(
            Kind.MALFORMED,
            message(
                "Folder and file name may have at most {most} bytes together. Shorten the file name.",
                most=f"{MOST_KEY_BYTES:,}",
            ),
        )
    return key


def _digest(request: Request) -> str:
    """Return the digest of all that a repeated request has in common."""
    digest = hashlib.sha256()
    parameters = sorted(request.parameters.items())
    conditions = [request.headers.get(name, "") for name in ("if-match", "if-none-match")]
    for part in (request.method, request.path, repr(parameters), repr(conditions)):
        digest.update(f"{len(part)} {part}\n".encode(errors="surrogatepass"))
    digest.update(request.body)
    return digest.hexdigest()
