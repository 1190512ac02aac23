"""A plan as text: for a terminal, and as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ginuri.cli.apply.plan import Plan, PlannedFile
from ginuri.cli.ports import Stack
from ginuri.cli.terminal import localize
from ginuri.cli.uploads.report_text import MOST_SHOWN, describe_planned
from ginuri.identifiers.messages import Words, counted, message

# Markdown: a key between backticks would end at one, and a cell of a table ends at a bar.
_CODE = "<code>{key}</code>"
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"})
_COUNTS = ("registered", "changed", "unchanged", "refused")


def describe_plan(plan: Plan, stack: Stack) -> str:
    """Write a plan for a terminal: stored files, then each file that changes something or is refused."""
    return "\n".join([*_notes(plan, stack), *(describe_planned(each.report) for each in _shown(plan))])


def write_markdown(plan: Plan, stack: Stack) -> str:
    """Write a plan as Markdown: a table of the files, then the details of each."""
    lines = [f"### {localize(_title(stack))}", "", *(f"{note}  " for note in _notes(plan, stack)[1:])]
    shown = _shown(plan)
    if shown:
        lines += ["", f"| | {' | '.join(_COUNTS)} |", f"|---|{'--:|' * len(_COUNTS)}"]
        lines += [_row(each) for each in shown]
    for each in shown:
        # A value may contain a fence or a tag; four spaces make all of it code.
        details = [f"    {line}" for line in describe_planned(each.report).splitlines()]
        lines += ["", f"<details><summary>{_code(each.file.key)}</summary>", "", *details, "", "</details>"]
    return "\n".join([*lines, ""])


def _row(each: PlannedFile) -> str:
    counts = each.report["counts"]
    numbers = (f"{counts[name]:,}" for name in _COUNTS)
    return f"| {_code(each.file.key)} | {' | '.join(numbers)} |"


def _code(key: str) -> str:
    return _CODE.format(key=key.translate(_ENTITIES))


def _title(stack: Stack) -> Words:
    return message("Plan for {stack}", stack=stack.name)


def _shown(plan: Plan) -> Sequence[PlannedFile]:
    return [each for each in plan.files if each.is_pending or each.refused]


def _notes(plan: Plan, stack: Stack) -> list[str]:
    return [localize(words) for words in (_title(stack), *_written_notes(plan))]


def _written_notes(plan: Plan) -> Iterator[Words]:
    if plan.is_empty and not plan.refused:
        yield message("There is nothing to change.")
    for key in plan.stored:
        yield message("stored first: {file}", file=key)
    if unchanged := len(plan.files) - len(_shown(plan)):
        yield counted("{number} file changes nothing", "{number} files change nothing", unchanged)
    for each in plan.contradictions[:MOST_SHOWN]:
        yield message(
            "{identifier}: {first} and {second} state different values of {field}. The latter wins; remove "
            "one of them.",
            identifier=each.identifier,
            first=each.first,
            second=each.second,
            field=each.field,
        )
    for prefix in plan.unretired:
        yield message(
            "Nothing is retired under {prefix} while registrations are refused. Correct them first.",
            prefix=prefix,
        )
