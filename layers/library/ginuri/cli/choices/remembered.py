"""`ginuri.toml`: the choices for the uploads of the files beside it, so that the next one needs none of them.

Each file has a table, `[upload."wells.xlsx"]`. Everything else in the file stays as it is.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from ginuri.cli.terminal import fault, say
from ginuri.files.options import READING
from ginuri.identifiers.messages import message

NAME = "ginuri.toml"
TABLE = "upload"
"""The table of the choices."""
UNDER, MAP = "under", READING["columns"]
KEPT = (UNDER, *READING.values())
"""The options that are kept, in the order in which they are written."""
_HEADER = re.compile(r"^\s*\[")


def recall(file: Path) -> Mapping[str, str]:
    """Return what was chosen for a file, by the names of options; empty if it is uploaded the first time.

    Raises CommandFailed if `ginuri.toml` cannot be read.
    """
    beside = file.with_name(NAME)
    try:
        content = tomllib.loads(beside.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise fault(
            message(
                "{file} cannot be read: {error}. Correct or remove it.", file=str(beside), error=str(error)
            )
        ) from error
    tables = content.get(TABLE, {})
    chosen = tables.get(file.name, {}) if isinstance(tables, dict) else {}
    return {key: str(chosen[key]) for key in KEPT if key in chosen} if isinstance(chosen, dict) else {}


def keep(file: Path, chosen: Mapping[str, str]) -> None:
    """Keep what was chosen for a file, and say so if that is new, or if it was not possible."""
    try:
        is_new = remember(file, chosen)
    except OSError as error:
        say(message("The choices were not kept: {error}", error=str(error)), err=True)
        return
    if is_new:
        say(
            message(
                "Kept in {file}: the next upload of this file asks nothing, unless a row is refused or can "
                "be corrected.",
                file=NAME,
            ),
            err=True,
        )


def remember(file: Path, chosen: Mapping[str, str]) -> bool:
    """Keep what was chosen for a file, and return whether that is new. Raises OSError."""
    if chosen == recall(file):
        return False
    beside = file.with_name(NAME)
    content = beside.read_text(encoding="utf-8") if beside.exists() else ""
    beside.write_text(_replace(content, file.name, chosen), encoding="utf-8")
    return True


def _replace(content: str, name: str, chosen: Mapping[str, str]) -> str:
    r"""Replace the table of a file, or add it at the end.

    >>> print(_replace("# Mine\n[upload.'a.csv']\nmap = ''\n", "a.csv", {"under": "uri-gin/azgs/"}), end="")
    # Mine
    [upload."a.csv"]
    under = "uri-gin/azgs/"
    """
    lines = content.splitlines(keepends=True)
    begin = next((at for at, line in enumerate(lines) if _is_header_of(line, name)), len(lines))
    rest = lines[begin + 1 :]
    end = next((at for at, line in enumerate(rest) if _HEADER.match(line)), len(rest))
    written = [f"[{TABLE}.{_quote(name)}]\n"]
    written += [f"{key} = {_quote(chosen[key])}\n" for key in KEPT if chosen.get(key)]
    if begin == len(lines) and lines:
        if not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        written.insert(0, "\n")
    return "".join([*lines[:begin], *written, *rest[end:]])


def _is_header_of(line: str, name: str) -> bool:
    if not _HEADER.match(line):
        return False
    try:
        tables = tomllib.loads(line).get(TABLE)
    except ValueError:
        return False
    return isinstance(tables, dict) and list(tables) == [name]


def _quote(text: str) -> str:
    # A string of JSON is one of TOML, but for this character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
