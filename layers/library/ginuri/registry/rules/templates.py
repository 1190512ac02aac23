"""URI templates (RFC 6570) for the locations of rules: every operator, for variables that are texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from ginuri.frozen import Frozen
from ginuri.identifiers.messages import message

# RFC 6570 §2.2  expression = "{" [ operator ] variable-list "}"
# RFC 6570 §2.3  varname    = varchar *( ["."] varchar )   ; without prefix and explode modifiers
_EXPRESSION = r"\{([+#./;?&]?)([A-Za-z0-9_]+(?:,[A-Za-z0-9_]+)*)\}"
_RESERVED = ":/?#[]@!$&'()*+,;="
_ESCAPE = r"(%[0-9A-Fa-f]{2})"


class _Operator(Frozen):
    """RFC 6570 appendix A: the prefix, the separator, whether names are written, the allowed characters."""

    first: str = ""
    separator: str = ","
    named: bool = False
    allowed: str = ""


_OPERATORS = {
    "": _Operator(),
    "+": _Operator(allowed=_RESERVED),
    "#": _Operator(first="#", allowed=_RESERVED),
    ".": _Operator(first=".", separator="."),
    "/": _Operator(first="/", separator="/"),
    ";": _Operator(first=";", separator=";", named=True),
    "?": _Operator(first="?", separator="&", named=True),
    "&": _Operator(first="&", separator="&", named=True),
}


def variables(template: str) -> frozenset[str]:
    """Return the variables of a template. Raises ValueError with a message."""
    leftover = re.sub(_EXPRESSION, "", template)
    if "{" in leftover or "}" in leftover:
        raise ValueError(
            message(
                "Write names in braces as in {examples}.",
                examples="{rest}, {+rest}, {?county,id}",
            )
        )
    return frozenset(name for _, names in re.findall(_EXPRESSION, template) for name in names.split(","))


def expand(template: str, values: Mapping[str, str]) -> str:
    """Expand a template with values, escaped as in an identifier (RFC 6570 §3.2).

    An escape in a value is not escaped again.

    >>> expand("https://example.org/{+rest}?id={id}", {"rest": "a/b", "id": "x y"})
    'https://example.org/a/b?id=x%20y'
    """
    return re.sub(_EXPRESSION, lambda found: _expand(found[1], found[2].split(","), values), template)


def _expand(sign: str, names: list[str], values: Mapping[str, str]) -> str:
    operator = _OPERATORS[sign]
    known = [(name, _escape(values[name], operator.allowed)) for name in names if name in values]
    if not known:
        return ""
    # RFC 6570 §3.2.7: an empty parameter is written as its name, without "=".
    equals = {name: "=" if value or sign != ";" else "" for name, value in known}
    written = (f"{name}{equals[name]}{value}" if operator.named else value for name, value in known)
    return operator.first + operator.separator.join(written)


def _escape(value: str, allowed: str) -> str:
    # RFC 6570 §3.2.1: unreserved and allowed characters and escapes stay, all else is escaped.
    return "".join(
        piece if re.fullmatch(_ESCAPE, piece) else quote(piece, safe=f"{allowed}~")
        for piece in re.split(_ESCAPE, value)
    )
