"""The order in which the files of a folder are uploaded; the folder is laid out like the uploads bucket."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ginuri.files.formats import SUFFIXES
from ginuri.identifiers.stewards import HOST_FOLDER


def list_files(folder: Path) -> Mapping[str, Path]:
    """Return the files under a folder by key, in order. Names that begin with a dot are skipped."""
    paths = sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*"))
    return {
        key: path
        for key, path in paths
        if path.is_file() and not any(part.startswith(".") for part in key.split("/"))
    }


def stages(folder: Path, host_from: Path | None = None) -> Sequence[Sequence[tuple[str, Path]]]:
    """Return the uploads, key and file, in two stages: the second waits for the reports on the first.

    Files that a registry file names must exist before it, and a host before its names; the records of hosts
    name no files. Without a `_host/` in the folder, that of `host_from` is uploaded as well.
    """
    files = list_files(folder)
    if host_from and not any(key.startswith(HOST_FOLDER) for key in files):
        files = {
            **{key: path for key, path in list_files(host_from).items() if key.startswith(HOST_FOLDER)},
            **files,
        }
    staged: tuple[list[tuple[str, Path]], ...] = ([], [])
    for key, path in sorted(files.items()):
        staged[is_registry_file(key) and not key.startswith(HOST_FOLDER)].append((key, path))
    return staged


def lines_of(stage: Iterable[tuple[str, Path]]) -> Sequence[deque[tuple[str, Path]]]:
    """Return lines of files, the longest first: the files of a line wait for each other.

    They are the registry files in one outermost folder; any other file waits for none.
    """
    lines: defaultdict[str, deque[tuple[str, Path]]] = defaultdict(deque)
    for key, path in stage:
        lines[key.partition("/")[0] if is_registry_file(key) else key].append((key, path))
    return sorted(lines.values(), key=len, reverse=True)


def is_registry_file(key: str) -> bool:
    """Return whether a file contains registrations, by its name; any other file is stored."""
    return key.lower().endswith(SUFFIXES)
