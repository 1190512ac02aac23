r"""Text logs of a request a line: the Common and Combined Log Formats, those of S3 and ALB, or a stated one.

A format is a `LogFormat` of Apache httpd or a `log_format` of nginx. Both escape quotes, backslashes and
control characters: `\"`, `\\`, `\xhh`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ginuri.migration.inventories.logged_request import (
    LineReader,
    LoggedRequest,
    make_request,
    read_request_line,
)

BYTES = "latin-1"
"""The encoding that gives a character for each byte."""
_QUOTED = r'(?:[^"\\]|\\.)*+'
# Common Log Format: host ident authuser [date] "request" status bytes. S3 and ALB begin with other fields.
_IN_QUOTES = re.compile(rf'"({_QUOTED})"')
_VERSION = re.compile(r" HTTP/[0-9.]+\Z")
# Debian's vhost_combined begins with "%v:%p ", and goes on with "%h %l %u %t".
_VIRTUAL_HOST = re.compile(r'([^\s:]++):[0-9]++ [^\["]*+\[')
_USERS = {"u", "remote_user"}
"""The directives of user names, which may contain blanks."""
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|.)", re.DOTALL)
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "v": "\v"}

# Apache httpd, mod_log_config: % modifiers {argument} directive; nginx, ngx_http_log_module: $name or ${name}
_DIRECTIVE = re.compile(
    r"%(?P<apache>[!<>,0-9]*(?:\{(?P<argument>[^}]*)\})?(?:\^[A-Z]{2}|[A-Za-z%]))"
    r"|\$\{?(?P<nginx>[a-z0-9_]+)\}?"
)
_FIELDS: Mapping[str, str] = {
    "r": "request",
    "m": "method",
    "v": "host",
    "V": "host",
    "{host}i": "host",
    "{accept}i": "accept",
    "request": "request",
    "request_uri": "target",
    "request_method": "method",
    "host": "host",
    "http_host": "host",
    "server_name": "host",
    "http_accept": "accept",
}
"""The parts of a request by directive; other directives are passed over."""


def read_plain_line(line: bytes) -> LoggedRequest | None:
    """Read a line of an unstated format: the request is the first text in quotes that looks like one."""
    text = line.decode(BYTES)
    first = next((quoted for quoted in _IN_QUOTES.findall(text) if _VERSION.search(quoted)), "")
    read = read_request_line(_unescape(first))
    if read is None:
        return None
    served = _VIRTUAL_HOST.match(text)
    return make_request(read[1], host=served and served[1], method=read[0], encoding=BYTES)


def compile_format(written: str) -> LineReader:
    """Return the reader of a format.

    Raises ValueError if it has neither the first line of the request nor its target.
    """
    names: set[str] = set()
    expression = re.compile("".join(_translate(written, names)))
    if not names & {"request", "target"}:
        raise ValueError(written)

    def read(line: bytes) -> LoggedRequest | None:
        found = expression.fullmatch(line.decode(BYTES).rstrip("\r\n"))
        return None if found is None else _make({name: _unescape(found[name]) for name in names})

    return read


def _translate(written: str, names: set[str]) -> Iterator[str]:
    # As in a configuration file, a quote may be written with a backslash.
    text = written.replace('\\"', '"').replace("\\t", "\t")
    end = 0
    for found in _DIRECTIVE.finditer(text):
        yield re.escape(text[end : found.start()])
        directive = found["nginx"] or re.sub(r"^[!<>,0-9]+", "", found["apache"])
        name = _FIELDS.get(directive) or _FIELDS.get(directive.lower() if "{" in directive else "")
        end = found.end()
        value = "%" if directive == "%" else _value(directive, found["argument"], text[end : end + 1])
        if name is not None and name not in names:
            names.add(name)
            value = f"(?P<{name}>{value})"
        yield value
    yield re.escape(text[end:])


def _value(directive: str, argument: str | None, after: str) -> str:
    """Return the expression of a value, which ends before the character that follows it."""
    if after == '"':
        return _QUOTED
    if directive in _USERS:
        return ".*?"
    if directive.endswith("t") and "{" not in directive and len(directive) == 1:
        return r"\[[^\]]*+\]"
    if argument is not None and directive.endswith("t"):  # strftime, blanks included
        return "[^ ]*" + " [^ ]*" * argument.count(" ")
    return f"[^{re.escape(after)}]*+" if after else ".*"


def _make(values: Mapping[str, str]) -> LoggedRequest | None:
    method, target = values.get("method", "GET"), values.get("target", "")
    if "request" in values:
        read = read_request_line(values["request"])
        if read is None:
            return None
        method, target = read
    return make_request(
        target, host=values.get("host"), accept=values.get("accept"), method=method, encoding=BYTES
    )


def _unescape(text: str) -> str:
    def undo(found: re.Match[str]) -> str:
        escaped = found[1]
        is_byte = len(escaped) > 1
        return chr(int(escaped[1:], 16)) if is_byte else _CONTROL.get(escaped, escaped)

    return _ESCAPE.sub(undo, text) if "\\" in text else text
