"""`ginuri export --format apache`: registrations as rewrite rules of Apache httpd."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import click

from ginuri.cli.stack import open_stack
from ginuri.cli.terminal import format_value, localize, say, with_progress
from ginuri.files.export import prefix_of
from ginuri.identifiers.messages import counted, message
from ginuri.migration.apache_rules.changes import collect_changes
from ginuri.migration.apache_rules.export import ApacheExport
from ginuri.migration.apache_rules.subjects import RegistryView
from ginuri.resolution.finder import RememberingFinder


def write_rules(output: Path | None, folder: str | None, name: str | None, since: str | None) -> int:
    """Write the rules for what changed since a moment under a prefix, and return the exit code."""
    with (
        open_stack(name, message("The registry cannot be read")) as stack,
        click.open_file(str(output or "-"), "w", encoding="utf-8", lazy=False) as file,
    ):
        readers = stack.readers
        finder = RememberingFinder(readers.registry, time.monotonic)
        view = RegistryView(finder, datetime.now(UTC), readers.canonical_host)
        histories = with_progress(stack.archive.histories(prefix_of(folder or "")), folder or "")
        export = ApacheExport(view, stack.archive)
        file.writelines(f"{line}\n" for line in export.lines(collect_changes(histories, since or "")))
    _report(export)
    return 1 if export.inexpressible else 0


def _report(export: ApacheExport) -> None:
    say(
        message(
            "names: {names}, rules: {rules}, not expressed: {inexpressible}",
            names=f"{export.names:,}",
            rules=f"{export.rules:,}",
            inexpressible=f"{len(export.inexpressible):,}",
        ),
        err=True,
    )
    by_reason: dict[str, list[str]] = {}
    for subject, reason in export.inexpressible:
        by_reason.setdefault(localize(reason), []).append(subject)
    for reason, subjects in by_reason.items():
        others = counted("and {number} other", "and {number} others", len(subjects) - 1)
        first = format_value(subjects[0])
        listed = message("{first} {others}", first=first, others=others) if len(subjects) > 1 else first
        say(message("{identifiers}: {reason}", identifiers=listed, reason=reason), err=True)
