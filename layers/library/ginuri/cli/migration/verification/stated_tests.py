"""`ginuri verify --tests`: sends the requests of stated tests to a resolver, and reports the failures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from ginuri.answer_tests.placed_tests import PlacedTest, place_tests
from ginuri.answer_tests.results import TestResult, TestSummary, failure_members
from ginuri.answer_tests.wording import write_failure, write_summary
from ginuri.cli.ports import Stack
from ginuri.cli.stack import open_stack
from ginuri.cli.terminal import fault, say, with_progress, write_json
from ginuri.files.formats import read_lines, reader_for
from ginuri.files.options import UploadOptions
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import message
from ginuri.migration.verification.probe import RateLimit, Resolver
from ginuri.migration.verification.requests import run_at_once
from ginuri.migration.verification.stated_tests import TestedResolver, read_row_tests
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Level, is_refused

_CHUNK = 64 * 1024


def make_resolver(address: str, seconds: float) -> Resolver:
    """Make a resolver. Raises CommandFailed if the address is none."""
    try:
        return Resolver(address, seconds)
    except ValueError:
        raise fault(
            message("{address} is not a host, nor the http or https address of one.", address=repr(address))
        ) from None


@dataclass(slots=True)
class VerifiedTests:
    """The tests to send, and how."""

    files: Sequence[Path]
    """Registry files; without any, the tests of the stack are sent."""
    prefix: str
    """The prefix of the identifiers whose tests are sent; empty for all."""
    options: UploadOptions
    at_once: int
    gate: float | None
    """The percentage of tests that must pass; None for all."""
    is_json: bool
    unread: int = 0
    """The number of lines with a fault, whose tests are unknown."""

    def run(self, address: str | None, stack_name: str | None, rate: float, seconds: float) -> bool:
        """Send the tests to an address, or to the service of the stack; return whether enough pass."""
        if self.files and address:
            return self._send(make_resolver(address, seconds), RateLimit(rate), self._read_files())
        with open_stack(stack_name, message("The tests cannot be read")) as stack:
            resolver = make_resolver(address or stack.service, seconds)
            tests = self._read_files() if self.files else self._read_stack(stack)
            return self._send(resolver, RateLimit(rate), tests)

    def _send(self, resolver: Resolver, limit: RateLimit, tests: Iterable[PlacedTest]) -> bool:
        summary = TestSummary()
        asked = TestedResolver(resolver, limit)
        with closing(resolver), ThreadPoolExecutor(self.at_once) as pool:
            try:
                results = run_at_once(tests, asked.ask, pool, self.at_once)
                for _, result in with_progress(results, resolver.address):
                    summary.add_all([result])
                    self._print(result)
            except BaseException:
                # Nobody waits for the requests in the queue.
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        if not summary.number:
            raise fault(message("There are no tests."))
        return self._report(summary)

    def _print(self, result: TestResult) -> None:
        if self.is_json:
            click.echo(write_json({"passes": result.passes, **failure_members(result)}))
        elif not result.passes:
            say(write_failure(result))

    def _report(self, summary: TestSummary) -> bool:
        share = 100 * summary.passed / summary.number
        passes = not self.unread and (not summary.failed if self.gate is None else share >= self.gate)
        if self.is_json:
            numbers = {"run": summary.number, "passed": summary.passed, "failed": summary.failed}
            click.echo(write_json({**numbers, "passes": passes}))
        say(write_summary(summary), err=self.is_json)
        return passes

    def _read_stack(self, stack: Stack) -> Iterator[PlacedTest]:
        for name, values in stack.archive.standing(self.prefix):
            yield from place_tests(name, values)

    def _read_files(self) -> Iterator[PlacedTest]:
        for file in self.files:
            reader = reader_for(file.name, self.options)
            if reader is None or file.is_dir():
                raise fault(
                    message("{file} is not a registry file, which could state tests.", file=str(file))
                )
            try:
                with file.open("rb") as opened:
                    chunks = iter(partial(opened.read, _CHUNK), b"")
                    for row in reader(read_lines(str(file), chunks, self.options, lambda _: None)):
                        self._count_unread(file, row)
                        tests = read_row_tests(row)
                        yield from (each for each in tests if each.identifier.startswith(self.prefix))
            except UnreadableFile as error:
                raise fault(message("{file}: {reason}", file=str(file), reason=error.reason)) from error

    def _count_unread(self, file: Path, row: Row) -> None:
        """Print why the tests of a line are unknown."""
        if not is_refused(row.findings):
            return
        self.unread += 1
        reason = next(each.message for each in row.findings if each.level is Level.REFUSED)
        unread = message("{file}, line {line}: {reason}", file=str(file), line=str(row.line), reason=reason)
        say(unread, err=True)
