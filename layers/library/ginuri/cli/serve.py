"""`ginuri serve`: a registry on one machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ginuri.cli.stack import explaining_failures
from ginuri.cli.terminal import fault, say, wrong_value
from ginuri.identifiers.messages import message

if TYPE_CHECKING:
    from ginuri.server.serve import Served

_PORTS = click.IntRange(0, 65535)


def _read_proxies(
    _context: click.Context, _option: click.Parameter, texts: tuple[str, ...]
) -> list[str] | None:
    from ginuri.server.requests import read_network

    try:
        return [str(read_network(text)) for text in texts] or None
    except ValueError as error:
        raise wrong_value(
            message(
                "{reason}. Write an address or a network, such as 127.0.0.1 or 10.0.0.0/8.", reason=str(error)
            )
        ) from error


@click.command("serve")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--port", type=_PORTS, default=8000, show_default=True, help="The port of the service; 0 is any free one."
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 is every one."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    help="The number of answering processes; without it, one for each core, at most 4.",
)
@click.option(
    "--canonical-host",
    metavar="HOST",
    help="The host in the URIs that identifiers are cited by. Kept in the folder.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    callback=_read_proxies,
    help="The address or network of a proxy whose X-Forwarded-Host and X-Forwarded-Proto count; repeatable. "
    "Kept in the folder.",
)
@click.option("--reports-port", type=_PORTS, help="The port of the pages of reports, on this machine only.")
@click.option("--examples", is_flag=True, help="Register the examples, once.")
@click.option("--log/--no-log", default=True, help="Whether each request is a line on standard output.")
def serve_command(  # noqa: PLR0913, PLR0917  one an option
    folder: Path,
    port: int,
    host: str,
    workers: int | None,
    canonical_host: str | None,
    proxies: list[str] | None,
    reports_port: int | None,
    *,
    examples: bool,
    log: bool,
) -> None:
    """Serve the registry in FOLDER on this machine, until Ctrl-C.

    A new folder becomes an empty registry. Upload to it with `ginuri upload --registry FOLDER`.
    """
    if not hasattr(os, "fork"):
        raise fault(message("`ginuri serve` needs Linux or macOS. On Windows, run it in WSL."))
    from ginuri.server.serve import NotServed, Options, serve

    options = Options(host, port, workers or 0, canonical_host, proxies, reports_port, examples, log)
    failure = message("{folder} cannot be served", folder=str(folder))
    with explaining_failures(failure, lambda error: error.words):
        try:
            serve(folder, options, _greet)
        except NotServed as error:
            raise fault(error.words) from error


def _greet(served: Served) -> None:
    say(message("Identifiers are cited with http://{host}/.", host=served.canonical_host))
    say(message("Reports are at {address}.", address=served.reports))
    click.echo(f"ready {served.service}")
