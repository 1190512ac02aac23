r"""Converts rows whose identifier is a regular expression, as in geoconnex's `id,target` files, to rules.

`…/gnis/(.*)$` with `https://example.org/$1` is a rule with `{+rest}`, and `…/HP_([^/]+)$` and `…/HP_(\d+)$`
are rules with a named piece. Any other expression is translated, if it is one rule.
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
_HOST = re.compile(r"(?:https?:)?//[^/]+/+", re.IGNORECASE)
_SPECIAL = re.compile(r"[\\\[\](){}*?|^$]")


def read_expression(stated: Mapping[str, str]) -> Mapping[str, str] | Finding:
    """Return the row, its expression converted to a rule; or the finding against the expression."""
    written = stated.get("identifier", "")
    template = stated.get("location", "")
    if fold_word(stated.get("record", "rule")) != "rule" or "pattern" in stated:
        return stated
    if not _EXPRESSION.search(written) and not ("(" in written and _REFERENCE.search(template)):
        return stated
    rule = _simple_rule(written, template) or _any_rule(written, template)
    if not isinstance(rule, Message):
        return {**stated, **rule}
    return refuse(
        "identifier",
        "expression",
        written,
        "This regular expression cannot be turned into a rule. {reason} Write a rule instead: a prefix "
        "as `identifier`, a `pattern` such as {piece}, and {piece} in `location`.",
        reason=rule,
        piece="{id}",
    )


def _simple_rule(written: str, template: str) -> Mapping[str, str] | None:
    """Convert an expression of whole segments, digits and the rest; None for any other.

    These had rules before others could be converted, and keep the names of their pieces.
    """
    pieces = _GROUP.split(written.removeprefix("^").removesuffix("$"))
    literals = [_ESCAPED.sub(r"\1", literal) for literal in pieces[::2]]
    groups = pieces[1::2]
    if not _is_simple(literals, groups) or _most_referred(template) > len(groups):
        return None
    folder, _, begun = literals[0].rpartition("/")
    names = [REST if group in _REST else f"piece{number}" for number, group in enumerate(groups, start=1)]
    pattern = begun + "".join(map(add, map(_piece, names, groups), literals[1:]))
    location = _REFERENCE.sub(lambda found: f"{{+{names[int(found[1]) - 1]}}}", template)
    return _write(f"{folder}/", pattern, location)


def _any_rule(written: str, template: str) -> Mapping[str, str] | Message:
    """Convert an expression to one rule, or give the reason why that is not possible."""
    from ginuri.files.expressions.targets import write_rules

    start = _HOST.match(written.removeprefix("^"))
    base = start[0] if start is not None else ""
    found = write_rules(f"^{written.removeprefix('^').removeprefix(base)}", template)
    if isinstance(found, Message):
        return found
    rule, *others = found.rules
    if others or rule.is_name:
        return message(
            "It needs several rules: {patterns}.", patterns=", ".join(each.pattern for each in found.rules)
        )
    return _write(f"{base}{rule.prefix}", rule.pattern, rule.location)


def _write(prefix: str, pattern: str, location: str) -> Mapping[str, str]:
    rule = {"record": "rule", "identifier": prefix, "location": location}
    return rule if pattern == ALL_THE_REST else {**rule, "pattern": pattern}


def _piece(name: str, group: str) -> str:
    if group in _REST:
        return ALL_THE_REST
    return f"{{{name}:digits}}" if group in _DIGITS else f"{{{name}}}"


def _is_simple(literals: Sequence[str], groups: Sequence[str]) -> bool:
    if not _REST.isdisjoint(groups[:-1]) or not set(groups) <= _REST | _PIECE | _DIGITS:
        return False
    if not groups or (groups[-1] in _REST and literals[-1]):
        return False
    return not any(_SPECIAL.search(literal) or ".*" in literal or ".+" in literal for literal in literals)


def _most_referred(template: str) -> int:
    return max(map(int, _REFERENCE.findall(template)), default=0)
