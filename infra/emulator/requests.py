"""The requests to both sides, for every kind of answer, drawn from the registrations of the examples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ginuri.identifiers.service_paths import description_path, qr_code_path, timemap_path
from infra.local.gateway.proxy_event import HttpRequest

_ACCEPTED = (
    "*/*",
    "text/html",
    "application/ld+json",
    "text/turtle",
    "application/pdf",
    "application/x-none",
)
_LANGUAGES = ("en", "es", "de;q=0.5, fr")
_EXTENSIONS = ("html", "ttl", "jsonld", "json", "erc")


@dataclass(frozen=True)
class Sent:
    """A request: `target` is the sent path with the query; an empty `host` is the service's own."""

    target: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    host: str = ""
    body: bytes = b""

    def __str__(self) -> str:
        """Return the request in one line."""
        headers = (f"{name}: {value}" for name, value in self.headers)
        body = [repr(self.body)] if self.body else []
        return " ".join((self.method, f"{self.host}{self.target}", *headers, *body))

    def received(self, service: str) -> HttpRequest:
        """Return the request in the form of the gateway; `service` is the host and port of the service."""
        path, _, query = self.target.partition("?")
        headers = (("host", self.host or service), *self.headers)
        return HttpRequest(self.method, path, query, headers, self.body, "127.0.0.1", 80)


_OTHERS = (
    *(
        Sent(target)
        for target in (
            "/",
            "/uri-gin/",
            "/uri-gin/nobody/",
            "/uri-gin/azgs/doc/map/unheard-of/",
            "/uri-gin/azgs//doc",
            "/%2F",
            "/openapi.json",
            "/search?q=map",
            "/explain/uri-gin/azgs/",
            "/resolve?uri=/uri-gin/azgs/",
        )
    ),
    # Files in S3: returned at once, by their own name, in part, without a body.
    Sent("/uri-gin/usgin/doc/uriGuide", headers=(("accept-language", "de"),)),
    Sent("/uri-gin/usgin/doc/uriGuide.en.html"),
    Sent("/uri-gin/usgin/doc/uriGuide.en.html", headers=(("range", "bytes=10-99"),)),
    Sent("/uri-gin/usgin/doc/uriGuide.en.html", "HEAD"),
)


def requests(identifiers: Sequence[str], every: int) -> Iterator[Sent]:
    """Yield requests for each `every`th of the identifiers, and some for unregistered names."""
    for number, identifier in enumerate(identifiers[::every]):
        host, path = _split(identifier)
        accept = ("accept", _ACCEPTED[number % len(_ACCEPTED)])
        language = ("accept-language", _LANGUAGES[number % len(_LANGUAGES)])
        extension = _EXTENSIONS[number % len(_EXTENSIONS)]
        yield Sent(path, host=host)
        yield Sent(path, "HEAD", host=host)
        yield Sent(path, headers=(accept, language), host=host)
        yield Sent(description_path(identifier, extension=extension), headers=(language,))
        if extension == _EXTENSIONS[0]:
            yield Sent(qr_code_path(identifier))
            yield Sent(timemap_path(identifier))
    yield from _OTHERS


def _split(identifier: str) -> tuple[str, str]:
    """Return the host that an identifier is bound to, if any, and its path."""
    if not identifier.startswith("//"):
        return "", f"/{identifier}"
    host, slash, path = identifier.removeprefix("//").partition("/")
    return host, slash + path
