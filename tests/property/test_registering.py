"""For all uploads, in any order and with repetitions, the registry ends the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.memory import MemoryRegistry
from ginuri.registry.model import Registered
from ginuri.registry.record.record import Change
from tests.steward import LINES, TABLE, Steward, settled

NAMES = [f"uri-gin/azgs/doc/{name}" for name in ("a", "b", "c/")]

_texts = st.sampled_from(["one", "two", "three", None])
_titles = (
    st.none() | _texts.filter(bool) | st.dictionaries(st.sampled_from(["", "de", "en"]), _texts, min_size=1)
)
_locations = st.sampled_from(["https://a.example/1", "https://a.example/2", None])
_forms = st.fixed_dictionaries(
    {"media_type": st.sampled_from(["text/html", "image/png", "text/csv"])},
    optional={
        "location": _locations,
        "quality": st.sampled_from([0.5, 0.7, None]),
        "role": st.sampled_from(["canonical", "default", None]),
        "title": _titles,
        "status": st.sampled_from(["valid", "retired"]),
    },
)
_links = st.lists(
    st.fixed_dictionaries({"rel": st.sampled_from(["up", "first"]), "href": st.just("https://a.example/")}),
    max_size=2,
)
_fields = {
    "title": _titles,
    "status": st.sampled_from(["valid", "reserved", "retired", None]),
    "reason": _texts,
    "properties": st.none() | st.dictionaries(st.sampled_from(["first", "county"]), _texts, min_size=1),
    "links": st.none() | _links,
    "representations": st.none()
    | st.lists(_forms, min_size=1, max_size=3, unique_by=lambda form: str(form["media_type"])),
    "location": st.just("not a location"),
}
_registrations = st.fixed_dictionaries(
    {"identifier": st.sampled_from(NAMES)},
    optional={name: values for name, values in _fields.items() if name != "location"},
)
_lines = st.lists(
    _registrations
    | st.fixed_dictionaries({"identifier": st.sampled_from(NAMES), "location": _fields["location"]}),
    min_size=1,
    max_size=4,
)
_uploads = st.lists(_lines, min_size=1, max_size=5)


@st.composite
def _deliveries(draw: st.DrawFn) -> tuple[list[list[dict[str, Any]]], list[int]]:
    uploads = draw(_uploads)
    every = draw(st.permutations(range(len(uploads))))
    again = draw(st.lists(st.sampled_from(range(len(uploads))), max_size=4))
    places = [draw(st.integers(0, len(every))) for _ in again]
    order = list(every)
    for place, number in zip(places, again, strict=True):
        order.insert(place, number)
    return uploads, order


def _text(lines: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(each) + "\n" for each in lines)


def _held(steward: Steward) -> dict[str, Any]:
    return {
        name: (record.values(), {path: (each.value, each.stamp) for path, each in record.entries.items()})
        for name, record in steward.registry.read(NAMES).items()
    }


def _undated(steward: Steward) -> dict[str, Registered]:
    # The time of the last change has a property of its own (test_unchanged.py), with one exception (decision
    # 2).
    return {name: replace(each, modified="") for name, each in steward.registry.fetch(NAMES).items()}


@given(_deliveries())
def test_uploads_late_repeated_or_out_of_order_end_in_one_registry(
    deliveries: tuple[list[list[dict[str, Any]]], list[int]],
) -> None:
    uploads, order = deliveries
    in_order, jumbled = settled(), settled()
    for lines in uploads:
        in_order.upload(LINES, _text(lines))

    put = [jumbled.put(LINES, _text(lines)) for lines in uploads]
    for number in order:
        jumbled.deliver(put[number])

    assert _held(jumbled) == _held(in_order)
    assert _undated(jumbled) == _undated(in_order)


@given(_uploads, st.data())
def test_a_second_delivery_gets_the_report_of_the_first(
    uploads: list[list[dict[str, Any]]], data: st.DataObject
) -> None:
    steward = settled()
    put = [steward.put(LINES, _text(lines)) for lines in uploads]
    first = [steward.deliver(upload) for upload in put]
    held = _held(steward)

    number = data.draw(st.sampled_from(range(len(put))))

    assert steward.deliver(put[number]) == first[number]
    assert _held(steward) == held


class _Fragile(MemoryRegistry):
    """A registry that fails after some writes, until it is repaired."""

    writes_left: int | None = None

    def write(self, *changes: Change) -> None:
        if self.writes_left == 0:
            raise RegistryUnavailable("ThrottlingException")
        if self.writes_left is not None:
            self.writes_left -= 1
        super().write(*changes)


@given(_uploads, st.integers(0, 4))
def test_an_interrupted_upload_completes_on_the_next_delivery(
    uploads: list[list[dict[str, Any]]], writes: int
) -> None:
    undisturbed, fragile = settled(), _Fragile()
    disturbed = settled(fragile)
    for lines in uploads[:-1]:
        undisturbed.upload(LINES, _text(lines))
        disturbed.upload(LINES, _text(lines))

    expected = undisturbed.upload(LINES, _text(uploads[-1]))
    upload = disturbed.put(LINES, _text(uploads[-1]))
    fragile.writes_left = writes
    try:
        disturbed.deliver(upload)
    except RegistryUnavailable:
        fragile.writes_left = None
    report = disturbed.deliver(upload)

    assert report == expected
    assert _held(disturbed) == _held(undisturbed)


@given(_uploads)
def test_a_dry_run_has_the_report_of_the_upload_without_changes(
    uploads: list[list[dict[str, Any]]],
) -> None:
    steward = settled()
    for lines in uploads[:-1]:
        steward.upload(LINES, _text(lines))
    held = _held(steward)

    preview = steward.try_out(LINES, _text(uploads[-1]))
    assert _held(steward) == held
    report = steward.upload(LINES, _text(uploads[-1]))

    assert preview.whole["verdicts"] == report.whole["verdicts"]
    assert preview.whole["counts"] == report.whole["counts"]


_bytes = st.lists(
    st.binary(max_size=40)
    | st.sampled_from(
        [
            b"identifier,title",
            b"uri-gin/azgs/doc/a,Well",
            b'uri-gin/azgs/doc/a,"Well',
            b'{"identifier": "uri-gin/azgs/doc/b", "title": "Well"}',
            b'{"identifier": "uri-gin/azgs/doc/b", "title": {"": {"": []}}}',
            b'""',
            b"",
            b"\xef\xbb\xbf",
            b"\r",
        ]
    ),
    max_size=12,
).map(b"\n".join)


UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""With these characters it begins like text of another encoding, and is read as that."""


