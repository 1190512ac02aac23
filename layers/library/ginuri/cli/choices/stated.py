"""The options of an upload that a person may leave out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ginuri.cli.choices.remembered import UNDER
from ginuri.files.mapping.columns import quote_argument
from ginuri.files.options import READING, UploadOptions


@dataclass(frozen=True, slots=True)
class Stated:
    """The options of an upload that may be left out, by their names; only those that are stated."""

    values: Mapping[str, str]

    @property
    def under(self) -> str:
        """The folder; empty if it is not stated."""
        return self.values.get(UNDER, "")

    @property
    def options(self) -> UploadOptions:
        """The other options."""
        given: dict[str, Any] = {field: self.values.get(name, "") for field, name in READING.items()}
        return UploadOptions(**given)

    def adding(self, **values: str) -> Stated:
        """Return these options, and others for what is not stated."""
        return Stated({name: text for name, text in values.items() if text} | dict(self.values))

    def as_command(self) -> str:
        """Write the options for a shell."""
        return " ".join(f"--{name} {quote_argument(text)}" for name, text in self.values.items())


def state(under: str | None, reading: UploadOptions) -> Stated:
    """Collect the folder and the options of reading that are stated."""
    texts = {UNDER: under, **{name: getattr(reading, field) for field, name in READING.items()}}
    return Stated({name: text for name, text in texts.items() if text})
