"""Reads the prefixes of the Bioregistry, from its JSON or from the wheel of its package.

Source: github.com/biopragmatics/bioregistry, `src/bioregistry/schema/struct.py`: a prefix states its fields
itself, or the registries that it is mapped to state them, in this order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import quote
from zipfile import BadZipFile, ZipFile

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import EntryPlace
from ginuri.migration.json_members import JsonMember, decode_json, read_members, text_at

DATA = "bioregistry/data/bioregistry.json"
"""The file of the package's wheel."""
_MOST_BYTES = 256 * 1024 * 1024
_REGISTRIES = (
    *("obofoundry", "ols", "miriam", "wikidata.property", "go.resource", "ncbi.resource", "bioportal"),
    *("agroportal", "ecoportal", "n2t", "cellosaurus.resource", "cropoct", "cheminf", "edam.data"),
    *("prefixcommons", "rrid.resource", "bartoc", "lov", "tib.ts", "integbio", "aberowl", "re3data"),
    *("uniprot.resource", "biodivportal"),
)
"""The registries that names, examples and providers are taken from, in this order."""
_DESCRIPTIONS = (
    *("miriam", "n2t", "ols", "obofoundry", "wikidata.property", "fairsharing", "aberowl", "bioportal"),
    *("agroportal", "ecoportal", "cropoct", "cheminf", "edam.data", "prefixcommons", "bartoc", "lov"),
    *("re3data", "tib.ts", "integbio", "cellosaurus.resource", "biodivportal"),
)
_FORMATS = (
    *("miriam", "n2t", "go.resource", "biocontext", "wikidata.property", "uniprot.resource"),
    *("cellosaurus.resource", "prefixcommons", "rrid.resource", "tib.ts", "bartoc", "zazuko"),
)
_OF_OTHER_RESOLVERS = re.compile(r"https?://identifiers\.org|.*(?:n2t\.net|purl\.bioontology\.org)")
_URL = "-._~!$&'()*+,;=:@/?%"
_PURL = "http://purl.obolibrary.org/obo/{name}_$1"
_OLS = "https://www.ebi.ac.uk/ols/ontologies/{ontology}/terms?iri={format}"


@dataclass(frozen=True, slots=True)
class Provider:
    """Another site that describes the identifiers of a prefix."""

    code: str
    uri_format: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """A prefix: what is imported of it."""

    place: EntryPlace
    name: str
    synonyms: Sequence[str]
    title: str
    description: str
    homepage: str
    uri_format: str
    """An address with `$1` for the identifier; empty if the Bioregistry does not resolve the prefix."""
    pattern: str
    """A regular expression for its identifiers; empty for all."""
    repeated: Sequence[str]
    """The texts in front of an identifier that are no part of it, such as `GO` in `go:GO:0032571`."""
    providers: Sequence[Provider]
    examples: Sequence[str]
    is_deprecated: bool
    canonical: str
    """The prefix that is used in place of this one."""


def read_prefixes(file: str, content: bytes) -> Iterator[Prefix]:
    """Read the prefixes of a file. Raises UnreadableFile."""
    for member in read_members(decode_json(_unpack(file, content))):
        if not isinstance(member.value, dict):
            raise UnreadableFile(
                "Bioregistry", file, "{file} is not the registry of the Bioregistry.", file=file
            )
        yield _read(file, member)


def _unpack(file: str, content: bytes) -> bytes:
    if not content.startswith(b"PK"):
        return content
    try:
        with ZipFile(BytesIO(content)) as wheel:
            if wheel.getinfo(DATA).file_size > _MOST_BYTES:
                raise UnreadableFile("size", file, "{file} is too large.", file=file)
            return wheel.read(DATA)
    except (BadZipFile, KeyError) as error:
        raise UnreadableFile(
            "Bioregistry", file, "{file} is not the package of the Bioregistry.", file=file
        ) from error


def _read(file: str, member: JsonMember) -> Prefix:
    name, stated = member.name, member.value
    return Prefix(
        EntryPlace(file, member.line, f"prefix {name}"),
        name,
        [each for each in _texts(stated.get("synonyms")) if each != name],
        _first(stated, "name", _REGISTRIES) or name,
        _first(stated, "description", _DESCRIPTIONS),
        _first(stated, "homepage", _REGISTRIES),
        _uri_format(stated),
        _pattern(stated),
        _repeated(name, stated),
        list(_providers(stated)),
        _examples(stated),
        _is_deprecated(stated),
        text_at(stated, "has_canonical"),
    )


