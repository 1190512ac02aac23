"""Reads the registers of registry-core from RDF files: their entities, and the items that list them.

Source: github.com/UKGovLD/registry-core, `src/main/vocabs/registryVocab.ttl`. An item is named after its
entity, `…/_red` for `…/red`. Files that were made for an upload to the registry have entities without items,
and names relative to their register.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from ginuri.files.rdf.graphs import Graph, read_graph
from ginuri.files.rdf.subjects import RELATIVE
from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import EntryPlace
from ginuri.registry.texts.ntriples import BlankNode, Literal, Term

REG = "http://purl.org/linked-data/registry#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_DESCRIPTION = "http://purl.org/dc/terms/description"
_SUFFIX = re.compile(r"\.(?:ttl|nt|rdf|jsonld)$")
_VERSION = re.compile(r":[0-9]+$")
# registry-core escapes nothing in names, and RDF may contain characters beyond those of URIs.
_NAME = re.compile(r"https?://[^\s#?]+")


@dataclass(frozen=True, slots=True)
class RegisteredEntity:
    """An entity of a register, with what its item states of it."""

    place: EntryPlace
    uri: str
    item: str
    """The URI of its item; empty without one."""
    register: str
    types: frozenset[str]
    """The names of its classes in the vocabulary of registers, such as `NamespaceForward`."""
    status: str
    """The name of its status, such as `statusStable`; empty without an item."""
    is_listed: bool
    """Whether it has an item, is a register, or is in a register of the file."""

    @property
    def is_local(self) -> bool:
        """Whether its name is below that of the register."""
        return self.uri.startswith(f"{self.register.rstrip('/')}/")


class RegisterFile:
    """A file of registers."""

    def __init__(self, name: str, content: bytes, base: str) -> None:
        """Read a file; `base` is the URI of the register that relative names belong to.

        Raises UnreadableFile.
        """
        suffix = _SUFFIX.search(name)
        if suffix is None:
            raise UnreadableFile("RDF", name, "{file} is not an RDF file.", file=name)
        self.graph: Graph = _resolve(name, read_graph(suffix[0], content), base)
        self._name = name
        self._lines = content.decode("utf-8-sig", "replace").splitlines()
        self._base = base

    def entities(self) -> Iterator[RegisteredEntity]:
        """Yield its entities, each once, in the order of the file."""
        names = [subject for subject in self.graph if isinstance(subject, str)]
        items = {name: self._item(name) for name in names if self._is_item(name)}
        registers = {entity.register for entity in items.values()} | {
            name for name in names if f"{REG}Register" in self.graph[name].get(_TYPE, ())
        }
        listed = {entity.uri for entity in items.values()}
        for name in names:
            if name in items:
                yield items[name]
            elif name not in listed and self._is_entity(name):
                folder = name.rstrip("/").rpartition("/")[0]
                is_listed = name in registers or self._is_below(name, registers)
                yield replace(self._entity(name, "", folder, ""), is_listed=is_listed)

    def text(self, subject: str | BlankNode, *properties: str) -> str:
        """Return the first value of these properties as a text; empty without one."""
        values = (value for name in properties for value in self.graph.get(subject, {}).get(name, ()))
        texts = (value.text if isinstance(value, Literal) else value for value in values)
        return next((text for text in texts if isinstance(text, str)), "")

    def _is_item(self, subject: str) -> bool:
        return f"{REG}RegisterItem" in self.graph[subject].get(_TYPE, ()) and not _VERSION.search(subject)

    def _is_entity(self, subject: str) -> bool:
        properties = self.graph[subject]
        is_described = not properties.keys().isdisjoint({_LABEL, _DESCRIPTION, _TYPE})
        return is_described and _NAME.fullmatch(subject) is not None and not _VERSION.search(subject)

    def _item(self, item: str) -> RegisteredEntity:
        folder, _, name = item.rpartition("/")
        register = self.text(item, f"{REG}register") or folder
        nodes = self.graph[item].get(f"{REG}definition", ())
        stated = (self.text(node, f"{REG}entity") for node in nodes if not isinstance(node, Literal))
        entity = next(filter(None, stated), "") or f"{folder}/{name.removeprefix('_')}"
        status = self.text(item, f"{REG}status").removeprefix(REG)
        return self._entity(entity, item, register, status)

    def _entity(self, uri: str, item: str, register: str, status: str) -> RegisteredEntity:
        stated: list[Term] = [*self.graph.get(uri, {}).get(_TYPE, ())]
        stated += self.graph.get(item, {}).get(f"{REG}itemClass", ())
        types = {str(name).removeprefix(REG) for name in stated if str(name).startswith(REG)}
        place = EntryPlace(self._name, self._line(item or uri), f"entity {uri}")
        return RegisteredEntity(place, uri, item, register, frozenset(types), status, is_listed=True)

    def _is_below(self, name: str, registers: AbstractSet[str]) -> bool:
        bases = (*(f"{register.rstrip('/')}/" for register in registers), self._base)
        return any(base and name.startswith(base) for base in bases)

    def _line(self, uri: str) -> int:
        """Return the first line with a name, whole, relative or with a prefix; 1 without one."""
        local = uri.rstrip("/").rpartition("/")[2]
        named = re.compile(
            rf"<(?:{re.escape(uri)}|{re.escape(local)})>|:{re.escape(local)}\b|\"{re.escape(uri)}\""
        )
        return next((number for number, line in enumerate(self._lines, 1) if named.search(line)), 1)


def _resolve(file: str, graph: Graph, base: str) -> Graph:
    """Resolve names relative to the register."""
    if not any(isinstance(name, str) and name.startswith(RELATIVE) for name in graph):
        return graph
    if not base:
        raise UnreadableFile(
            "RDF",
            file,
            "{file} has names that are relative to their register. Give the URI of the register with --base.",
            file=file,
        )
    resolved: dict[str | BlankNode, Mapping[str, Sequence[Term]]] = {}
    for subject, properties in graph.items():
        values = {name: [_absolute(value, base) for value in targets] for name, targets in properties.items()}
        resolved[subject if isinstance(subject, BlankNode) else str(_absolute(subject, base))] = values
    return resolved


def _absolute(term: Term, base: str) -> Term:
    if isinstance(term, str) and term.startswith(RELATIVE):
        return f"{base}{term.removeprefix(RELATIVE)}"
    return term
