"""Creates tokens: what one may be, and that it is never wider than the token that it is created with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from ginuri.access.secrets import make_secret, token_id
from ginuri.access.tokens import Token
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import folder_to_prefix, prefix_to_folder
from ginuri.registration.authorization import Right, read_grantee
from ginuri.registry.clock import write_moment

RIGHTS = (Right.READ, Right.REGISTER, Right.RETIRE)
"""The rights that a token may have; no token may grant."""
OPTIONS = ("correction", "many", "snapshot")
"""The options of uploads that a token needs a permission for."""
MOST_DAYS = 365
DEFAULT_DAYS = 90
MOST_FOLDERS = 20
MOST_NAME = 100
"""The most characters of a name."""
_PERSON = "mailto:"


@dataclass(frozen=True, slots=True)
class WantedToken:
    """A token to create."""

    owner: str
    folders: tuple[str, ...]
    rights: frozenset[Right]
    options: frozenset[str] = frozenset()
    days: int = DEFAULT_DAYS
    name: str = ""


def faults_of(wanted: WantedToken, used: Token | None = None, now: datetime | None = None) -> list[Message]:
    """Return why a token cannot be created; `used` is the token that it is created with, if there is one."""
    faults = list(_faults(wanted))
    if used is not None and now is not None:
        faults += _excess(wanted, used, now)
    return faults


def make_token(wanted: WantedToken, created_by: str, now: datetime) -> tuple[str, Token]:
    """Return the secret of a new token, and the token; the caller has asked `faults_of`."""
    secret = make_secret()
    token = Token(
        token_id(secret),
        wanted.owner,
        wanted.name,
        tuple(sorted(set(wanted.folders))),
        wanted.rights,
        wanted.options,
        write_moment(now),
        _expiry(wanted, now),
        created_by=created_by,
    )
    return secret, token


def _expiry(wanted: WantedToken, now: datetime) -> str:
    return write_moment(now + timedelta(days=wanted.days))


def _faults(wanted: WantedToken) -> Iterator[Message]:
    if not wanted.owner.startswith(_PERSON) or read_grantee(wanted.owner) != wanted.owner:
        yield message(
            "{owner} names no person. Write an e-mail address, as in {example}.",
            owner=repr(wanted.owner),
            example="mailto:jane@example.org",
        )
    if not 0 < len(wanted.folders) <= MOST_FOLDERS:
        yield message("A token has 1 to {most} folders.", most=str(MOST_FOLDERS))
    for folder in wanted.folders:
        if (right := _normal(folder)) != folder:
            yield message("{folder} is no folder. Write {right}.", folder=repr(folder), right=right)
    if not wanted.rights or wanted.rights - set(RIGHTS):
        yield message("A token has one or more of the rights {rights}.", rights=", ".join(RIGHTS))
    if wanted.options - set(OPTIONS):
        yield message("The options of a token are {options}.", options=", ".join(OPTIONS))
    if not 0 < wanted.days <= MOST_DAYS:
        yield message("A token lasts 1 to {most} days.", most=str(MOST_DAYS))
    if len(wanted.name) > MOST_NAME or not wanted.name.isprintable():
        yield message(
            "The name of a token has at most {most} characters, all of them visible.", most=str(MOST_NAME)
        )


def _normal(folder: str) -> str:
    """Return the folder that a text means, or an example if it means none."""
    try:
        normal_form = parse(folder_to_prefix(folder)).normal_form
    except MalformedIdentifier:
        return "uri-gin/azgs/"
    ends = normal_form.endswith(("/", ":"))
    return prefix_to_folder(normal_form if ends else f"{normal_form}/")


def _excess(wanted: WantedToken, used: Token, now: datetime) -> Iterator[Message]:
    """Name what is wider than the token that is used; another person's token is always wider."""
    if wanted.owner != used.owner:
        yield message("A token creates tokens of its own owner only, {owner}.", owner=used.owner)
    for folder in wanted.folders:
        if not used.covers(folder):
            yield message("The token used does not reach the folder {folder}.", folder=folder)
    if lacking := sorted(wanted.rights - used.rights):
        yield message("The token used lacks the rights {rights}.", rights=", ".join(lacking))
    if forbidden := sorted(wanted.options - used.options):
        yield message("The token used lacks the options {options}.", options=", ".join(forbidden))
    if _expiry(wanted, now) > used.expires:
        yield message("The token used expires before, on {day}.", day=used.expires[:10])
