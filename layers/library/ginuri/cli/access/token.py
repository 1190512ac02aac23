"""`ginuri token`: creates, lists, revokes and keeps access tokens. One command for each."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from ginuri.access.creation import DEFAULT_DAYS, MOST_DAYS, OPTIONS, RIGHTS, WantedToken
from ginuri.access.operators import Deed, Event
from ginuri.access.secrets import is_well_formed, token_id
from ginuri.access.tokens import Token
from ginuri.cli.access.keep import forget_command, keep_command
from ginuri.cli.options import folder_option
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import format_value, localize, say, write_json
from ginuri.identifiers.messages import Message, message, translatable
from ginuri.registration.authorization import Right, read_grantee
from ginuri.registry.clock import utc_now, write_moment

SHORT = 12
"""The characters of an identifier in lists; they name a token as long as no other one begins with them."""
_SHORTEST = 8
"""The fewest characters that name a token."""
_DEEDS = {
    Deed.CREATED: translatable("{at}  {operator} created {token} of {owner}"),
    Deed.REVOKED: translatable("{at}  {operator} revoked {token} of {owner}"),
}
_person = click.option(
    "--for",
    "person",
    default="",
    metavar="PERSON",
    callback=lambda _context, _option, text: read_grantee(text) or text,
    help="The person that the token acts for, by e-mail address, as in jane@example.org.",
)


@click.group("token")
def token_command() -> None:
    """Create, list and revoke access tokens, with which people use the API.

    A token acts for a person, in some folders, with some rights, until a day. It can never do more than the
    grants of that person allow. Operators create tokens by their credentials in AWS, or on the machine of a
    registry folder. With --service, people create tokens of their own, never wider than the one they use.
    """


@token_command.command("create")
@_person
@folder_option(
    "--folder",
    "folders",
    multiple=True,
    required=True,
    help="A folder that the token may use, with all folders below it; repeat it for more.",
)
@click.option(
    "--may",
    "rights",
    type=click.Choice([*map(str, RIGHTS)]),
    multiple=True,
    help="A right of the token; without it, read and register.",
)
@click.option(
    "--option",
    "options",
    type=click.Choice(OPTIONS),
    multiple=True,
    help="An option that its uploads may state; without it, none of these.",
)
@click.option(
    "--days",
    type=click.IntRange(1, MOST_DAYS),
    default=DEFAULT_DAYS,
    show_default=True,
    help="The days until it expires.",
)
@click.option("--name", "title", default="", help="A name to recognise it by.")
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def create_command(  # noqa: PLR0913  the options
    *,
    person: str,
    folders: tuple[str, ...],
    rights: tuple[str, ...],
    options: tuple[str, ...],
    days: int,
    title: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Create an access token, and print it: nobody can show it again.

    The person needs a grant of these rights, registered from `_host/`. The token is the only line of the
    output, so that a script can keep it. Exits 2 if there is no new token.
    """
    may = frozenset(map(Right, rights)) or frozenset({Right.READ, Right.REGISTER})
    wanted = WantedToken(person, folders, may, frozenset(options), days, title)
    with open_stack(name, message("The token cannot be created")) as stack:
        secret, token = stack.tokens.create(wanted)
    if as_json:
        click.echo(write_json({"token": secret, **_members(token)}, indent=1))
        return
    click.echo(secret)
    say(_describe(token), err=True)
    say(message("It is shown only here. Keep it in {variable}.", variable="GINURI_TOKEN"), err=True)


@token_command.command("list")
@_person
@click.option("--log", "is_log", is_flag=True, help="List what operators did with tokens instead.")
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def list_command(*, person: str, name: str | None, is_log: bool, as_json: bool) -> None:
    """List access tokens, also revoked ones and, for a month, expired ones."""
    with open_stack(name, message("The tokens cannot be read")) as stack:
        listed = stack.tokens.events() if is_log else stack.tokens.all()
    for each in listed:
        if person in {"", each.owner}:
            click.echo(write_json(_members(each)) if as_json else localize(_describe(each)))


@token_command.command("revoke")
@click.argument("tokens", nargs=-1, metavar="TOKEN...")
@_person
@stack_option
def revoke_command(*, tokens: tuple[str, ...], person: str, name: str | None) -> None:
    """Revoke access tokens at once, also for uploads that still wait.

    TOKEN is an identifier in the list, or at least eight characters of its beginning, or a whole token that
    leaked. With --for instead, all tokens of a person are revoked. Exits 1 if one of them is not found.
    """
    with open_stack(name, message("The tokens cannot be revoked")) as stack:
        known, missing = stack.tokens.all(), 0
        for each in _named(tokens, person, known):
            token = each if isinstance(each, str) else stack.tokens.revoke(each.id)
            if token is None or isinstance(token, str):
                missing += 1
                say(message("{token} names no token of this registry.", token=format_value(each)), err=True)
            else:
                say(_describe(token))
    sys.exit(1 if missing else 0)


def _named(texts: Sequence[str], person: str, known: Sequence[Token]) -> Iterator[Token | str]:
    """Yield the token that a text names, or the text unless it names one; then the tokens of a person."""
    for text in texts:
        wanted = token_id(text) if is_well_formed(text) else text
        found = [token for token in known if token.id.startswith(wanted)]
        yield found[0] if len(found) == 1 and len(wanted) >= _SHORTEST else text
    yield from (token for token in known if person == token.owner and not token.revoked)


def _describe(value: Token | Event) -> Message:
    if isinstance(value, Event):
        return Message(
            _DEEDS[value.deed],
            {
                "at": value.at,
                "operator": format_value(value.operator),
                "token": value.token[:SHORT],
                "owner": value.owner,
            },
        )
    return message(
        "{token}  {owner}  {name}  {folders}  {may}  {state}",
        token=value.id[:SHORT],
        owner=value.owner,
        name=format_value(value.name or None),
        folders=" ".join(value.folders),
        may=",".join([*sorted(value.rights), *sorted(value.options)]),
        state=_state(value),
    )


def _state(token: Token) -> Message:
    if token.revoked:
        return message("revoked {moment}", moment=token.revoked)
    if token.expires <= write_moment(utc_now()):
        return message("expired {moment}", moment=token.expires)
    if token.last_used:
        return message("until {moment}, last used {used}", moment=token.expires, used=token.last_used)
    return message("until {moment}, never used", moment=token.expires)


def _members(value: Token | Event) -> dict[str, Any]:
    members = asdict(value)
    return {name: sorted(each) if isinstance(each, frozenset) else each for name, each in members.items()}


token_command.add_command(keep_command)
token_command.add_command(forget_command)
