"""Reads the identifier that a command looks up."""

from __future__ import annotations

import sys

from ginuri.cli.identifiers.parse import describe_error
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier


def read_name(text: str) -> str:
    """Return the normal form of an identifier; of another text, print the reason and exit with 1."""
    try:
        return parse(text).normal_form
    except MalformedIdentifier as error:
        describe_error(error, as_json=False)
        sys.exit(1)
