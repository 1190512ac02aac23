"""One part of an upload: its rows, and what becomes of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from ginuri.files.options import UploadOptions
from ginuri.identifiers import parse
from ginuri.identifiers.folding import fold_writing
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.chunking import read_runs_of
from ginuri.ingest.chunks import Slice, read_row, read_slices, write_row
from ginuri.ingest.collaborators import IngestCollaborators, Progress
from ginuri.ingest.plan import ABSENT, LEADING_BACK, Plan
from ginuri.ingest.queue_messages import Pass, RegisterRows
from ginuri.ingest.scheduler import checkpoint_key
from ginuri.ingest.verdicts import TaskFindings, verdicts_key
from ginuri.registration.dry_run import DryRunFileKeeper, DryRunRegistry
from ginuri.registration.registrar import Origin, Registrar
from ginuri.registration.rows import RESOURCES, Registration, Row, combine, rank_of
from ginuri.registration.verdicts import Finding, Verdict
from ginuri.registry.model import Status
from ginuri.registry.ports import MOST_FETCHED, Registry
from ginuri.registry.record.record import DELEGATION, RULES, Path, Record, Value
from ginuri.registry.record.serialization import read_record, write_stamps
from ginuri.registry.statuses import STATUSES

SLICE_ROWS = 500
"""How many rows of a part are held at once, where their order does not matter."""
_RETIRED = str(Status.RETIRED)
_STANDS_FOR = ("stands_for",)


def register_rows(  # noqa: PLR0913, PLR0917  a part, what is known of its upload, and what it is done with
    part: RegisterRows,
    plan: Plan,
    options: UploadOptions,
    work: Checkpoints,
    collaborators: IngestCollaborators,
    progress: Progress,
) -> None:
    """Judge the rows of a part, register what may be, and put the verdicts aside.

    Raises RegistryUnavailable.
    """
    task = plan.steps[part.step][part.number]
    is_last = task.rank == LEADING_BACK
    correction = options.reason if options.is_correction else ""
    origin = Origin(part.upload.put, part.upload.key, part.upload.version, correction)
    preview = _preview(part, work, collaborators, is_last=is_last) if part.through is Pass.TRY else None
    registry = collaborators.registry if preview is None else preview
    keeper = collaborators.keeper if preview is None else DryRunFileKeeper(collaborators.keeper)
    make = partial(
        Registrar, registry, keeper, origin, canonical_host=collaborators.canonical_host, advises=not is_last
    )
    registrar = make(collaborators.mapper, defers=is_last or task.rank == RESOURCES)
    one_by_one = make() if is_last else None
    # What others are judged by is taken in the order of the file, and so are small files.
    at_once = SLICE_ROWS if task.rank in {RESOURCES, ABSENT} and task.rows > SLICE_ROWS else None
    found, done, put_aside, leading = TaskFindings(), 0, list[Row](), set[str]()
    slices = _read_aside(part, work) if is_last else read_slices(work, read_runs_of(part, work), at_once)
    for each in slices:
        if is_last:
            registrations = [it for it in combine(each.rows) if isinstance(it, Registration)]
        elif task.rank == ABSENT:
            registrations, spared = _absent(part, each, options, collaborators)
            found.spare(spared)
        else:
            clear, registrations = _of_rank(each.rows, task.rank)
            found.add_all(clear)
        for verdict in _register(registrations, registrar, one_by_one):
            found.add(verdict)
            done += 1
            progress.tell(done, task.rows or len(each.rows))
        put_aside += () if is_last else _rows_of(registrar.deferred, each.rows)
        registrar.deferred.clear()
        leading |= {str(row.identifier) for row in each.rows if _STANDS_FOR in row.statements}
    if put_aside:
        work.write(f"{checkpoint_key(part.through)}{part.number:06d}", b"".join(map(write_row, put_aside)))
    if preview is not None:
        written = preview.written
        if task.rank == RESOURCES:
            leading |= {str(row.identifier) for row in put_aside}
            written = _kept(written, registrar.formerly_circular, leading)
        if written:
            work.write(_overlay_name(part), _write_records(written))
    found.write(work, verdicts_key(part))


def _register(
    registrations: Sequence[Registration], registrar: Registrar, one_by_one: Registrar | None
) -> Iterator[Verdict]:
    yield from registrar.register(registrations)
    if one_by_one is not None:  # all else is there by now: of what was put aside, little may close a circle
        yield from one_by_one.register(
            sorted((each for each, _ in registrar.deferred), key=attrgetter("lines"))
        )


def _kept(
    written: Mapping[str, Record], turned: Collection[str], leading: Collection[str]
) -> dict[str, Record]:
    """Give those resources that aliases, and what is put aside, are judged by: nobody looks at the others.

    They led back to a name of ours until now, or are found where a leading name would be, written otherwise.
    """
    others = set(map(fold_writing, leading))
    return {
        name: record
        for name, record in written.items()
        if name in turned or (others and fold_writing(name) in others)
    }


def _rows_of(
    deferred: Sequence[tuple[Registration, Sequence[Finding]]], rows: Sequence[Row]
) -> Iterator[Row]:
    """Give the rows of what is put aside, the first of each identifier with the advice on its name."""
    advice = {each.identifier.normal_form: findings for each, findings in deferred}
    names = set(advice)
    for row in rows:
        name = row.identifier.normal_form if row.identifier is not None else ""
        if name in names:
            yield replace(row, findings=(*row.findings, *advice.pop(name, ())))


def _read_aside(part: RegisterRows, work: Checkpoints) -> Iterator[Slice]:
    body = work.read(f"{checkpoint_key(part.through)}{part.number:06d}")
    yield Slice([read_row(line) for line in body.splitlines()])


def _of_rank(rows: Sequence[Row], rank: int) -> tuple[list[Verdict], list[Registration]]:
    """Give what the rows of a rank say: verdicts that are clear already, and registrations."""
    ranks: dict[str | None, int] = {None: RESOURCES}
    for row in rows:
        if row.identifier is not None:
            name = row.identifier.normal_form
            ranks[name] = min(ranks.get(name, ABSENT), rank_of(row.statements))
    verdicts, registrations = [], []
    for piece in combine(rows):
        if isinstance(piece, Registration):
            if rank_of(piece.statements) == rank:
                registrations.append(piece)
        elif ranks[piece.identifier] == rank:
            verdicts.append(piece)
    return verdicts, registrations


def _absent(
    part: RegisterRows, held: Slice, options: UploadOptions, collaborators: IngestCollaborators
) -> tuple[list[Registration], list[str]]:
    """Retire what stood under the prefix of a snapshot when it was put, and is not in the file.

    Gives what to register, and the names of what is spared because it came after the file.
    """
    named = {row.identifier.normal_form for row in held.rows if row.identifier is not None}
    absent = [name for name in dict.fromkeys(held.standing) if name not in named]
    found: list[Registration] = []
    spared: list[str] = []
    for start in range(0, len(absent), MOST_FETCHED):
        for name, record in collaborators.registry.read(absent[start : start + MOST_FETCHED]).items():
            statements = _retiring(_before(part.upload.put, record, collaborators.registry), options)
            if statements:
                found.append(Registration(parse(name), statements, ()))
            later = (path for path in _retiring(record, options) if path not in statements)
            spared += [f"{name}{path[1] if path[1:] else ''}" for path in later if path[-1] == "status"]
    return found, spared


def _before(put: str, record: Record, registry: Registry) -> Record | None:
    """Give a record as it stood before an upload was put; None where it was registered later.

    Whether a snapshot is taken in at once, late or twice: it retires the same.
    """
    if record.created.put >= put:
        return None
    # A text before that of its own moment: what was put at the same one does not count.
    return record if record.modified.put < put else registry.history(record.identifier).at(put[:-1])


def _retiring(record: Record | None, options: UploadOptions) -> dict[Path, Value]:
    values = record.values() if record else {}
    reason = options.reason or f"not in what is handed in as all there is under {options.snapshot}"
    statements: dict[Path, Value] = {}
    own = {name for name in values if name not in {*RULES, *DELEGATION}}
    if own and not _stays(values):
        statements |= {("status",): _RETIRED, ("reason",): reason}
    patterns = [pattern for pattern, rule in values.get(RULES[0], {}).items() if not _stays(rule)]
    for pattern in patterns:
        statements |= {(*RULES, pattern, "status"): _RETIRED, (*RULES, pattern, "reason"): reason}
    return statements


def _stays(values: Mapping[str, Any]) -> bool:
    # What is withheld is not shown again because a file leaves it out.
    status = Status(values.get("status", Status.VALID))
    return status is Status.RETIRED or STATUSES[status].is_hidden


def _preview(
    part: RegisterRows, work: Checkpoints, collaborators: IngestCollaborators, *, is_last: bool
) -> DryRunRegistry:
    """Give the registry as it would be after the steps before."""
    written: dict[str, Record] = {}
    for name in work.names("tried/"):
        step, number = map(int, name.split("/")[1:])
        # Those of the last step follow each other; those of any other are beside each other, or alone.
        if step < part.step or (is_last and step == part.step and number < part.number):
            written |= dict(_read_records(work.read(name)))
    return DryRunRegistry(collaborators.registry, written)


def _overlay_name(part: RegisterRows) -> str:
    return f"tried/{part.step:06d}/{part.number:06d}"


def _write_records(records: Mapping[str, Record]) -> bytes:
    lines = (
        json.dumps([name, record.revision, write_stamps(record.entries, {})])
        for name, record in records.items()
    )
    return "".join(f"{line}\n" for line in lines).encode()


def _read_records(body: bytes) -> Iterator[tuple[str, Record]]:
    for line in body.splitlines():
        name, revision, stamps = json.loads(line)
        yield name, read_record(name, "{}", stamps, revision)
