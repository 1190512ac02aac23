"""Reads the files of a host: .htaccess files of its folders, or the configuration of the server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import PurePosixPath

from ginuri.migration.apache.configuration import Configuration, read_configuration
from ginuri.migration.apache.directives import Directive, IgnoredSection, read_directives
from ginuri.migration.apache.site import Site

HTACCESS = ".htaccess"


def read_folders(files: Mapping[str, bytes], host: str) -> Site:
    """Read the .htaccess files of a host's folder, by their paths."""
    configurations: dict[str, Configuration] = {}
    own = {_directory(file): file for file in files if PurePosixPath(file).name == HTACCESS}
    directories = {"/"} | {ancestor for directory in own for ancestor in _ancestors(directory)}
    for directory in sorted(directories, key=len):
        above = configurations.get(_parent(directory)) if directory != "/" else None
        file = own.get(directory)
        directives = read_directives(file, files[file]) if file is not None else ()
        configurations[directory] = read_configuration(directory, directives, above)
    return Site(host, configurations)


def read_server(files: Mapping[str, bytes], host: str) -> Site:
    """Read the configuration of a server, in one or several files that may include each other."""
    included = {name for file in files for name in _included(file, files)}
    directives = [
        directive for file in files if file not in included for directive in _read_with_includes(file, files)
    ]
    configuration = read_configuration("", directives)
    if configuration.is_on is None:  # included files alone do not turn it on
        configuration = read_configuration("", [Directive("", 0, "rewriteengine", "on"), *directives])
    return Site(host, {"": configuration})


def _directory(file: str) -> str:
    parent = PurePosixPath("/", file).parent.as_posix()
    return parent if parent == "/" else f"{parent}/"


def _ancestors(directory: str) -> Iterator[str]:
    while directory:
        yield directory
        directory = _parent(directory)


def _parent(directory: str) -> str:
    return directory[: directory[:-1].rfind("/") + 1]


def _read_with_includes(file: str, files: Mapping[str, bytes]) -> Iterator[Directive | IgnoredSection]:
    for directive in read_directives(file, files[file]):
        if isinstance(directive, Directive) and directive.name in {"include", "includeoptional"}:
            for other in _matching(directive.text, files):
                yield from _read_with_includes(other, files)
        else:
            yield directive


def _included(file: str, files: Mapping[str, bytes]) -> Iterator[str]:
    for directive in read_directives(file, files[file]):
        if isinstance(directive, Directive) and directive.name in {"include", "includeoptional"}:
            yield from (other for other in _matching(directive.text, files) if other != file)


def _matching(pattern: str, files: Mapping[str, bytes]) -> list[str]:
    """Return the files that an Include names: its path is that on the server, so the longest end counts."""
    parts = PurePosixPath(pattern.strip("\"'")).parts
    for start in range(len(parts)):
        end = "/".join(parts[start:]).lstrip("/")
        found = sorted(file for file in files if fnmatch(f"/{file}", f"*/{end}"))
        if found:
            return found
    return []
