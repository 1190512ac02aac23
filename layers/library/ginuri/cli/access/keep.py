"""`ginuri token keep` and `ginuri token forget`: a token in the keyring of the operating system."""

from __future__ import annotations

import sys

import click

from ginuri.cli.access.service_token import forget_token, keep_token, make_client
from ginuri.cli.service.failures import explain, unavailable
from ginuri.cli.stack import explaining_failures
from ginuri.cli.terminal import localize, say, terminal_language
from ginuri.identifiers.messages import message

_service = click.option(
    "--service",
    envvar="GINURI_SERVICE",
    show_envvar=True,
    required=True,
    metavar="URL",
    callback=lambda _context, _option, address: address.rstrip("/"),
    help="The service that the token is for, such as https://id.example.org.",
)


@click.command("keep")
@_service
def keep_command(*, service: str) -> None:
    """Keep a token in the keyring of this machine, for all commands with --service.

    Asks for the token, or reads it from standard input, so that it stays out of the history of the shell.
    Asks the service whose token it is; one that the service does not know is not kept.
    """
    if sys.stdin.isatty():
        secret = click.prompt(localize(message("Token")), hide_input=True)
    else:
        secret = sys.stdin.readline()
    client = make_client(service, secret, terminal_language())
    with explaining_failures(message("The token was not kept"), explain), client, unavailable():
        me = client.me()
    keep_token(service, secret.strip())
    say(
        message(
            "Kept for {service}: the token {name} of {owner}, until {day}.",
            service=service,
            name=me.token.name or me.token.id[:12],
            owner=me.owner,
            day=me.token.expires[:10],
        )
    )


@click.command("forget")
@_service
def forget_command(*, service: str) -> None:
    """Remove the token for a service from the keyring of this machine.

    It stays valid until it is revoked. Exits 1 if there is none.
    """
    if not forget_token(service):
        say(message("There is no token for {service}.", service=service), err=True)
        sys.exit(1)
    say(message("Removed from the keyring: the token for {service}.", service=service))
