"""The bodies of requests in JSON."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

MOST_MINTED = 100
"""The most names of one request; one call of the registry reads as many records."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class MintRequest(_Strict):
    """New opaque names under a prefix, each with the same registration."""

    prefix: Annotated[str, Field(min_length=1, max_length=1_024)]
    template: Annotated[str, Field(min_length=1, max_length=64)] = "eedeedeek"
    count: Annotated[int, Field(ge=1, le=MOST_MINTED)] = 1
    registration: dict[str, Any] = {}


class ReadRequest(_Strict):
    """The identifiers whose statements are read, those in force or all."""

    names: Annotated[list[str], Field(max_length=64)]
    history: bool = False


class TokenRequest(_Strict):
    """A token, never wider than the one that the request has."""

    name: Annotated[str, Field(max_length=100)] = ""
    folders: list[str] | None = None
    rights: list[str] | None = None
    options: list[str] = []
    days: Annotated[int, Field(ge=1, le=365)] = 90
