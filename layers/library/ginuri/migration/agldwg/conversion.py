"""Converts AGLDWG's persistent identifiers: the configuration of their proxy, or their register.

Source: github.com/AGLDWG/pid-proxy, `conf/**/*.conf`, with tests in `test-suite/**/*.json`, and
github.com/AGLDWG/pid-register, `pids/resources/**/*.ttl`, with tests in `tests/pids/**/*.json`. The register
does not state an order of its rules; the longest names come first. With both, the rules are the proxy's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from ginuri.migration.agldwg.answer_tests import AnswerTest, read_tests
from ginuri.migration.agldwg.hosts import HOST
from ginuri.migration.agldwg.pids import RegisteredPid, read_pids
from ginuri.migration.apache.configuration import read_configuration
from ginuri.migration.apache.directives import Directive, read_directives
from ginuri.migration.apache.folders import read_server
from ginuri.migration.apache.importer import convert_site
from ginuri.migration.apache.site import Site
from ginuri.migration.entries import ConvertedEntry, Files, Outcome, Registration

_ARGUMENTS = {"_mediatype": "media_type", "_format": "media_type", "_profile": "profile"}


def import_agldwg(files: Files, host: str = HOST) -> Iterator[Outcome]:
    """Convert these files: `.conf`, `.ttl` and `.json`. Raises UnreadableFile."""
    pids = [pid for file in _named(files, ".ttl") for pid in read_pids(file, files[file])]
    tests = [test for file in _named(files, ".json") for test in read_tests(file, files[file])]
    proxy = {file: files[file] for file in _named(files, ".conf")}
    described = _Described(host, pids, tests)
    site = read_server(proxy, host) if proxy else _read_rules(pids, host)
    for outcome in convert_site(site, described.paths):
        yield described.complete(outcome) if isinstance(outcome, ConvertedEntry) else outcome
    yield from described.without_rules()


def _named(files: Files, ending: str) -> Sequence[str]:
    return [file for file in files if PurePosixPath(file).suffix == ending]


def _read_rules(pids: Sequence[RegisteredPid], host: str) -> Site:
    directives = [Directive("", 0, "rewriteengine", "on")]
    for pid in sorted(pids, key=lambda pid: (-len(pid.url), pid.url)):
        if pid.rules and urlsplit(pid.url).netloc == host:
            for directive in read_directives(pid.place.file, pid.rules.encode()):
                if isinstance(directive, Directive):
                    line = pid.place.line + directive.line - 1
                    directives.append(replace(directive, line=line))
    return Site(host, {"": read_configuration("", directives)})


class _Described:
    """What is known of the names of a host beside their rules."""

    def __init__(self, host: str, pids: Sequence[RegisteredPid], tests: Sequence[AnswerTest]) -> None:
        self._base = f"http://{host}"
        self._pids = {urlsplit(pid.url).path: pid for pid in pids if urlsplit(pid.url).netloc == host}
        self._others = [pid for pid in pids if urlsplit(pid.url).netloc != host]
        self._tests = [test for test in tests if test.host == host]
        self._registered: set[str] = set()
        self._is_host_stated = False

    @property
    def paths(self) -> Sequence[str]:
        """The paths of the persistent identifiers: each becomes a registration of its own."""
        return list(self._pids)

    def complete(self, outcome: ConvertedEntry) -> ConvertedEntry:
        """Add titles, statuses and tests to registrations; and the host before the first of them."""
        lines = [self._complete(line) for line in outcome.registrations]
        if lines and not self._is_host_stated:
            self._is_host_stated = True
            host = {"record": "host", "identifier": f"{self._base}/", "query_arguments": _ARGUMENTS}
            lines.insert(0, host)
        return replace(outcome, registrations=lines)

    def _complete(self, line: Registration) -> Registration:
        path = line["identifier"].removeprefix(self._base)
        pid = self._pids.get(path) if line.get("record") != "rule" else None
        if pid is None:
            above = self._above(f"{path}{line.get('pattern', '')}")
            return {**line, "title": above.title} if above is not None and above.title else line
        self._registered.add(path)
        own = self._tests_below(path)
        return {**line, **pid.fields(), **({"tests": own} if own else {})}

    def _above(self, path: str) -> RegisteredPid | None:
        """Return the persistent identifier that the names of a pattern belong to."""
        literal = path.partition("{")[0].partition("[")[0]
        for end in range(len(literal), 0, -1):
            if literal[:end] in self._pids and literal[end : end + 1] in {"", "/", "."}:
                return self._pids[literal[:end]]
        return None

    def _tests_below(self, path: str) -> list[dict[str, Any]]:
        """Return the tests of names whose longest persistent identifier is this one."""
        return [test.stated_for(path) for test in self._tests if self._longest(test.path) == path]

    def _longest(self, path: str) -> str:
        return next((path[:end] for end in range(len(path), 0, -1) if path[:end] in self._pids), "")

    def without_rules(self) -> Iterator[Outcome]:
        """Yield the persistent identifiers without rules."""
        for path, pid in self._pids.items():
            if path not in self._registered and not pid.rules:
                line = {"identifier": f"{self._base}{path}", **pid.fields()}
                yield ConvertedEntry(pid.place, [line])
        for pid in self._others:
            name = pid.url.partition(":")[2]
            yield ConvertedEntry(pid.place, [{"identifier": f"http:{name}", **pid.fields()}])