def _is_no_text(content: bytes) -> bool:
    is_utf32 = content.startswith(UTF_16) and content[2:4] == bytes(2)
    return b"\0" in content[:4] and (is_utf32 or not content.startswith(UTF_16))


@example(b"\0", LINES)
@example(b"\xff\xfe\0\0", TABLE)
@given(_bytes, st.sampled_from([LINES, TABLE]))
def test_any_bytes_get_a_report(content: bytes, key: str) -> None:
    steward = settled()

    report = steward.upload(key, content)

    refused = sum(each.verdict == "refused" for each in report.verdicts)
    assert report.counts.get("refused", 0) == refused
    # In that case the file is refused, not its lines.
    if _is_no_text(content) or (key == TABLE and b"identifier,title" not in content):
        assert (refused, report.refused_lines) == (1, None)
    elif not content.startswith(UTF_16):
        assert (report.refused_lines is not None) == (refused > 0 and content != b"")


@given(_bytes.filter(lambda content: not (_is_no_text(content) or content.startswith(UTF_16))))
def test_every_line_that_is_not_blank_has_a_verdict(content: bytes) -> None:
    report = settled().upload(LINES, content)

    told = [number for each in report.verdicts for number in each.lines]
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    assert content == b"" or sorted(told) == [n for n, each in enumerate(lines, start=1) if each.strip()]


@given(st.lists(_lines, min_size=1, max_size=1))
def test_refused_lines_are_exactly_those_with_a_refused_verdict(uploads: list[list[dict[str, Any]]]) -> None:
    lines = _text(uploads[0]).encode().splitlines(keepends=True)

    report = settled().upload(LINES, b"".join(lines))

    numbers = sorted(number for each in report.refused for number in each)
    assert (report.refused_lines or b"") == b"".join(lines[number - 1] for number in numbers)
