"""One part of an upload: its rows, and what becomes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from ginuri.adapters.wire import read_record, write_stamps
from ginuri.core.identifiers import parse
from ginuri.core.preview import PreviewKeeper, PreviewRegistry
from ginuri.core.record import DELEGATION, RULES, Path, Record, Value
from ginuri.core.registering import Origin, Registrar
from ginuri.core.registry import MOST_FETCHED, Registry
from ginuri.core.rows import RESOURCES, Registration, Row, combine, rank_of
from ginuri.core.verdicts import Verdict
from ginuri.documents.options import Options
from ginuri.intake.chunks import Slice, read_slices
from ginuri.intake.cutting import read_runs_of
from ginuri.intake.desk import Desk, Progress
from ginuri.intake.parts import Pass, TakeIn
from ginuri.intake.planning import ABSENT, Plan
from ginuri.intake.verdicts import Found, where
from ginuri.intake.work import Work

SLICE_ROWS = 500
"""How many rows of a part are held at once, where their order does not matter."""
_RETIRED = "retired"


def take_in_rows(  # noqa: PLR0913, PLR0917  a part, what is known of its upload, and what it is done with
    part: TakeIn, plan: Plan, options: Options, work: Work, desk: Desk, progress: Progress
) -> None:
    """Judge the rows of a part, register what may be, and put the verdicts aside.

    Raises RegistryUnavailable.
    """
    task = plan.steps[part.step][part.number]
    correction = options.reason if options.is_correction else ""
    origin = Origin(part.upload.put, part.upload.key, part.upload.version, correction)
    preview = _preview(part, work, desk) if part.through is Pass.TRY else None
    if preview is None:
        registrar = Registrar(desk.registry, desk.keeper, origin, desk.mapper)
    else:
        registrar = Registrar(preview, PreviewKeeper(desk.keeper), origin, desk.mapper)
    # What others are judged by is taken in the order of the file, and so are small files.
    at_once = SLICE_ROWS if task.rank in {RESOURCES, ABSENT} and task.rows > SLICE_ROWS else None
    found, done = Found(), 0
    for each in read_slices(work, read_runs_of(part, work), at_once):
        if task.rank == ABSENT:
            registrations, spared = _absent(part, each, options, desk)
            found.spare(spared)
        else:
            clear, registrations = _of_rank(each.rows, task.rank)
            found.add_all(clear)
        for verdict in registrar.register(registrations):
            found.add(verdict)
            done += 1
            progress.tell(done, task.rows)
    if preview is not None and task.rank != RESOURCES:
        work.write(_overlay_name(part), _write_records(preview.written))
    found.write(work, where(part))


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


def _absent(part: TakeIn, held: Slice, options: Options, desk: Desk) -> tuple[list[Registration], list[str]]:
    """Retire what stood under the prefix of a snapshot when it was put, and is not in the file.

    Gives what to register, and the names of what is spared because it came after the file.
    """
    named = {row.identifier.normal_form for row in held.rows if row.identifier is not None}
    absent = [name for name in dict.fromkeys(held.standing) if name not in named]
    found: list[Registration] = []
    spared: list[str] = []
    for start in range(0, len(absent), MOST_FETCHED):
        for name, record in desk.registry.read(absent[start : start + MOST_FETCHED]).items():
            statements = _retiring(_before(part.upload.put, record, desk.registry), options)
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


def _retiring(record: Record | None, options: Options) -> dict[Path, Value]:
    values = record.values() if record else {}
    reason = options.reason or f"not in what is handed in as all there is under {options.snapshot}"
    statements: dict[Path, Value] = {}
    own = {name for name in values if name not in {*RULES, *DELEGATION}}
    if own and values.get("status") != _RETIRED:
        statements |= {("status",): _RETIRED, ("reason",): reason}
    for pattern in values.get(RULES[0], {}):
        statements |= {(*RULES, pattern, "status"): _RETIRED, (*RULES, pattern, "reason"): reason}
    return statements


def _preview(part: TakeIn, work: Work, desk: Desk) -> PreviewRegistry:
    """Give the registry as it would be after the steps before."""
    written: dict[str, Record] = {}
    for name in work.names("tried/"):
        step = int(name.split("/")[1])
        if step < part.step:
            written |= dict(_read_records(work.read(name)))
    return PreviewRegistry(desk.registry, written)


def _overlay_name(part: TakeIn) -> str:
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
