"""A `curl` line of the documentation, parsed and sent without a shell, to the local stack only."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from urllib.parse import quote, urljoin, urlsplit

DOCUMENTED = "127.0.0.1:8000"
"""The address of `make serve`, which every documented line uses."""
_MOST_REDIRECTS = 5
_FLAGS = {
    "-s": "silent",
    "-S": "silent",
    "-i": "silent",
    "-g": "silent",  # braces and brackets stay unchanged: nothing here expands them
    "-I": "head",
    "-L": "follow",
    "-G": "get",
    "--silent": "silent",
    "--include": "silent",
    "--globoff": "silent",
    "--path-as-is": "silent",
    "--compressed": "silent",
    "--head": "head",
    "--location": "follow",
    "--get": "get",
}
_TAKING = {
    "-H": "header",
    "-A": "agent",
    "-X": "method",
    "-d": "data",
    "--header": "header",
    "--user-agent": "agent",
    "--request": "method",
    "--data": "data",
    "--data-raw": "data",
    "--data-binary": "data",
    "--json": "json",
    "--data-urlencode": "urlencoded",
}
_FORM = "application/x-www-form-urlencoded"


class NotUnderstood(ValueError):
    """Raised for a line that is not one `curl` request, or has an unsupported option."""


@dataclass(frozen=True)
class Asked:
    """A request as `curl` would send it."""

    target: str
    """The text after the host, byte for byte and without a fragment."""
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    is_following: bool = False


@dataclass(frozen=True)
class Answer:
    """The answer at the end of all followed redirects."""

    status: int
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: str = field(repr=False)

    @property
    def location(self) -> str | None:
        """The target of a redirect."""
        return next((value for name, value in self.headers if name.lower() == "location"), None)

    @property
    def text(self) -> str:
        """The whole answer as `curl -i` prints it."""
        return "\n".join([*(f"{name}: {value}" for name, value in self.headers), "", self.body])


def read_curl(line: str) -> Asked:
    """Parse a line such as `curl -si -H 'Host: id.example' http://127.0.0.1:8000/x`. Raises NotUnderstood."""
    words = shlex.split(line)
    if not words or words.pop(0) != "curl":
        raise NotUnderstood(f"no curl line: {line}")
    said: dict[str, list[str]] = {}
    while words:
        word = words.pop(0)
        if word in _TAKING and words:
            said.setdefault(_TAKING[word], []).append(words.pop(0))
        elif word in _FLAGS:
            said.setdefault(_FLAGS[word], [])
        elif re.fullmatch(r"-[A-Za-z]{2,}", word):
            words[:0] = [f"-{letter}" for letter in word[1:]]
        elif word.startswith("-") or re.fullmatch(r"[|<>;&]+", word):
            raise NotUnderstood(f"{word} is not read here: {line}")
        else:
            said.setdefault("url", []).append(word)
    if len(said.get("url", [])) != 1:
        raise NotUnderstood(f"one URL a line: {line}")
    return _asked(line, said)


def _asked(line: str, said: dict[str, list[str]]) -> Asked:
    [url] = said["url"]
    before, found, target = url.partition(DOCUMENTED)
    if not found or before not in {"", "http://"}:
        raise NotUnderstood(f"asks another host than {DOCUMENTED}, which -H 'Host: …' names: {line}")
    target = target.partition("#")[0] or "/"
    headers = [(name, value.strip()) for name, _, value in (each.partition(":") for each in _headers(said))]
    pieces = [*said.get("data", []), *said.get("json", []), *map(_urlencoded, said.get("urlencoded", []))]
    body = "&".join(pieces) if pieces else None
    if body is not None and "get" in said:
        target, body = f"{target}{'&' if '?' in target else '?'}{body}", None
    if body is not None and not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(("Content-Type", "application/json" if "json" in said else _FORM))
    method = "HEAD" if "head" in said else "GET" if body is None else "POST"
    [method] = said.get("method", [method])
    return Asked(
        target if target.startswith("/") else f"/{target}", method, tuple(headers), body, "follow" in said
    )


def _headers(said: dict[str, list[str]]) -> Sequence[str]:
    given = said.get("header", [])
    agents = [f"User-Agent: {each}" for each in said.get("agent", ["curl/8"])]
    has_accept = any(each.lower().startswith("accept:") for each in given)
    return [*given, *agents, *([] if has_accept else ["Accept: */*"])]


def _urlencoded(text: str) -> str:
    # curl --data-urlencode: "name=content" and "content", of which only the content is escaped.
    name, equals, content = text.rpartition("=") if text.count("=") == 1 else text.partition("=")
    return f"{name}={quote(content, safe='-._~')}" if equals else quote(text, safe="-._~")


def ask(asked: Asked, at: str) -> Answer:
    """Send the request to `127.0.0.1:port`; redirects are followed only with the option for it."""
    for _ in range(_MOST_REDIRECTS):
        answer = _ask_once(asked, at)
        if not asked.is_following or answer.location is None:
            return answer
        host = dict(asked.headers).get("Host", at)
        leads = urlsplit(urljoin(f"http://{host}{asked.target}", answer.location))
        if leads.netloc not in {host, at}:
            raise NotUnderstood(f"{asked.target} leads away, to {answer.location}: leave -L out")
        query = f"?{leads.query}" if leads.query else ""
        asked = replace(asked, target=f"{leads.path}{query}")
    raise NotUnderstood(f"more than {_MOST_REDIRECTS} redirects, the last to {asked.target}")


def _ask_once(asked: Asked, at: str) -> Answer:
    connection = HTTPConnection(at, timeout=30)
    named = any(name.lower() == "host" for name, _ in asked.headers)
    connection.putrequest(asked.method, asked.target, skip_host=named, skip_accept_encoding=True)
    body = None if asked.body is None else asked.body.encode()
    for name, value in asked.headers:
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    response = connection.getresponse()
    answer = Answer(
        response.status, tuple(response.getheaders()), response.read().decode(errors="backslashreplace")
    )
    connection.close()
    return answer
