"""The type that checks the field `query_arguments`: names of arguments, and the meaning of each."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, PlainValidator

from ginuri.files.schema.values import Unfit, check_media_type, is_followable
from ginuri.identifiers.messages import message
from ginuri.registry.metadata.query_arguments import MEDIA_TYPE, PROFILE

_ARGUMENT = re.compile(r"[A-Za-z0-9_.~\-]{1,64}")
_TOKEN = re.compile(r"[A-Za-z0-9_.~:\-]{1,64}")
TAKEN = ("accept", "accept-datetime", "accept-language", "accept-profile", "info", "lang", "title")
"""The names, in lower case, with another meaning in a query of an identifier or of its explanation."""


def _argument(text: str) -> str:
    if not _ARGUMENT.fullmatch(text) or text.lower() in TAKEN:
        raise ValueError(
            message(
                "The name of a query argument, such as {example}, has at most 64 letters, digits and "
                "characters _ . ~ -. These names are taken: {taken}.",
                example="_mediatype",
                taken=", ".join(TAKEN),
            )
        )
    return text


def _meaning(given: object) -> str | dict[str, str]:
    if isinstance(given, str) and given in {MEDIA_TYPE, PROFILE}:
        return given
    tokens = _tokens(given)
    if tokens is None:
        raise ValueError(
            message(
                "Write {media_type} or {profile}, or short names of media types or of profiles: {example}.",
                media_type=MEDIA_TYPE,
                profile=PROFILE,
                example='{"dcat": "http://www.w3.org/ns/dcat"}',
            )
        )
    return tokens


def _tokens(given: object) -> dict[str, str] | None:
    """Read short names: all of media types, or all of profiles."""
    if not isinstance(given, dict) or not given:
        return None
    if not all(isinstance(meant, str) and _TOKEN.fullmatch(token) for token, meant in given.items()):
        return None
    stripped = {token: meant.strip() for token, meant in given.items()}
    try:
        return {token: check_media_type(meant) for token, meant in stripped.items()}
    except Unfit:
        return stripped if all(map(is_followable, stripped.values())) else None


QueryArguments = dict[Annotated[str, AfterValidator(_argument)], Annotated[Any, PlainValidator(_meaning)]]
