"""The secret of a token: how it is made, recognised and stored.

    secret   = "gin_" random checksum
    random   = 43(base64url)     ; 256 bits
    checksum = 6(base62)         ; CRC-32 of all that is before it, for scanners of leaked secrets

Only the hash of a secret is stored. It is no password: nobody can guess 256 bits, so a fast hash is enough.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import zlib

PREFIX = "gin_"
_BYTES = 32
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CHECKSUM_LENGTH = 6
_FORM = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}[0-9A-Za-z]{{{_CHECKSUM_LENGTH}}}")


def make_secret() -> str:
    """Return a new secret."""
    body = PREFIX + secrets.token_urlsafe(_BYTES)
    return body + _checksum(body)


def is_well_formed(secret: str) -> bool:
    """Return whether a text has the form of a secret, its checksum included.

    >>> is_well_formed(make_secret()), is_well_formed("gin_secret")
    (True, False)
    """
    if _FORM.fullmatch(secret) is None:
        return False
    return secret[-_CHECKSUM_LENGTH:] == _checksum(secret[:-_CHECKSUM_LENGTH])


def token_id(secret: str) -> str:
    """Return the identifier of a token, which is not secret: the SHA-256 of its secret, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _checksum(body: str) -> str:
    left, digits = zlib.crc32(body.encode()), ""
    for _ in range(_CHECKSUM_LENGTH):
        left, digit = divmod(left, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits
