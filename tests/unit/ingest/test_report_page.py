"""The report as a page: what was refused, warned of or changed, and nothing that a browser would run."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ginuri.files.reports.report import Upload, count
from ginuri.ingest.report_page import MOST_SHOWN_VERDICTS, NotableVerdicts, write_page
from ginuri.registration.verdicts import Outcome, Verdict, refuse, warn
from ginuri.registry.record.differences import Difference, FieldChange
from tests.builders import MAP, PUT

UPLOAD = Upload("uploads", "uri-gin/azgs/wells <1>.csv", "v1", PUT.format(0))
BAD = refuse("title", "one value", "<script>alert(1)</script>", "rows must agree")
ODD = warn("title", "missing", None, "a title lets people know")
CHANGED = Difference((FieldChange("reason", None, "<b>new</b>"), FieldChange("quality", 0.5, None)), untold=3)


def _cells(page: bytes) -> list[list[str]]:
    body = page.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    rows = ET.fromstring(f"<table>{body}</table>").iter("tr")  # noqa: S314  our own page
    return [["|".join(cell.itertext()) for cell in row] for row in rows]


def _page(verdicts: Sequence[Verdict], *, is_dry_run: bool = False) -> bytes:
    return write_page(UPLOAD, NotableVerdicts(verdicts), count(verdicts), is_dry_run=is_dry_run)


def test_a_page_tells_what_there_is_to_know_in_the_order_of_the_file() -> None:
    verdicts = [
        Verdict(Outcome.REGISTERED, (2,), MAP),
        Verdict(Outcome.REFUSED, (3, 7), None, (BAD,)),
        Verdict(Outcome.CHANGED, (9,), MAP, (ODD,), CHANGED),
    ]

    page = _page(verdicts)

    assert "1 registered, 1 changed, 0 unchanged, 1 refused, 1 warned" in page.decode()
    sentences = [
        "warned: title: a title lets people know",
        "reason: nothing → <b>new</b>",
        "quality: 0.5 → nothing",
        "and 3 more fields",
    ]
    assert _cells(page) == [
        ["3, 7", "", "refused", "title (<script>alert(1)</script>): rows must agree"],
        [
            "9",
            MAP,
            "changed",
            "|".join(sentences),
        ],
    ]


def test_nothing_that_was_uploaded_becomes_markup() -> None:
    page = _page([Verdict(Outcome.REFUSED, (3,), None, (BAD,))], is_dry_run=True).decode()

    assert "<script" not in page
    assert "<h1>Dry run of uri-gin/azgs/wells &lt;1&gt;.csv, uploaded " in page
    assert "default-src 'none'" in page


def test_a_page_has_an_end_and_says_how_much_it_left_out() -> None:
    verdicts = [
        Verdict(Outcome.REFUSED, (number,), None, (BAD,)) for number in range(1, MOST_SHOWN_VERDICTS + 1_201)
    ]

    page = _page(verdicts)

    assert len(_cells(page)) == MOST_SHOWN_VERDICTS
    assert "1,200 more are in the report" in page.decode()


def test_where_all_is_well_the_page_says_so() -> None:
    page = _page([Verdict(Outcome.REGISTERED, (2,), MAP)]).decode()

    assert "<table>" not in page
    assert "There is nothing else to report." in page
