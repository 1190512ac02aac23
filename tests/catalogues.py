"""What the message catalogues have, for tests to look into."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from babel.messages.pofile import read_po

LOCALES = Path(str(files("ginuri.i18n") / "locales"))


with (LOCALES / "es" / "LC_MESSAGES" / "ginuri.po").open("rb") as _file:
    SPANISH = {str(entry.id): str(entry.string) for entry in read_po(_file, locale="es") if entry.id}