def _texts(values: Any) -> list[str]:  # noqa: ANN401  decoded JSON
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def _first(stated: Any, field: str, registries: Sequence[str]) -> str:  # noqa: ANN401  decoded JSON
    own = text_at(stated, field)
    return own or next(filter(None, (text_at(stated, other, field) for other in registries)), "")


def _uri_format(stated: Any) -> str:  # noqa: ANN401  decoded JSON
    if own := text_at(stated, "uri_format"):
        return _as_url(own)
    formats = (text_at(stated, other, "uri_format") for other in _FORMATS)
    found = next((each for each in formats if each and not _OF_OTHER_RESOLVERS.match(each)), "")
    return _as_url(found or _format_of_resolver(stated))


def _as_url(uri_format: str) -> str:
    """Escape the characters that a URL cannot have, as browsers do: blanks, brackets, a second `#`."""
    before, mark, fragment = uri_format.partition("#")
    return f"{quote(before, safe=_URL)}{mark}{quote(fragment, safe=_URL)}"


def _format_of_resolver(stated: Any) -> str:  # noqa: ANN401  decoded JSON
    """Return the address at identifiers.org or the Ontology Lookup Service; empty without one."""
    if miriam := text_at(stated, "miriam", "prefix"):
        return f"https://identifiers.org/{miriam}:$1"
    ontology, term = text_at(stated, "ols", "prefix"), text_at(stated, "rdf_uri_format")
    if (
        name := text_at(stated, "obofoundry", "preferred_prefix")
        or text_at(stated, "obofoundry", "prefix").upper()
    ):
        term = term or _PURL.format(name=name)
    return _OLS.format(ontology=ontology, format=term) if ontology and term else ""


def _pattern(stated: Any) -> str:  # noqa: ANN401  decoded JSON
    if own := text_at(stated, "pattern"):
        return own
    other = _first({**stated, "pattern": ""}, "pattern", ("miriam", "wikidata.property", "bartoc"))
    return f"^{other.rstrip('?').removeprefix('^').removesuffix('$')}$" if other else ""


def _repeated(name: str, stated: Any) -> Sequence[str]:  # noqa: ANN401  decoded JSON
    banana = stated.get("banana")
    if banana is None and stated.get("namespace_in_lui") is not False and text_at(stated, "miriam", "prefix"):
        banana = text_at(stated, "obofoundry", "preferred_prefix") or None
    peel = text_at(stated, "banana_peel") if "banana_peel" in stated else ":"
    texts = [f"{text}{end}" for text in (banana, name) if text for end in (peel, "_")]
    return list({text.lower(): text for text in reversed(texts)}.values())[::-1]


def _providers(stated: Any) -> Iterator[Provider]:  # noqa: ANN401  decoded JSON
    codes: set[str] = set()
    formats: set[str] = set()
    for source in (stated, *(stated.get(other) or {} for other in _REGISTRIES)):
        for each in source.get("providers") or ():
            code, uri_format = text_at(each, "code"), _as_url(text_at(each, "uri_format"))
            provider = Provider(code, uri_format)
            if provider.code and provider.code not in codes and provider.uri_format not in formats:
                yield provider
        if source is stated:
            codes = {text_at(each, "code") for each in stated.get("providers") or ()}
            formats = {_as_url(text_at(each, "uri_format")) for each in stated.get("providers") or ()}


def _examples(stated: Any) -> Sequence[str]:  # noqa: ANN401  decoded JSON
    first = text_at(stated, "example")
    others = (_texts((stated.get(other) or {}).get("examples")) for other in _REGISTRIES)
    own = first or next((texts[0] for texts in others if texts), "")
    return [each for each in dict.fromkeys((own, *_texts(stated.get("example_extras")))) if each]


def _is_deprecated(stated: Any) -> bool:  # noqa: ANN401  decoded JSON
    if isinstance(own := stated.get("deprecated"), bool):
        return own
    return any(text_at(stated, other, "status") in {"deprecated", "inactive"} for other in _REGISTRIES)
