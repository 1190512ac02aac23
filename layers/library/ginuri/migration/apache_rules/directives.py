r"""Rewrite rules of Apache httpd, as text.

The address is matched as it was sent, in `THE_REQUEST`: Apache decodes the path that `RewriteRule` itself
sees. A rule therefore works in a server, a virtual host, a folder, and in `.htaccess`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ginuri.migration.apache_rules.expressions import escape
from ginuri.migration.apache_rules.replies import Replies, Reply

_BEGIN, _END = "^[A-Z]+ (?:https?://[^/?# ]*)?", "[? ]"
_NOT_LITERAL = re.compile(r"[%$\\]")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a rule."""

    tested: str
    expression: str
    ignores_case: bool = False

    def __str__(self) -> str:
        flags = " [NC]" if self.ignores_case else ""
        return f'RewriteCond %{{{self.tested}}} "{self.expression}"{flags}'


def on(host: str) -> Sequence[Condition]:
    """Return the condition that a request is for a host, on any port; none for names of any host."""
    expression = f"^{escape(host)}(?::[0-9]+)?$"
    return [Condition("HTTP_HOST", expression, ignores_case=True)] if host else []


def for_address(path: str, ending: str = "") -> Condition:
    """Return the condition that the path of a request matches an expression, whole."""
    return Condition("THE_REQUEST", f"{_BEGIN}{path}{ending}{_END}")


def ends_with_slash(*, ends: bool) -> Condition:
    """Return the condition that the path of a request ends with a slash, or does not."""
    return Condition("THE_REQUEST", f"{'' if ends else '!'}^[A-Z]+ [^? ]*/{_END}")


def accepts(media_type: str) -> Condition:
    """Return the condition that a request names a media type."""
    return Condition("HTTP_ACCEPT", rf"(?:^|[ ,]){escape(media_type)}[ ]*(?:[;,]|$)", ignores_case=True)


def accepts_none_of(media_types: Sequence[str]) -> list[Condition]:
    """Return the conditions that a request names media types, but none of these, nor a range that has one."""
    ranges = sorted({f"{media_type.partition('/')[0]}/*" for media_type in media_types} | {"*/*"})
    named = "|".join(map(escape, (*media_types, *ranges)))
    return [
        Condition("HTTP_ACCEPT", "."),
        Condition("HTTP_ACCEPT", f"!(?:^|[ ,])(?:{named})[ ]*(?:[;,]|$)", ignores_case=True),
    ]


def write_replies(
    replies: Replies, conditions: Sequence[Condition], groups: Mapping[str, int], host: str
) -> Iterator[str]:
    """Write the rules for the replies to a name.

    The last condition has the groups, by their token in a target.
    """
    if replies.to_others:
        none_of_them = accepts_none_of(replies.known)
        yield from _write(
            replies.to_others,
            [*none_of_them, *conditions],
            groups,
            host,
            passes_query=replies.passes_query,
        )
    for media_type, reply in replies.by_media_type.items():
        yield from _write(
            reply, [accepts(media_type), *conditions], groups, host, passes_query=replies.passes_query
        )
    yield from _write(replies.default, conditions, groups, host, passes_query=replies.passes_query)


def _write(
    reply: Reply,
    conditions: Sequence[Condition],
    groups: Mapping[str, int],
    host: str,
    *,
    passes_query: bool = False,
) -> Iterator[str]:
    if reply.location is None:
        yield from map(str, conditions)
        yield f"RewriteRule ^ - [R={reply.status},L]"
        return
    target = _write_target(reply.location, groups, host)
    address, mark, fragment = target.partition("#")
    joint = "&" if "?" in address else "?"
    if passes_query and (mark or joint == "&"):
        yield str(Condition("QUERY_STRING", "."))
        yield from map(str, conditions)
        yield f'RewriteRule ^ "{address}{joint}%{{QUERY_STRING}}{mark}{fragment}" [R={reply.status},NE,L]'
    yield from map(str, conditions)
    discarding = "" if passes_query and joint == "?" and not mark else "QSD,"
    yield f'RewriteRule ^ "{target}" [R={reply.status},{discarding}NE,L]'


def _write_target(location: str, groups: Mapping[str, int], host: str) -> str:
    """Write a target: its variables as back references, its host with the protocol of the request."""
    own = f"//{host}/"
    rest = location.removeprefix(own) if host else location
    text = _NOT_LITERAL.sub(r"\\\g<0>", rest)
    for token, number in groups.items():
        text = text.replace(token, f"%{number}")
    return f"%{{REQUEST_SCHEME}}:{own}{text}" if rest != location else text
