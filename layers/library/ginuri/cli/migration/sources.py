"""The files that `ginuri import` reads: those named, and those of named folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from ginuri.cli.terminal import fault
from ginuri.identifiers.messages import message
from ginuri.migration.entries import Files

_HISTORY = ".git"


def read_files(paths: Sequence[Path], names: Sequence[str]) -> Files:
    """Read files, and all files of folders whose names match one of these patterns.

    A file of a folder is named by its path within the folder; names that are used already are whole paths.
    """
    contents: dict[str, bytes] = {}
    for path in paths:
        for name, file in _find_files(path, names):
            contents[name if name not in contents else str(file)] = file.read_bytes()
    return contents


def _find_files(path: Path, names: Sequence[str]) -> Iterator[tuple[str, Path]]:
    if not path.is_dir():
        yield path.name, path
        return
    within = ((file.relative_to(path), file) for file in sorted(path.rglob("*")) if file.is_file())
    found = [
        (name.as_posix(), file)
        for name, file in within
        if _HISTORY not in name.parts and any(fnmatch(name.name, pattern) for pattern in names)
    ]
    if not found:
        raise fault(message("{folder} has no files named {names}.", folder=str(path), names=", ".join(names)))
    yield from found
