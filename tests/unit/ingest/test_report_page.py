"""The report as a page: refusals, warnings and changes, without any active content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from ginuri.files.reports.digest import MOST_LISTED, ReportDigest
from ginuri.files.reports.report import Upload, count
from ginuri.files.reports.scope import ReportScope
from ginuri.ingest.checkpoints import Attempt
from ginuri.ingest.reports.report_page import PageLinks, ReportContent, write_page
from ginuri.registration.verdicts import Outcome, Verdict, at, refuse, suggest, warn
from ginuri.registry.record.differences import Difference, FieldChange
from tests.builders import MAP, PUT

UPLOAD = Upload("uploads", "uri-gin/azgs/wells <1>.csv", "v1", PUT.format(0))
BAD = refuse("title", "one value", "<script>alert(1)</script>", "rows must agree")
ODD = warn("title", "missing", None, "a title lets people know")
CHANGED = Difference((FieldChange("reason", None, "<b>new</b>"), FieldChange("quality", 0.5, None)), untold=3)
BROKEN = MAP.replace("uri-gin/", "uri-gin/ ")  # a line may break there
LINKS = PageLinks("http://id.example", "http://id.example/reports/", " --registry r")


def _cells(page: bytes) -> list[list[str]]:
    bodies = re.findall("<tbody[^>]*>(.*?)</tbody>", page.decode().replace("<wbr>", ""), re.DOTALL)
    tables = [ET.fromstring(f"<table>{body}</table>") for body in bodies]  # noqa: S314  our own page
    rows = [row for table in tables for row in table.iter("tr")]
    return [[" ".join(" ".join(cell.itertext()).split()) for cell in row] for row in rows]


def _counts(page: bytes) -> Mapping[str, str]:
    found = re.findall(r'<(?:p|label) class="(\w+)[^>]*>(?:<[^b][^>]*>)*<b>([0-9,]+)</b>', page.decode())
    return {name: number for name, number in found if name != "all"}


def _page(verdicts: Sequence[Verdict], *, is_dry_run: bool = False, refused: str | None = None) -> bytes:
    scope = ReportScope(10, 9)
    content = ReportContent(
        Attempt(UPLOAD),
        ReportDigest(verdicts),
        count(verdicts),
        scope,
        is_dry_run,
        submitter="Ana",
        reason="<b>new</b>",
        refused=refused,
        letters={"Status": "D"},
        principal="mailto:jane@example.org",
    )
    return write_page(content, LINKS)


def test_refusals_come_before_warnings_and_warnings_before_changes() -> None:
    verdicts = [
        Verdict(Outcome.REGISTERED, (2,), MAP),
        Verdict(Outcome.CHANGED, (3,), MAP, (ODD,), CHANGED),
        Verdict(Outcome.REFUSED, (7, 9), None, (BAD,)),
    ]

    page = _page(verdicts)

    assert "9 identifiers in 10 rows" in page.decode()
    assert _counts(page) == {
        "refused": "1",
        "warned": "1",
        "changed": "1",
        "registered": "1",
        "unchanged": "0",
    }
    sentences = "reason: nothing → <b>new</b> quality: 0.5 → nothing and 3 more fields"
    assert _cells(page) == [
        ["Refused lines 7, 9 · title", "<script>alert(1)</script>", "rows must agree"],
        ["Warning line 3 · title", "", f"a title lets people know {BROKEN}"],
        ["3", sentences, BROKEN],
    ]


def test_findings_of_one_kind_are_one_row_that_links_every_identifier() -> None:
    page = _page([Verdict(Outcome.REFUSED, (line,), f"{MAP}{line}", (BAD,)) for line in (2, 3, 4)])

    [[place, value, problem]] = _cells(page)
    assert (place, value) == ("Refused lines 2–4 · title", "<script>alert(1)</script>")
    assert problem.startswith("rows must agree (3 rows) ")
    assert all(f'<a href="http://id.example/about/{MAP}{line}">' in page.decode() for line in (2, 3, 4))


def test_different_findings_are_listed_with_their_difference() -> None:
    findings = [
        refuse("status", "status", f"s{line}", "The status {value} is unknown.", value=f"s{line}")
        for line in range(2, 7)
    ]

    page = _page([Verdict(Outcome.REFUSED, (2 + at,), None, (found,)) for at, found in enumerate(findings)])

    [[_, values, problem]] = _cells(page)
    assert values == "s2 s3 s4 and 2 other values"
    assert "line 6: s6 : The status s6 is unknown." in problem


def test_findings_with_one_sentence_list_only_their_values() -> None:
    findings = [refuse("location", "location", f"n/{line}", "Wrong.") for line in range(2, 7)]

    page = _page([Verdict(Outcome.REFUSED, (2 + at,), None, (found,)) for at, found in enumerate(findings)])

    [[_, _, problem]] = _cells(page)
    assert "line 6: n/6" in problem


def test_a_correction_is_beside_its_value() -> None:
    bad = suggest(at(refuse("status", "status", "gone", "It is unknown."), 5, "Status"), "retired")
    empty = suggest(at(refuse("location", "location", "n/a", "No address."), 6, "Link"), "")

    page = _page([Verdict(Outcome.REFUSED, (at,), MAP, (each,)) for at, each in ((5, bad), (6, empty))])

    first, second = _cells(page)
    assert first[:2] == ["Refused D5 · Status", "Value: gone Correction: retired"]
    assert first[2].startswith("It is unknown. ")
    assert second[:2] == ["Refused line 6 · Link", "Value: n/a Correction: leave the cell empty"]


def test_counts_with_findings_or_changes_filter_without_a_script() -> None:
    verdicts = [
        Verdict(Outcome.REGISTERED, (2,), MAP),
        Verdict(Outcome.CHANGED, (3,), MAP, (ODD,), CHANGED),
        Verdict(Outcome.REFUSED, (7, 9), None, (BAD,)),
    ]

    filters = re.findall(r'<input type="radio" name="show" id="show-(\w+)"', _page(verdicts).decode())

    assert filters == ["all", "refused", "warned", "changed"]
    assert "radio" not in _page(verdicts[:1]).decode()


def test_only_an_upload_that_changed_something_can_be_undone() -> None:
    good, bad = Verdict(Outcome.REGISTERED, (2,), MAP), Verdict(Outcome.REFUSED, (3,), None, (BAD,))
    command = "ginuri rollback &#39;uri-gin/azgs/wells &lt;1&gt;.csv#v1&#39; --registry r"

    assert f"<code>{command}</code>" in _page([good, bad]).decode()
    assert "ginuri rollback" not in _page([bad]).decode()
    assert "ginuri rollback" not in _page([good], is_dry_run=True).decode()


def test_a_page_links_refused_rows_report_and_other_uploads() -> None:
    page = _page([Verdict(Outcome.REFUSED, (3,), None, (BAD,))], refused=f"{UPLOAD.key}/v1.refused.csv")

    text = page.decode()
    assert 'href="./v1.refused.csv"' in text
    assert 'href="./v1.json"' in text
    assert '<a href="./v1.es.html" hreflang="es"' in text
    assert 'href="http://id.example/reports/"' in text
    assert "by jane@example.org, stated submitter: Ana: &lt;b&gt;new&lt;/b&gt;" in text


def test_a_page_is_written_in_the_reports_language_and_the_others() -> None:
    content = ReportContent(Attempt(UPLOAD), ReportDigest(), count(()), ReportScope(), language="es")

    spanish, english = (write_page(content, LINKS, language).decode() for language in ("es", "en"))

    assert ('<html lang="es">' in spanish, 'href="./v1.en.html"' in spanish) == (True, True)
    assert ('<html lang="en">' in english, 'href="./v1.html"' in english) == (True, True)


def test_uploaded_text_never_becomes_markup() -> None:
    page = _page([Verdict(Outcome.REFUSED, (3,), None, (BAD,))], is_dry_run=True).decode()

    assert page.count("<script") == 1  # our own
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<h1>Dry run of wells &lt;1&gt;.csv</h1>" in page
    assert "default-src 'none'" in page


def test_a_page_is_limited_and_counts_the_omitted_findings() -> None:
    verdicts = [
        Verdict(Outcome.REFUSED, (number,), f"{MAP}{number}", (BAD,), CHANGED)
        for number in range(1, MOST_LISTED + 1_201)
    ]

    page = _page(verdicts).decode()

    assert page.count(f"/about/{MAP}") == 2 * MOST_LISTED
    assert page.count("1,200 more are in the report") == 2


def test_kinds_of_findings_beyond_the_limit_are_counted() -> None:
    verdicts = [
        Verdict(Outcome.REFUSED, (line,), None, (refuse(f"f{line}", "rule", "", "Wrong."),))
        for line in range(1, 301)
    ]

    assert "100 more are in the report" in _page(verdicts).decode()


def test_a_page_without_findings_confirms_success() -> None:
    page = _page([Verdict(Outcome.REGISTERED, (2,), MAP)]).decode()

    assert "<table" not in page
    assert "There is nothing else to report." in page
