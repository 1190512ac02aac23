"""The paths of descriptions and lists, read and written byte for byte."""

from __future__ import annotations

import re
from urllib.parse import unquote

from ginuri.frozen import Frozen
from ginuri.identifiers import Identifier, parse, parse_host, parse_path
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.service_paths import ABOUT, MEMBERS, QR_CODE, description_path
from ginuri.resolution.descriptions.formats import FORMATS, LIST_FORMATS

_LIST = re.compile(rf"/{MEMBERS}(?:\.(?P<extension>{'|'.join(LIST_FORMATS)}))?/(?P<rest>.+)", re.DOTALL)
_QR_CODE = f"/{QR_CODE}/"
_PATH = re.compile(rf"/(?:{ABOUT}(?:\.(?P<extension>{'|'.join(FORMATS)}))?(?:/(?P<rest>.*))?)?", re.DOTALL)


class DescriptionRequest(Frozen):
    """A requested description of `rest`, in the format of `extension`, or negotiated for None."""

    extension: str | None
    rest: str
    """The identifier byte for byte; empty for the host itself."""


def read_description_path(path: str) -> DescriptionRequest:
    """Read the path of a request; a path of no description is read as an identifier.

    >>> read_description_path("/about.json/uri-gin/azgs/")
    DescriptionRequest(extension='json', rest='uri-gin/azgs/')
    """
    found = _PATH.fullmatch(path)
    return (
        DescriptionRequest(found["extension"], found["rest"] or "")
        if found
        else DescriptionRequest(None, path[1:])
    )


def read_list_path(path: str) -> DescriptionRequest | None:
    """Read the path of a list; None for any other.

    >>> read_list_path("/members.csv/uri-gin/azgs/")
    DescriptionRequest(extension='csv', rest='uri-gin/azgs/')
    """
    found = _LIST.fullmatch(path)
    return DescriptionRequest(found["extension"], found["rest"]) if found else None


def read_qr_code_path(path: str) -> DescriptionRequest | None:
    """Read the path of a QR code; None for any other.

    >>> read_qr_code_path("/qr.svg/uri-gin/azgs/")
    DescriptionRequest(extension=None, rest='uri-gin/azgs/')
    """
    rest = path.removeprefix(_QR_CODE)
    return DescriptionRequest(None, rest) if rest not in {"", path} else None


# RFC 6570 §3.2.2: a client that expands `/about/{identifier}` of OpenAPI escapes every reserved character,
# slashes too. No identifier begins like this, since an unescaped "/" or ":" follows its scheme.
_is_expanded = re.compile(r"(?:uri-[A-Za-z0-9.\-]+%2F|[a-z][a-z0-9+.\-]+%3A)[^/]*", re.IGNORECASE).fullmatch


def read_rest(rest: str, host: str) -> Identifier:
    """Read the identifier at the end of a service path; a name bound to a host may be its whole URI.

    An identifier that was escaped as a whole, as by clients generated from `/openapi.json`, is unescaped.
    Raises MalformedIdentifier and UnknownScheme.

    >>> str(read_rest("uri-gin%2Fazgs%2Fa%252Fb", "")), str(read_rest("uri-gin/azgs%2Fa", ""))
    ('uri-gin/azgs/a%2Fb', 'uri-gin/azgs%2Fa')
    """
    rest = unquote(rest) if _is_expanded(rest) else rest
    return parse(rest) if rest.startswith(("http:", "https:")) else parse_path(f"/{rest}", host=host)


def name_asked(request: DescriptionRequest, host: str, canonical_host: str) -> Identifier:
    """Return the identifier to describe; the host of the request if there is none in the path.

    Raises MalformedIdentifier and UnknownScheme for an identifier; a host that is none is the canonical one.
    """
    if request.rest:
        return read_rest(request.rest, host)
    try:
        return parse_host(host)
    except MalformedIdentifier:
        return parse_host(canonical_host)


def address(identifier: Identifier, extension: str | None = None) -> str:
    """Return the path of a description, negotiated or of one format."""
    return description_path(identifier.normal_form, extension=extension or "")
