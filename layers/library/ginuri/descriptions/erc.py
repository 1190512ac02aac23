"""A description as an Electronic Resource Citation: who, what, when, where, and the commitment to it.

draft-kunze-ark-42, "The Electronic Resource Citation (ERC)"; its values are those of Kernel metadata (DCMI,
2010), https://www.dublincore.org/groups/kernel/spec/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ginuri.descriptions.description import Description, Reference
from ginuri.descriptions.labels import choose_label
from ginuri.registry.model import NameAuthority, Namespace, Registered, Status
from ginuri.registry.statuses import STATUSES

# Kernel §9.3: the reasons for a missing value.
_UNAVAILABLE, _SUPPRESSED, _TO_BE_ASSIGNED = "(:unav)", "(:unal)", "(:tba)"
_PEOPLE = ("creator", "contributor", "publisher")
_DATES = ("created", "issued", "date", "modified")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:T.*)?")


def write_erc(description: Description) -> bytes:
    """Write a description as an ERC, in UTF-8: a label, a colon and a value on each line (ANVL)."""
    lines: list[str] = []
    for segment, elements in (("erc", _cite(description)), ("erc-support", _support(description))):
        # A line break in a value would begin a new element.
        values = (f"{label}: {' '.join(value.split())}" for label, value in elements.items())
        lines += [f"{segment}:", *values]
    return ("\n".join(lines) + "\n").encode(errors="replace")


def _cite(description: Description) -> Mapping[str, str]:
    record, stated = description.record, description.properties
    missing = _reason(record)
    day = next((values[0].title.text for name in _DATES if (values := stated.get(name))), "")
    return {
        # Kernel §9.1: repeated values
        "who": next(
            ("; ".join(value.title.text for value in stated[name]) for name in _PEOPLE if stated.get(name)),
            missing,
        ),
        "what": description.title.text if record.titles else missing,
        "when": _write_day(day) or missing,
        "where": description.uri,
        **dict(_lifecycle(description)),
    }


def _lifecycle(description: Description) -> Iterator[tuple[str, str]]:
    """Yield the warnings for a reader; Kernel §5: other elements may follow the four."""
    record = description.record
    if STATUSES[record.status].notice:
        yield "status", str(record.status)
    if record.reason:
        yield "reason", record.reason
    others = {"successor": description.successor, "requested-by": description.requested_by}
    yield from ((label, _write_reference(other)) for label, other in others.items() if other)
    if description.stands_for:
        yield "stands-for", "; ".join(map(_write_reference, description.stands_for))


def _write_reference(reference: Reference) -> str:
    return reference.uri or reference.title.text


def _support(description: Description) -> Mapping[str, str]:
    """Describe the commitment of the name authority, as stated in its record."""
    steward = description.steward
    name = description.authority.title.text if description.authority else ""
    address = description.authority.uri if description.authority else None
    if steward is None and isinstance(description.record, NameAuthority):
        steward, name, address = description.record, description.title.text, description.uri
    if steward is None:
        return dict.fromkeys(("who", "what", "when", "where"), _UNAVAILABLE)
    commitment = choose_label(steward.descriptions)
    registrant = steward.registrant if isinstance(steward, Namespace) else None
    missing = _reason(steward)
    return {
        "who": registrant or name,
        "what": commitment.text if commitment else missing,
        "when": _write_day(steward.modified),
        "where": steward.homepage or address or missing,
    }


def _reason(record: Registered) -> str:
    if STATUSES[record.status].is_hidden:
        return _SUPPRESSED
    return _TO_BE_ASSIGNED if record.status is Status.RESERVED else _UNAVAILABLE


def _write_day(text: str) -> str:
    # Kernel §9.4: a day as 20081203. Dates in other forms stay as registered.
    return "".join(found.groups()) if (found := _DAY.fullmatch(text)) else text
