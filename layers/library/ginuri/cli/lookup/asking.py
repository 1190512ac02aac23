"""Asks a service over HTTP, as a program does: for JSON, which the commands print for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import Request, urlopen

import click

from ginuri.cli.identifiers.parse import describe_error
from ginuri.cli.stack import service_address, stack_option
from ginuri.cli.terminal import fault, write_json
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message

SECONDS = 30
"""The longest time to wait for an answer."""
MOST_BYTES = 16 * 1024 * 1024
_Command = TypeVar("_Command", bound=Callable[..., Any])


def service_options(command: _Command) -> _Command:
    """Add the options that name a service: its URL, a stack, or the folder of a registry."""
    as_json = click.option("--json", "as_json", is_flag=True, help="Print the JSON of the service.")
    return stack_option(as_json(command))


def ask(path: str, parameters: Mapping[str, str], name: str | None, *, as_json: bool) -> Mapping[str, Any]:
    """Ask a service for JSON, and print it `as_json`; an error of the service is printed, and exits with 1.

    Raises CommandFailed if it does not answer.
    """
    base = service_address(name)
    if urlsplit(base).scheme not in {"http", "https"}:
        raise fault(message("{service} is no address of a service. Write it with https://.", service=base))
    query = f"?{urlencode(parameters)}" if parameters else ""
    address = f"{base.rstrip('/')}{path}{query}"
    request = Request(address, headers={"Accept": "application/json", "User-Agent": "ginuri"})  # noqa: S310  http or https
    try:
        status, body = _send(request)
        document = json.loads(body)
    except (URLError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        raise fault(
            message(
                "{service} does not answer: {reason}.",
                service=base,
                reason=getattr(reason, "strerror", None) or str(reason),
            )
        ) from error
    except ValueError as error:
        raise fault(message("{address} did not answer with JSON.", address=address)) from error
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or not isinstance(document, dict):
        raise fault(message("{address} answered {status}.", address=address, status=str(status)))
    if as_json:
        click.echo(write_json(document, indent=1))
    elif status >= HTTPStatus.BAD_REQUEST:
        click.echo("\n".join(_describe_error(base, status, document)), err=True)
    if status >= HTTPStatus.BAD_REQUEST:
        sys.exit(1)
    return document


def _describe_error(service: str, status: int, document: Mapping[str, Any]) -> Iterator[str]:
    yield f"{status} {document.get('title', '')}"
    yield document.get("detail", "")
    for advice in document.get("advice", ()):
        target = urljoin(f"{service.rstrip('/')}/", advice.get("href", ""))
        yield f"  {advice['title']}  {target}"


def _send(request: Request) -> tuple[int, bytes]:
    try:
        with urlopen(request, timeout=SECONDS) as response:  # noqa: S310  http or https
            return response.status, response.read(MOST_BYTES)
    except HTTPError as error:
        with error:
            return error.code, error.read(MOST_BYTES)


def read_name(text: str) -> str:
    """Return the normal form of an identifier; of another text, print the reason and exit with 1."""
    try:
        return parse(text).normal_form
    except MalformedIdentifier as error:
        describe_error(error, as_json=False)
        sys.exit(1)
