r"""Converts rows whose identifier is a regular expression, as in geoconnex's `id,target` files, to rules.

`…/gnis/(.*)$` with `https://example.org/$1` is a rule with `{+rest}`, and `…/HP_([^/]+)$` and `…/HP_(\d+)$`
are rules with a named piece. Other expressions cannot be converted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from operator import add

from ginuri.files.schema.values import fold_word
from ginuri.identifiers.messages import Message, message
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.rules.grammar import ALL_THE_REST, REST

# Characters of expressions that identifiers never contain; real ones do contain $ and brackets.
_EXPRESSION = re.compile(r"\((?:\.|\[|\\)|\[|\.\*\$?$")
_REFERENCE = re.compile(r"\$([1-9])")
_GROUP = re.compile(r"\(([^()]*)\)")
_REST = {".*", ".+", r"\S*", r"\S+"}  # no identifier has blanks
_PIECE = {"[^/]+", "[^/]*", r"[^\s/]+", r"[^/\s]+"}
_DIGITS = {r"\d+", "[0-9]+"}
_ESCAPED = re.compile(r"\\([./-])")
_SPECIAL = re.compile(r"[\\\[\](){}*?|^$]")


def read_expression(stated: Mapping[str, str]) -> Mapping[str, str] | Finding:
    """Return the row, its expression converted to a rule; or the finding against the expression."""
    written = stated.get("identifier", "")
    template = stated.get("location", "")
    if fold_word(stated.get("record", "rule")) != "rule" or "pattern" in stated:
        return stated
    if not _EXPRESSION.search(written) and not ("(" in written and _REFERENCE.search(template)):
        return stated
    pieces = _GROUP.split(written.removeprefix("^").removesuffix("$"))
    literals = [_ESCAPED.sub(r"\1", literal) for literal in pieces[::2]]
    groups = pieces[1::2]
    if fault := _fault(literals, groups, template):
        return refuse(
            "identifier",
            "expression",
            written,
            "This regular expression cannot be turned into a rule. {reason} Write a rule instead: a prefix "
            "as `identifier`, a `pattern` such as {piece}, and {piece} in `location`.",
            reason=fault,
            piece="{id}",
        )
    folder, _, begun = literals[0].rpartition("/")
    names = [REST if group in _REST else f"piece{number}" for number, group in enumerate(groups, start=1)]
    pattern = begun + "".join(map(add, map(_piece, names, groups), literals[1:]))
    location = _REFERENCE.sub(lambda found: f"{{+{names[int(found[1]) - 1]}}}", template)
    rule = {**stated, "record": "rule", "identifier": f"{folder}/", "location": location}
    return rule if pattern == ALL_THE_REST else {**rule, "pattern": pattern}


def _piece(name: str, group: str) -> str:
    if group in _REST:
        return ALL_THE_REST
    return f"{{{name}:digits}}" if group in _DIGITS else f"{{{name}}}"


def _fault(literals: Sequence[str], groups: Sequence[str], template: str) -> Message | None:
    odd = next((group for group in groups if group not in _REST | _PIECE | _DIGITS), None)
    if odd is not None:
        return message("A piece of a rule cannot be restricted to {expression}.", expression=odd)
    special = next((found[0] for literal in literals if (found := _SPECIAL.search(literal))), None)
    if special or any(".*" in literal or ".+" in literal for literal in literals):
        return message(
            "A rule has nothing like {expression} outside of its pieces.", expression=special or ".*"
        )
    if not _REST.isdisjoint(groups[:-1]) or (groups[-1] in _REST and literals[-1]):
        return message("In a rule, .* is allowed at the end only.")
    if any(int(number) > len(groups) for number in _REFERENCE.findall(template)):
        return message("The location refers to a piece that the expression does not have.")
    return None
