"""The settings of an environment: those of samconfig.toml, and of site.toml in their place.

The values of a site are in site.toml, a file that belongs to the site and not to the project.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import boto3

_ROOT = Path(__file__).parents[2]
BUILT = _ROOT / ".aws-sam" / "build"
_SETTINGS = ("stack_name", "region", "profile")
"""The names in site.toml that are no parameters of the template."""
_TAGS = "tags"


class UnusableValue(ValueError):
    """Raised for a value that cannot be deployed; the message names it and the solution."""


@dataclass(frozen=True)
class Environment:
    """The stack of an environment, and the values that are named for it."""

    name: str
    stack: str
    region: str
    profile: str | None
    named: Mapping[str, str]
    """The values of the named parameters."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """The named tags; one with an empty value is to be removed."""

    def session(self) -> boto3.Session:
        """Open a session with AWS in the region and with the profile of the stack. Raises BotoCoreError."""
        return boto3.Session(profile_name=self.profile, region_name=self.region)


def load_environment(name: str) -> Environment:
    """Read an environment from the files. Raises UnusableValue, also for an unknown environment."""
    try:
        return read_environment(_read("samconfig.toml"), name, _read("site.toml"))
    except KeyError as error:
        raise UnusableValue(f"{error} is missing in samconfig.toml: ENV is dev or prod.") from error
    except tomllib.TOMLDecodeError as error:
        raise UnusableValue(f"samconfig.toml or site.toml cannot be read: {error}.") from error


def read_environment(
    configuration: Mapping[str, Any], name: str, site: Mapping[str, Any] = MappingProxyType({})
) -> Environment:
    """Read an environment of samconfig.toml and of a site.

    Raises KeyError for an unknown environment, UnusableValue for a value with a blank or without a name.
    """
    stated = configuration[name]["deploy"]["parameters"]
    stated_by_site = dict(site.get(name, {}))
    tags = {key: _write(value) for key, value in stated_by_site.pop(_TAGS, {}).items()}
    own = {key: _write(value) for key, value in stated_by_site.items()}
    settings = {**stated, **{key: own.pop(key) for key in _SETTINGS if key in own}}
    entries = (*stated["parameter_overrides"], *map("=".join, own.items()))
    return Environment(
        name,
        settings["stack_name"],
        settings["region"],
        settings.get("profile"),
        dict(map(_read_entry, entries)),
        {**dict(map(_read_entry, stated.get(_TAGS, ()))), **tags},
    )


def _write(value: object) -> str:
    """Write a value of TOML as CloudFormation expects it."""
    match value:
        case bool():
            return str(value).lower()
        case list():
            return ",".join(map(str, value))
        case _:
            return str(value)


def _read_entry(entry: str) -> tuple[str, str]:
    name, separator, value = entry.partition("=")
    if not (name and separator and value) or len(entry.split()) > 1:
        raise UnusableValue(f"{entry!r}, of samconfig.toml or site.toml, is no NAME=VALUE without blanks")
    return name, value


def _read(name: str) -> dict[str, Any]:
    path = _ROOT / name
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
