"""Converts the registers of UKGovLD's registry-core to registrations.

Source: github.com/UKGovLD/registry-core, `ForwardingServiceImpl.java`, `RequestProcessor.java`. A forwarded
namespace leads on with its code, 307 by default, and drops the query of a request.

    entity of a register    a thing that is part of it, with its status and the statements about it
    the root register       the host
    its item, `…/_red`      another name of it; for an entity elsewhere, a document that leads there
    NamespaceForward        a rule for the namespace, and a document for its name
    FederatedRegister       a delegation if the other registry has the same path, else the same
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from ginuri.files.rdf.concepts import RegistrationBuilder
from ginuri.files.rdf.stated_triples import StatedTripleWriter
from ginuri.files.rdf.subjects import Subjects
from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import (
    ConvertedEntry,
    Files,
    Outcome,
    RefusedEntry,
    Registration,
    reject_location,
)
from ginuri.migration.faults import refuse_faulty
from ginuri.migration.ukgovld.registers import REG, RegisteredEntity, RegisterFile
from ginuri.registry.locations import is_location
from ginuri.registry.rules.grammar import ALL_THE_REST

_TARGET, _CODE = f"{REG}delegationTarget", f"{REG}forwardingCode"
_DCTERMS = "http://purl.org/dc/terms/"
_LABELS = ("http://www.w3.org/2004/02/skos/core#prefLabel", "http://www.w3.org/2000/01/rdf-schema#label")
_VALID, _RESERVED = "valid", "reserved"
_STATUSES = {
    "": _VALID,
    "statusSubmitted": _RESERVED,
    "statusReserved": _RESERVED,
    "statusNotAccepted": _RESERVED,
    "statusInvalid": "retired",
    "statusAccepted": _VALID,
    "statusValid": _VALID,
    "statusStable": _VALID,
    "statusExperimental": _VALID,
    "statusSuperseded": "superseded",
    "statusDeprecated": "superseded",
    "statusRetired": "retired",
}
_FOUND, _FORWARDED = 302, 307
_PROXIED = "200"
_CODES = {"200", "301", "302", "303", "307", "308"}
_FORWARDS = {"NamespaceForward", "FederatedRegister", "Delegated"}
_METADATA = {
    "dateSubmitted": (f"{_DCTERMS}dateSubmitted",),
    "dateAccepted": (f"{_DCTERMS}dateAccepted",),
    "modified": (f"{_DCTERMS}modified",),
    "notation": (f"{REG}notation",),
    "publisher": (f"{REG}owner", f"{REG}submitter"),
}
"""The properties of an item, or of its entity, that are registered as Dublin Core."""


def import_ukgovld(files: Files, base: str = "") -> Iterator[Outcome]:
    """Convert the entities of these files; `base` is the register of relative names.

    Raises UnreadableFile.
    """
    for file, content in files.items():
        conversion = _Conversion(RegisterFile(file, content, base))
        for entity in conversion.file.entities():
            yield conversion.convert(entity)


class _Conversion:
    def __init__(self, file: RegisterFile) -> None:
        self.file = file
        self._triples = StatedTripleWriter(file.graph)
        self._entity_of = {entity.item: entity.uri for entity in file.entities() if entity.item}
        self._successors = {
            file.text(item, f"{REG}predecessor"): entity for item, entity in self._entity_of.items()
        }

    def convert(self, entity: RegisteredEntity) -> Outcome:
        """Convert one entity."""
        remarks = list(self._remarks(entity))
        lines = refuse_faulty(self._registrations(entity))
        if isinstance(lines, Message):
            return RefusedEntry(entity.place, lines)
        return ConvertedEntry(entity.place, lines, remarks)

    def _remarks(self, entity: RegisteredEntity) -> Iterator[Message]:
        if entity.status not in _STATUSES:
            yield message("The status {status} is imported as valid.", status=entity.status)
        if entity.types & _FORWARDS and self.file.text(entity.uri, _CODE) == _PROXIED:
            yield message(
                "The register answers in place of its target, with status 200. Here a request is redirected."
            )

    def _registrations(self, entity: RegisteredEntity) -> list[Registration] | Message:
        if not entity.is_listed:
            return message("The entity belongs to no register of this file.")
        if "DelegatedRegister" in entity.types:
            return message(
                "The members of the register are read from a SPARQL endpoint. Upload them as a file."
            )
        if entity.types & _FORWARDS:
            return self._forward(entity)
        if urlsplit(entity.uri).path in {"", "/"} and entity.is_local:
            return [self._root(entity)]
        return self._local(entity) if entity.is_local else self._elsewhere(entity)

    def _root(self, entity: RegisteredEntity) -> Registration:
        """Convert the register of all registers, whose URI is the host."""
        stated = self._described(entity, {})
        texts = {name: stated[name] for name in ("title", "description")}
        return _present({"record": "host", "identifier": entity.uri, **texts})

    def _local(self, entity: RegisteredEntity) -> list[Registration]:
        line: dict[str, Any] = {"identifier": entity.uri}
        if entity.uri in self.file.graph:
            ours = Subjects(f"//{urlsplit(entity.uri).netloc}/", ())
            line = RegistrationBuilder(self.file.graph, ours).write(entity.uri, entity.uri)
            line["triples"] = self._triples.write(entity.uri)
        has_register = bool(urlsplit(entity.register).path.strip("/"))
        line |= self._described(entity, line)
        line |= {"kind": "thing", "part_of": entity.register if has_register else None}
        if not entity.item:
            return [_present(line)]
        return [
            _present(line),
            {"record": "alias", "identifier": entity.item, "stands_for": entity.uri, "status_code": _FOUND},
        ]

    def _elsewhere(self, entity: RegisteredEntity) -> list[Registration] | Message:
        """Convert an entity of another registry, or of another register."""
        if not is_location(entity.uri):
            return reject_location(entity.uri)
        line = {
            "identifier": entity.item,
            **self._described(entity, {}),
            "kind": "document",
            "location": entity.uri,
            "status_code": _FOUND,
            "part_of": entity.register,
        }
        return [_present(line)]

    def _forward(self, entity: RegisteredEntity) -> list[Registration] | Message:
        target, code = (self.file.text(entity.uri, name) for name in (_TARGET, _CODE))
        if not is_location(target):
            return reject_location(target)
        if code and code not in _CODES:
            return message("{code} is not the status code of a redirect.", code=code)
        base, title = entity.uri.rstrip("/"), self._title(entity)
        path, host = urlsplit(target).path.rstrip("/"), urlsplit(target).netloc
        if "FederatedRegister" in entity.types and path == urlsplit(base).path:
            line = {"record": "delegation", "identifier": f"{base}/", "title": title, "answered_by": host}
            return [_present(line)]
        common = {
            "title": title,
            **self._status(entity),
            "kind": "document",
            "status_code": int(code) if code not in {"", _PROXIED} else _FORWARDED,
        }
        location = f"{target.rstrip('/')}/{ALL_THE_REST}"
        return [
            _present({"record": "rule", "identifier": f"{base}/", "location": location, **common}),
            _present({"identifier": entity.uri, "location": target, **common}),
        ]

    def _described(self, entity: RegisteredEntity, stated: Mapping[str, Any]) -> dict[str, Any]:
        """Return the title and metadata: those of the entity itself, else those of its item."""
        metadata = {
            name: self.file.text(entity.item, *names) or self.file.text(entity.uri, *names)
            for name, names in _METADATA.items()
        }
        return {
            "title": stated.get("title") or self._title(entity),
            "description": stated.get("description") or self.file.text(entity.item, f"{_DCTERMS}description"),
            "properties": {**stated.get("properties", {}), **_present(metadata)},
            **self._status(entity),
        }

    def _title(self, entity: RegisteredEntity) -> str:
        return self.file.text(entity.uri, *_LABELS) or self.file.text(entity.item, *_LABELS)

    def _status(self, entity: RegisteredEntity) -> dict[str, Any]:
        status = _STATUSES.get(entity.status, _VALID)
        if status == _VALID:
            return {}
        if status == _RESERVED:
            return {"status": status}
        successor = self._entity_of.get(self.file.text(entity.item, f"{REG}successor"))
        return _present(
            {
                "status": status,
                "successor": successor or self._successors.get(entity.item),
                "reason": "Invalid." if entity.status == "statusInvalid" else "",
            }
        )


def _present(line: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if value}
