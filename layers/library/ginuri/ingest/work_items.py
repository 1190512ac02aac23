"""Registers the rows of one part of an upload."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from operator import attrgetter

from ginuri.files.options import UploadOptions
from ginuri.identifiers import parse
from ginuri.identifiers.comparison.folding import fold_writing
from ginuri.identifiers.roots import printable_name
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.chunks import Slice, read_row, read_slices, write_row
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.plan import ABSENT, LEADING_BACK, Plan, read_requested, read_runs
from ginuri.ingest.queue_messages import Pass, RegisterRows
from ginuri.ingest.reports.verdicts import TaskFindings, verdicts_key
from ginuri.ingest.scheduler import leading_back_prefix
from ginuri.ingest.test_runs.affected import AffectedTests, write_holders
from ginuri.ingest.tried import read_tried_before, write_tried
from ginuri.registration.authorization import Scope
from ginuri.registration.dry_run import DryRunFileKeeper, DryRunRegistry
from ginuri.registration.positions import RowPositions
from ginuri.registration.registrar import Registrar
from ginuri.registration.retirement import records_of, retire
from ginuri.registration.rows import (
    RESOURCES,
    Conditions,
    Origin,
    Registration,
    Row,
    StatedRule,
    combine,
    rank_of,
)
from ginuri.registration.verdicts import Finding, Verdict
from ginuri.registry.ports import Registry
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import Statements
from ginuri.registry.texts.reasons import not_listed

SLICE_ROWS = 500
"""The number of rows of a part in memory at once, if their order does not matter."""


def register_rows(  # noqa: PLR0913, PLR0917  a part, its upload, and the collaborators
    part: RegisterRows,
    plan: Plan,
    options: UploadOptions,
    checkpoints: Checkpoints,
    collaborators: IngestCollaborators,
    report_done: Callable[[int], None],
    scope: Scope | None,
) -> None:
    """Judge the rows of a part, register the accepted ones, and store the verdicts.

    `report_done` receives the number of identifiers that are done, again and again. `scope` has the rights of
    the upload. Raises RegistryUnavailable.
    """
    task = plan.steps[part.step][part.number]
    is_last = task.rank == LEADING_BACK
    upload, is_offline = part.upload, collaborators.is_offline
    origin = Origin(
        upload.put,
        upload.key,
        upload.version,
        options.reason if options.is_correction else "",
        is_offline,
        scope,
        Conditions(options.if_match, options.if_none_match, options.is_only_new),
    )
    dry_run = (
        DryRunRegistry(collaborators.registry, read_tried_before(part, checkpoints, is_last=is_last))
        if part.through is Pass.TRY
        else None
    )
    registry = collaborators.registry if dry_run is None else dry_run
    keeper = collaborators.keeper if dry_run is None else DryRunFileKeeper(collaborators.keeper)
    affected = AffectedTests()
    make_registrar = partial(
        Registrar,
        registry,
        keeper,
        origin,
        canonical_host=collaborators.canonical_host,
        advises=not is_last,
        observe=affected.note,
    )
    registrar = make_registrar(collaborators.mapper, defers=is_last or task.rank == RESOURCES)
    last_registrar = make_registrar() if is_last else None
    # Records that other checks depend on keep the order of the file, and so do small files.
    slice_rows = SLICE_ROWS if task.rank in {RESOURCES, ABSENT} and task.rows > SLICE_ROWS else None
    findings = TaskFindings(collaborators.limits.detail_bytes // sum(map(len, plan.steps)))
    count, deferred_rows, redirecting = 0, list[Row](), set[str]()
    slices = (
        _read_deferred(part, checkpoints)
        if is_last
        else read_slices(checkpoints, read_runs(checkpoints, part.step, part.number), slice_rows)
    )
    for part_rows in slices:
        positions = RowPositions(part_rows.rows, plan.headings or {})
        batches: Iterable[tuple[list[Registration], list[str]]]
        if is_last:
            combined = combine(part_rows.rows)
            batches = [([each for each in combined if isinstance(each, Registration)], [])]
        elif task.rank == ABSENT:
            batches = _retire_absent(part, part_rows, options, collaborators)
        else:
            verdicts, registrations = _of_rank(part_rows.rows, task.rank)
            findings.add_all([positions.locate(verdict) for verdict in verdicts])
            batches = [(registrations, [])]
        for registrations, spared in batches:
            findings.spare(spared)
            for verdict in _register(registrations, registrar, last_registrar):
                findings.add(positions.locate(verdict))
                count += 1
                report_done(count)
        deferred_rows += () if is_last else _deferred_rows(registrar.deferred, part_rows.rows)
        registrar.deferred.clear()
        redirecting |= {str(row.identifier) for row in part_rows.rows if row.statements.states("stands_for")}
    if deferred_rows:
        checkpoints.write(
            f"{leading_back_prefix(part.through)}{part.number:06d}", b"".join(map(write_row, deferred_rows))
        )
    above = {**registrar.fetched, **(last_registrar.fetched if last_registrar else {})}
    if not is_offline:
        write_holders(checkpoints, part, affected.find(above, registry, collaborators.lister))
    if dry_run is not None:
        written = dry_run.written
        requested = affected.needed(read_requested(checkpoints))
        for_tests = {name: record for name, record in written.items() if name in requested}
        write_tried(checkpoints, part, for_tests, for_tests=True)
        if task.rank == RESOURCES:
            redirecting |= {str(row.identifier) for row in deferred_rows}
            redirecting |= {name for row in deferred_rows if (name := row.statements.text("successor"))}
            written = _needed_by_later_steps(written, registrar.formerly_circular, redirecting)
        write_tried(checkpoints, part, written, for_tests=False)
    findings.write(checkpoints, verdicts_key(part))


def _register(
    registrations: Sequence[Registration], registrar: Registrar, last_registrar: Registrar | None
) -> Iterator[Verdict]:
    yield from registrar.register(registrations)
    if last_registrar is not None:  # all other rows are registered, so few deferred rows can close a loop
        yield from last_registrar.register(
            sorted((registration for registration, _ in registrar.deferred), key=attrgetter("lines"))
        )


def _needed_by_later_steps(
    written: Mapping[str, Record], formerly_circular: Collection[str], redirecting: Collection[str]
) -> dict[str, Record]:
    """Return the written resources that the checks on aliases and deferred rows depend on.

    They redirected to an identifier of the registry before, are a successor, or are another spelling of a
    redirecting identifier.
    """
    others = set(map(fold_writing, redirecting))
    return {
        name: record
        for name, record in written.items()
        if name in formerly_circular or (others and fold_writing(name) in others)
    }


def _deferred_rows(
    deferred: Sequence[tuple[Registration, Sequence[Finding]]], rows: Sequence[Row]
) -> Iterator[Row]:
    """Return the rows of deferred registrations; the first row of each has the advice on its spelling."""
    advice = {registration.identifier.normal_form: findings for registration, findings in deferred}
    names = set(advice)
    for row in rows:
        name = row.identifier.normal_form if row.identifier is not None else ""
        if name in names:
            yield replace(row, findings=(*row.findings, *advice.pop(name, ())))


def _read_deferred(part: RegisterRows, checkpoints: Checkpoints) -> Iterator[Slice]:
    body = checkpoints.read(f"{leading_back_prefix(part.through)}{part.number:06d}")
    yield Slice(list(map(read_row, body.splitlines())))


def _of_rank(rows: Sequence[Row], rank: int) -> tuple[list[Verdict], list[Registration]]:
    """Combine the rows of a rank into early verdicts and registrations."""
    ranks: dict[str | None, int] = {None: RESOURCES}
    for row in rows:
        if row.identifier is not None:
            name = row.record_name
            ranks[name] = min(ranks.get(name, ABSENT), rank_of(row.statements))
    verdicts, registrations = [], []
    for result in combine(rows):
        if isinstance(result, Registration):
            if rank_of(result.statements) == rank:
                registrations.append(result)
        elif ranks[result.record_name or result.identifier] == rank:
            verdicts.append(result)
    return verdicts, registrations


def _retire_absent(
    part: RegisterRows, part_rows: Slice, options: UploadOptions, collaborators: IngestCollaborators
) -> Iterator[tuple[list[Registration], list[str]]]:
    """Retire the identifiers under the prefix of a snapshot that are not in the file, some at a time.

    Yields the registrations, and the names spared because they were registered after the file was put.
    """
    names_in_file = {row.identifier.normal_form for row in part_rows.rows if row.identifier is not None}
    absent = [name for name in dict.fromkeys(part_rows.standing) if name not in names_in_file]
    reason = options.reason or str(not_listed(printable_name(options.snapshot), part.upload.put[:10]))
    moment = datetime.fromisoformat(part.upload.put)
    stored = records_of(absent, collaborators.registry)
    while several := list(islice(stored, SLICE_ROWS)):
        registrations, spared = list[Registration](), list[str]()
        for name, beginning, record in several:
            record_then = _as_of_upload(part.upload.put, record, collaborators.registry)
            unruled = Registration(parse(name), Statements(), (), beginning=beginning)
            statements = retire(record_then and unruled.as_stated(record_then), reason, moment)
            if statements:
                # One verdict a rule, which names its pattern: an identifier does not tell which it was.
                rules = {pattern: StatedRule(()) for pattern in statements.rules()} if beginning else {}
                registrations.append(replace(unruled, statements=statements, rules=rules))
            retired_now = retire(unruled.as_stated(record), reason, moment)
            later = (key for key in retired_now if key not in statements)
            spared += [f"{name}{key.place.pattern or ''}" for key in later if key.field == "status"]
        yield registrations, spared


def _as_of_upload(put: str, record: Record, registry: Registry) -> Record | None:
    """Return a record as of the moment before an upload was put; None if it was registered later.

    A snapshot thus retires the same identifiers whether it is processed immediately, late or twice.
    """
    if record.created.put >= put:
        return None
    # The shortened text sorts just before the upload, so uploads of the same time do not count.
    return record if record.modified.put < put else registry.history(record.identifier).at(put[:-1])
