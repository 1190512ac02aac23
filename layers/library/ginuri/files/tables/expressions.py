r"""Rows whose identifier is a regular expression, as in geoconnex's `id,target` files → rules like them.

`…/gnis/(.*)$` with `https://example.org/$1` is a rule with `{+rest}`, and `…/HP_([^/]+)$` and `…/HP_(\d+)$`
are ones with a named piece. Whatever else an expression can say, a rule cannot.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.rules.patterns import ALL_THE_REST, REST

# Signs of an expression that no identifier has any use for; $ and brackets alone are in real ones.
_EXPRESSION = re.compile(r"\((?:\.|\[|\\)|\[|\.\*\$?$")
_REFERENCE = re.compile(r"\$([1-9])")
_GROUP = re.compile(r"\(([^()]*)\)")
_REST = {".*", ".+", r"\S*", r"\S+"}  # no identifier has blanks
_PIECE = {"[^/]+", "[^/]*", r"[^\s/]+", r"[^/\s]+"}
_DIGITS = {r"\d+", "[0-9]+"}
_ESCAPED = re.compile(r"\\([./-])")
_SPECIAL = re.compile(r"[\\\[\](){}*?|^$]")


def read_expression(stated: Mapping[str, str]) -> Mapping[str, str] | Finding:
    """Give a row as it is, or as the rule that its expression means; or find why there is no such rule."""
    written = stated.get("identifier", "")
    template = stated.get("location", "")
    if stated.get("record", "rule") != "rule" or "pattern" in stated:
        return stated
    if not _EXPRESSION.search(written) and not ("(" in written and _REFERENCE.search(template)):
        return stated
    pieces = _GROUP.split(written.removeprefix("^").removesuffix("$"))
    literals = [_ESCAPED.sub(r"\1", literal) for literal in pieces[::2]]
    groups = pieces[1::2]
    wrong = _wrong(literals, groups, template)
    if wrong:
        told = f"{wrong}; write a rule: a prefix as identifier, a pattern such as {{id}}, {{id}} in location"
        return refuse("identifier", "expression", written, told)
    folder, _, begun = literals[0].rpartition("/")
    names = [REST if group in _REST else f"piece{number}" for number, group in enumerate(groups, start=1)]
    signs = map(_piece, names, groups)
    pattern = "".join(
        (begun, *(f"{piece}{literal}" for piece, literal in zip(signs, literals[1:], strict=True)))
    )
    location = _REFERENCE.sub(lambda found: f"{{+{names[int(found[1]) - 1]}}}", template)
    rule = {**stated, "record": "rule", "identifier": f"{folder}/", "location": location}
    return rule if pattern == ALL_THE_REST else {**rule, "pattern": pattern}


def _piece(name: str, group: str) -> str:
    if group in _REST:
        return ALL_THE_REST
    return f"{{{name}:digits}}" if group in _DIGITS else f"{{{name}}}"


def _wrong(literals: Sequence[str], groups: Sequence[str], template: str) -> str | None:
    odd = next((each for each in groups if each not in _REST | _PIECE | _DIGITS), None)
    if odd is not None:
        return f"a regular expression, and a rule cannot hold a piece to {odd}"
    special = next((found[0] for each in literals if (found := _SPECIAL.search(each))), None)
    if special or any(".*" in each or ".+" in each for each in literals):
        return f"a regular expression, and a rule has nothing like {special or '.*'} outside of its pieces"
    if not groups:
        return "a regular expression without a piece"
    if not _REST.isdisjoint(groups[:-1]) or (groups[-1] in _REST and literals[-1]):
        return "a regular expression, and in a rule .* stands at the end"
    if any(int(number) > len(groups) for number in _REFERENCE.findall(template)):
        return "the location names a piece that the regular expression does not have"
    return None
