"""For all uploads and file names: no item exceeds the limit of the table."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ginuri.identifiers import parse
from ginuri.memory import MemoryRegistry
from ginuri.registration.registrar import Registrar
from ginuri.registration.rows import Origin, Registration
from ginuri.registration.verdicts import Outcome
from ginuri.registry.record.items import items_of
from ginuri.registry.record.record import Change
from ginuri.registry.record.serialization import Path
from tests.builders import PUT, keyed
from tests.steward import settled

_MOST = 12_000
"""The limit in bytes, smaller than the table's, so that a few uploads reach it."""
GROWN, OTHER = "uri-gin/azgs/doc/grown", "uri-gin/azgs/doc/other"


class _Weighing(MemoryRegistry):
    """A registry that measures every item that it writes."""

    heaviest = 0

    def write(self, *changes: Change) -> None:
        super().write(*changes)
        now, past, _ = items_of(changes[0])
        for item in (now, past):
            told = "" if item is None else "".join((*item, *item.values()))
            self.heaviest = max(self.heaviest, len(told.encode()))


_fields = st.sampled_from(["creator", "x" * 50, "\u00e9" * 200])
_uploads = st.lists(
    st.tuples(
        st.integers(0, 59),  # the second of the upload, in any order
        st.integers(0, 1_000),  # the length of the file's name
        st.dictionaries(
            st.tuples(_fields, st.integers(0, 9)), st.sampled_from(["a", "b" * 300, None]), max_size=6
        ),
    ),
    min_size=5,
    max_size=30,
)


@given(_uploads)
def test_no_sequence_of_uploads_makes_an_item_too_large(
    uploads: list[tuple[int, int, dict[tuple[str, int], str | None]]],
) -> None:
    registry = _Weighing(_MOST)
    steward = settled(registry)
    for number, (second, length, stated) in enumerate(uploads):
        origin = Origin(PUT.format(second), f"uri-gin/azgs/{number:03d}{'n' * length}", "v" * 32)
        properties: dict[Path, Any] = {("properties", f"{name}{n}"): it for (name, n), it in stated.items()}
        grown = Registration(parse(GROWN), keyed({("title", ""): "Well"} | properties), (1,))
        other = Registration(parse(OTHER), keyed({("title", ""): "Well"}), (2,))

        verdicts = list(Registrar(registry, steward.files, origin).register([grown, other]))

        # A line is refused only for its size, and the other lines of the file are registered.
        refused = [verdict for verdict in verdicts if verdict.outcome is Outcome.REFUSED]
        assert [verdict.identifier for verdict in refused] in ([], [GROWN])
        assert {it.rule for each in refused for it in each.findings if it.level == "refused"} <= {"size"}

    assert registry.heaviest <= _MOST
