"""Converts the Bioregistry's prefixes to rules for compact identifiers, `prefix:identifier`.

Each prefix is a resource with its title, and has a rule for each spelling; so has each code of a provider,
`provider/prefix:identifier`. A rule matches the identifiers of the prefix's regular expression, or any text
if no pattern can express it, with or without the prefix in front of them once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import NAMESPACED
from ginuri.identifiers.service_paths import is_service_name
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.migration.bioregistry.identifiers import IdentifierForm, forms_of
from ginuri.migration.bioregistry.prefixes import Prefix, read_prefixes
from ginuri.migration.bioregistry.spellings import escape, literal, spell
from ginuri.migration.entries import (
    ConvertedEntry,
    Files,
    Outcome,
    RefusedEntry,
    Registration,
    reject_location,
)
from ginuri.registry.locations import is_location
from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.grammar import ALL_THE_REST

HOST = "bioregistry.io"
_IDENTIFIER = "$1"
_FOUND = 302


def import_bioregistry(files: Files, host: str = HOST) -> Iterator[Outcome]:
    """Convert the prefixes of these files. Raises UnreadableFile."""
    for file, content in files.items():
        prefixes = list(read_prefixes(file, content))
        known = {prefix.name for prefix in prefixes}
        for prefix in prefixes:
            yield _convert(prefix, f"http://{host}/", known)


def _convert(prefix: Prefix, base: str, known: AbstractSet[str]) -> Outcome:
    if prefix.uri_format and (fault := _find_fault(prefix.uri_format)):
        return RefusedEntry(prefix.place, fault)
    lines = [_resource(prefix, base, known), *_aliases(prefix, base)]
    remarks: list[Message] = []
    if _leads_to_itself(prefix, base):
        remarks.append(message("{url} leads to the prefix itself.", url=prefix.uri_format))
        prefix = replace(prefix, uri_format="")
    if prefix.uri_format and prefix.name in NAMESPACED:
        return ConvertedEntry(
            prefix.place,
            [*lines, _scheme_rule(prefix)],
            [
                message(
                    "{scheme} is a scheme on every host. Upload its rule to {folder}.",
                    scheme=f"{prefix.name}:",
                    folder=HOST_FOLDER,
                )
            ],
        )
    examples = [example.partition("#")[0] for example in prefix.examples]
    identifiers = forms_of(prefix.pattern, map(escape, filter(None, examples)))
    rules = [*_rules(prefix, base, identifiers.forms), *_of_providers(prefix, base, identifiers.forms)]
    if rules and identifiers.remark:
        remarks.append(identifiers.remark)
    remarks += _remarks_on_providers(prefix)
    return ConvertedEntry(prefix.place, [*lines, *rules], remarks)


def _leads_to_itself(prefix: Prefix, base: str) -> bool:
    own = f"{base}{prefix.name}:".removeprefix("http:")
    return prefix.uri_format.removeprefix("https:").startswith(own)


def _find_fault(uri_format: str) -> Message | None:
    if _IDENTIFIER not in uri_format:
        return message("{url} has no place for the identifier, $1.", url=repr(uri_format))
    is_usable = is_location(uri_format.replace(_IDENTIFIER, "x"))
    return None if is_usable else reject_location(uri_format)


def _resource(prefix: Prefix, base: str, known: AbstractSet[str]) -> Registration:
    line: dict[str, Any] = {
        "identifier": f"{base}{literal(prefix.name)}",
        "kind": "thing",
        "title": prefix.title,
    }
    if prefix.description:
        line["description"] = prefix.description
    if prefix.synonyms:
        line["properties"] = {"alternative": list(prefix.synonyms)}
    if is_location(prefix.homepage):
        line["links"] = [{"rel": "about", "href": prefix.homepage}]
    if prefix.is_deprecated:
        line |= {"status": "superseded", "reason": "Deprecated in the Bioregistry."}
        if prefix.canonical in known:
            line["successor"] = f"{base}{literal(prefix.canonical)}"
    return line


def _aliases(prefix: Prefix, base: str) -> Iterator[Registration]:
    """Name the resource by the synonyms of the prefix that differ from it in more than case."""
    own = f"{base}{literal(prefix.name)}"
    seen = {prefix.name.lower()}
    for synonym in prefix.synonyms:
        if ":" not in synonym and synonym.lower() not in seen:
            seen.add(synonym.lower())
            name = f"{base}{literal(synonym)}"
            yield {"record": "alias", "identifier": name, "title": prefix.title, "stands_for": own}


def _scheme_rule(prefix: Prefix) -> Registration:
    """Return the rule of a prefix that is a scheme on every host."""
    return {
        "record": "rule",
        "identifier": f"{prefix.name}:",
        "title": prefix.title,
        "location": prefix.uri_format.replace(_IDENTIFIER, ALL_THE_REST),
        "status_code": _FOUND,
        "kind": "document",
    }


def _rules(prefix: Prefix, base: str, forms: Sequence[IdentifierForm]) -> Iterator[Registration]:
    tests = [_test(prefix, example) for example in prefix.examples]
    for spelling in spell(prefix.name, prefix.synonyms) if prefix.uri_format else ():
        for form in forms:
            pattern = _pattern(spelling, prefix, form)
            rule = _rule(base, prefix.title, pattern, prefix.uri_format, form)
            yield {**rule, "tests": tests} if tests else rule
            tests = []


def _of_providers(prefix: Prefix, base: str, forms: Sequence[IdentifierForm]) -> Iterator[Registration]:
    for provider in prefix.providers:
        if _find_fault(provider.uri_format) is None and not is_service_name(provider.code):
            title, code = f"{prefix.title} ({provider.code})", literal(provider.code)
            for form in forms:
                pattern = _pattern(f"{code}/{literal(prefix.name)}", prefix, form)
                yield _rule(base, title, pattern, provider.uri_format, form)


def _remarks_on_providers(prefix: Prefix) -> Iterator[Message]:
    for provider in prefix.providers:
        if is_service_name(provider.code):
            yield message(
                "The provider {code} is left out: /{code}/ is a path of the service.", code=provider.code
            )


def _pattern(spelling: str, prefix: Prefix, form: IdentifierForm) -> str:
    """Write the pattern of a spelling; without the repeated prefix, if it has too many options then."""
    pattern = f"{spelling}:{_repeated(prefix)}{form.pattern}"
    return pattern if fault_of(pattern) is None else f"{spelling}:{form.pattern}"


def _rule(base: str, title: str, pattern: str, uri_format: str, form: IdentifierForm) -> dict[str, Any]:
    rule = {
        "record": "rule",
        "identifier": base,
        "title": title,
        "pattern": pattern,
        "ignore_case": True,
        "location": uri_format.replace(_IDENTIFIER, form.template),
        "status_code": _FOUND,
    }
    # With a final slash a name would be a thing, which always answers with 303.
    return rule | ({"kind": "document"} if form.may_end_in_slash else {})


def _repeated(prefix: Prefix) -> str:
    """Write the option of the prefix in front of an identifier.

    The words are those of one letter case: a rule that ignores case takes the others too.
    """
    words = "|".join(prefix.repeated)
    return f"[{{repeated:{words}}}]" if len(prefix.repeated) > 1 else f"[{words}]"


def _test(prefix: Prefix, example: str) -> Mapping[str, Any]:
    # A client keeps the fragment of an identifier to itself, and adds it to the location (RFC 9110 §10.2.2).
    name = escape(example.partition("#")[0])
    return {
        "path": f"{literal(prefix.name)}:{name}",
        "status": _FOUND,
        "target": prefix.uri_format.replace(_IDENTIFIER, name),
    }
