"""Access tokens for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ginuri.access.secrets import make_secret, token_id
from ginuri.access.tokens import Token
from ginuri.registration.authorization import Right
from ginuri.registry.clock import write_moment

NOW = datetime(2026, 11, 27, 12, 0, 10, tzinfo=UTC)
"""Ten seconds after the beginning of a minute."""
JANE = "mailto:jane@example.org"


def new_token(owner: str = JANE, created: datetime = NOW, days: int = 90) -> Token:
    """Make a token that may register in two folders."""
    return Token(
        token_id(make_secret()),
        owner,
        "nightly",
        ("uri-gin/azgs/", "uri-gin/usgs/"),
        frozenset({Right.READ, Right.REGISTER}),
        frozenset({"many"}),
        write_moment(created),
        write_moment(created + timedelta(days=days)),
        created_by="arn:aws:iam::123456789012:user/olga",
    )
