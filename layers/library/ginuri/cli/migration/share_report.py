"""The result of `ginuri import`, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ginuri.cli.terminal import localize, write_json
from ginuri.identifiers.messages import Message, counted, message
from ginuri.migration.entries import EntryPlace, Obstacle, RefusedEntry
from ginuri.migration.share import ImportShare, ReasonShare, count_reasons
from ginuri.registration.verdicts import shown


def describe_share(share: ImportShare) -> str:
    """Describe the share that was imported, the reasons for the rest, and each refused entry."""
    summary = message(
        "{imported} of {entries} entries imported ({percentage} %), {refused} refused",
        imported=f"{share.imported:,}",
        entries=f"{share.entries:,}",
        percentage=f"{share.percentage:g}",
        refused=f"{len(share.refused):,}",
    )
    blocks = [
        [localize(summary)],
        list(_table(share.reasons)),
        [f"  {localize(_describe_obstacle(each.obstacle, each.entries))}" for each in share.obstacles],
        [f"  {localize(_describe_refusal(entry))}" for entry in share.refused],
        [
            localize(message("Imported with a remark:")),
            *_table(count_reasons(remark.words for remark in share.remarks)),
        ],
    ]
    return "\n".join(line for block in blocks[: None if share.remarks else -1] for line in block)


def share_as_json(share: ImportShare) -> str:
    """Write the same as JSON, messages in English."""
    return write_json(
        {
            "entries": share.entries,
            "taken": share.imported,
            "percentage": share.percentage,
            "registrations": len(share.registrations),
            "reasons": [{"reason": str(each.words), "entries": each.entries} for each in share.reasons],
            "obstacles": [
                {
                    **_place_as_json(each.obstacle.place),
                    "entries": each.entries,
                    "edit": str(each.obstacle.edit),
                }
                for each in share.obstacles
            ],
            "refused": [{**_place_as_json(each.place), "reason": str(each.reason)} for each in share.refused],
            "remarks": [{**_place_as_json(each.place), "remark": str(each.words)} for each in share.remarks],
        },
        indent=1,
    )


def _table(reasons: Iterable[ReasonShare]) -> Iterator[str]:
    for each in reasons:
        yield f"{each.entries:>7,}  {shown(localize(each.words))}"


def _describe_obstacle(obstacle: Obstacle, entries: int) -> Message:
    return counted(
        "{entry} keeps {number} other entry out. {edit}",
        "{entry} keeps {number} other entries out. {edit}",
        entries,
        entry=obstacle.place.describe(),
        edit=obstacle.edit,
    )


def _describe_refusal(entry: RefusedEntry) -> Message:
    return message(
        "{file}, line {line}: {entry}: {reason}",
        file=shown(entry.place.file),
        line=str(entry.place.line),
        entry=shown(entry.place.name),
        reason=shown(localize(entry.reason)),
    )


def _place_as_json(place: EntryPlace) -> dict[str, Any]:
    return {"file": place.file, "line": place.line, "entry": place.name}
