"""The routes of many records at once, and of stored files: what an export, or the command, reads."""

from __future__ import annotations

from http import HTTPStatus

from ginuri.api.archive import MOST_NAMES, Asked, RecordArchive, RecordForm
from ginuri.api.exchanges import Exchange, UploadName, read_parameters, write_json
from ginuri.api.models import ReadRequest
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import PRIVATE, Kind, Problem
from ginuri.api.routes.uploads import read_number
from ginuri.api.submissions import folder_of_key, read_folder
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import ancestors_of, folder_to_prefix, prefix_to_folder
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.authorization import Right
from ginuri.web.response import Response, Stream

_MOST_NAME_BYTES = 2_048
"""The longest name of a record: the limit of a key in DynamoDB."""
_KIND = ("Content-Type", "application/octet-stream")


class ArchiveRoutes:
    """The routes `/api/records` and `/api/files`. Their methods raise Problem and RegistryUnavailable."""

    def __init__(self, using: ApiCollaborators) -> None:
        self._using = using

    def list(self, exchange: Exchange) -> Response:
        """List the records under a prefix, in pages."""
        parameters = read_parameters(exchange.request, frozenset(("under", "after", "most", "form")))
        folder = read_folder(prefix_to_folder(parameters.get("under", "")))
        exchange.caller.require(Right.READ, folder)
        if (form := parameters.get("form", RecordForm.LINES)) not in set(RecordForm):
            raise Problem(Kind.MALFORMED, message("A form is one of: {forms}.", forms=", ".join(RecordForm)))
        most = read_number(parameters.get("most", str(MOST_NAMES)), "most", 1, MOST_NAMES)
        after = parameters.get("after", "")
        if after and not (after.startswith(folder_to_prefix(folder)) and _is_possible(after)):
            raise Problem(Kind.MALFORMED, message("{name} is no cursor of this list.", name="after"))
        asked = Asked(folder_to_prefix(folder), after, most, RecordForm(form))
        return write_json(self._archive(exchange).page(asked))

    def read(self, exchange: Exchange, wanted: ReadRequest) -> Response:
        """Return the statements about stated identifiers."""
        names = list(filter(_is_possible, dict.fromkeys(wanted.names)))
        return write_json(self._archive(exchange).read(names, with_history=wanted.history))

    def file(self, exchange: Exchange, file: UploadName) -> Response:
        """Return a stored file, or a link to it."""
        exchange.caller.require(Right.READ, folder_of_key(file.key))
        opened = self._using.open_file(file.key, file.version)
        if opened is None:
            raise Problem(Kind.NOT_FOUND, message("There is no stored file {file}.", file=file.key))
        if isinstance(opened, Stream):
            return Response(HTTPStatus.OK, (_KIND, *PRIVATE), stream=opened)
        return Response(HTTPStatus.TEMPORARY_REDIRECT, (("Location", opened), *PRIVATE))

    def _archive(self, exchange: Exchange) -> RecordArchive:
        return RecordArchive(
            self._using.registry,
            self._using.lister,
            lambda name: _may_read(exchange, name),
            lambda name: _is_above(exchange, name),
        )


def _is_possible(name: str) -> bool:
    """Return whether a record may have this name: it is text of limited length."""
    return name.isprintable() and 0 < len(name.encode()) <= _MOST_NAME_BYTES


def _may_read(exchange: Exchange, name: str) -> bool:
    """Return whether the caller may read an identifier from a folder of the token."""
    prefixes = ((folder, folder_to_prefix(folder)) for folder in exchange.caller.token.folders)
    return any(
        name.startswith(prefix) and Right.READ in exchange.caller.rights(folder, name)
        for folder, prefix in prefixes
    )


def _is_above(exchange: Exchange, name: str) -> bool:
    """Return whether an identifier is above a folder of the token, such as its scheme and its authority."""
    if not name.endswith(("/", ":")):
        return False
    folders = exchange.caller.token.folders
    is_of_host_folder = HOST_FOLDER in folders and len(ancestors_of(name)) <= 1
    return is_of_host_folder or any(folder_to_prefix(folder).startswith(name) for folder in folders)
