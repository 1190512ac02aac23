"""The statements of "URIs in Legislation.gov.uk" (in the survey of URI practice), on the example Acts.

Each test quotes in its docstring the heading of the statement that it proves.
docs/reference/neighbouring-systems.md lists the differences with reasons.
"""

from __future__ import annotations

import pytest

from tests.legislation import Legislation, bare

ACT = "/ukpga/1985/67"
CURRENT = f"{ACT}/2003-04-01"
BASE_DATE = "1991-02-01"
HTML, XML, RDF = "text/html", "application/xml", "application/rdf+xml"


@pytest.fixture(scope="module")
def acts(tmp_path_factory: pytest.TempPathFactory) -> Legislation:
    return Legislation(tmp_path_factory.mktemp("published"))


def test_only_rules_that_lead_to_registered_names_get_a_warning(
    acts: Legislation,
) -> None:
    verdicts = [each for report in acts.reports.values() for each in report.verdicts]

    assert {each.verdict for each in verdicts} == {"registered"}
    warned = {each.identifier: each.warned for each in verdicts if each.warned}
    assert warned == {
        "//www.legislation.gov.uk/id/uksi/2002/808/": [("location", "leads back")],
        "//www.legislation.gov.uk/uksi/2002/808/": [("location", "leads back")],
        "//www.legislation.gov.uk/nia/2000/5/sld/": [("location", "leads back")],
    }


# -- three levels of URIs


def test_an_identifier_uri_leads_to_a_document_uri(acts: Legislation) -> None:
    """The three levels, and the paragraph below them: 303 See Other."""
    answered = acts.ask("/id/ukpga/1985/67", Accept=HTML)

    assert (answered.status, bare(answered.headers["Location"])) == (303, ACT)


@pytest.mark.parametrize(
    ("accept", "extension", "media_type"),
    [
        ("*/*", "htm", HTML),
        (HTML, "htm", HTML),
        (XML, "xml", XML),
        (RDF, "rdf", RDF),
        (f"{HTML};q=0.5, {XML}", "xml", XML),
    ],
)
def test_a_document_uri_answers_with_content_and_names_its_representation(
    acts: Legislation, accept: str, extension: str, media_type: str
) -> None:
    """The paragraph below the three levels: 200 and Content-Location; "Representation URIs", the last."""
    answered = acts.ask(ACT, Accept=accept)

    assert (answered.status, answered.headers["Content-Type"]) == (200, media_type)
    assert bare(answered.headers["Content-Location"]) == f"{CURRENT}/data.{extension}"
    there = acts.ask(bare(answered.headers["Content-Location"]), Accept="image/png")
    assert (there.status, there.content) == (200, answered.content)
    assert {"accept", "accept-datetime"} <= set(answered.headers["Vary"].lower().split(", "))


@pytest.mark.parametrize("extension", ["htm", "xml", "rdf"])
def test_a_representation_uri_gives_the_current_version_for_any_accept_header(
    acts: Legislation, extension: str
) -> None:
    """The three levels, the third example; "Representation URIs", the first template without a version."""
    answered = acts.ask(f"{ACT}/data.{extension}", Accept="image/png")

    assert answered.status == 200
    assert answered.content == acts.ask(f"{CURRENT}/data.{extension}").content
    assert answered.headers["Memento-Datetime"] == "Tue, 01 Apr 2003 00:00:00 GMT"


def test_a_representation_of_an_unknown_format_is_not_found(acts: Legislation) -> None:
    """ "Representation URIs", the last paragraph: available representations are registered."""
    assert acts.ask(f"{ACT}/data.pdf").status == 404
    assert acts.ask(f"{ACT}/{BASE_DATE}/data.rdf").status == 404


# -- "Identifier URIs"


@pytest.mark.parametrize("where", ["/id", "/id/"])
def test_a_recognised_title_leads_to_the_item(acts: Legislation, where: str) -> None:
    """ "Identifier URIs", the search URI and its first example: 301 Moved Permanently."""
    answered = acts.ask(where, "title=The%20Transport%20Act%201985")

    assert (answered.status, bare(answered.headers["Location"])) == (301, "/id/ukpga/1985/67")


def test_a_title_of_several_items_offers_them(acts: Legislation) -> None:
    """ "Identifier URIs", the second example, whose phrase names 300 Multiple Choices."""
    answered = acts.ask("/id", "title=Disability%20Rights%20Commission%20Act", Accept=HTML)

    assert answered.status == 300
    page = answered.content.decode()
    for path in ("uksi/2006/3189", "uksi/2000/880", "uksi/1999/2210", "ukpga/1999/17"):
        assert f'href="//www.legislation.gov.uk/id/{path}"' in page


def test_an_unknown_title_is_not_found(acts: Legislation) -> None:
    """ "Identifier URIs": only a title that is recognised is redirected."""
    assert acts.ask("/id", "title=The%20Unicorn%20Act%201985").status == 404


# -- "Legislation Types", "Legislation Years", "Legislation Numbers"


@pytest.mark.parametrize("code", ["ukpga", "uksi", "wsi", "nia"])
def test_a_type_is_described_for_items_and_for_texts(acts: Legislation, code: str) -> None:
    """ "Legislation Types", the list."""
    for path in (f"/id/{code}/", f"/{code}/"):
        answered = acts.ask(path)
        assert (answered.status, answered.headers["Location"]) == (
            303,
            f"/about/http://www.legislation.gov.uk{path}",
        )


@pytest.mark.parametrize(
    ("other", "canonical"),
    [
        ("/id/uksi/2002/808", "/id/wsi/2002/808"),  # "Legislation Types", the example
        ("/id/ukpga/1907/51", "/id/ukpga/Edw7/7/51"),  # "Legislation Years", the third example
        ("/id/wsi/2002/w89", "/id/wsi/2002/808"),  # "Legislation Numbers", the example
        ("/uksi/2002/808", "/wsi/2002/808"),
        ("/ukpga/1907/51", "/ukpga/Edw7/7/51"),
        ("/wsi/2002/w89", "/wsi/2002/808"),
        ("/uksi/2002/808/data.htm", "/wsi/2002/808/data.htm"),
    ],
)
def test_another_numbering_leads_to_the_canonical_one(acts: Legislation, other: str, canonical: str) -> None:
    """The statements beside each: 301 Moved Permanently; the same of documents, by the same templates."""
    answered = acts.ask(other)

    assert (answered.status, bare(answered.headers["Location"])) == (301, canonical)


@pytest.mark.parametrize("path", ["/id/ukpga/1985/67", "/id/ukpga/Edw7/7/51"])
def test_a_year_is_one_of_the_calendar_or_of_a_reign(acts: Legislation, path: str) -> None:
    """ "Legislation Years", the first two examples."""
    assert acts.ask(path).status == 303


def test_a_calendar_year_that_fits_several_acts_offers_them(acts: Legislation) -> None:
    """ "Legislation Years", the last example: 300 Multiple Choices."""
    answered = acts.ask("/id/ukpga/1955/19", Accept=HTML)

    assert answered.status == 300
    for path in ("Eliz2/3-4/19", "Eliz2/4-5/19"):
        assert f'href="//www.legislation.gov.uk/id/ukpga/{path}"' in answered.content.decode()
        assert acts.ask(f"/id/ukpga/{path}").status == 303


# -- "Legislation Sections"


@pytest.mark.parametrize(
    "division",
    [
        "ukpga/1984/27/section/6",
        "uksi/2004/2200/regulation/6",
        "ukpga/1975/63/section/1/1/ba",
        "ukpga/2005/6/schedule/1/paragraph/2",
        "ukpga/1996/6/schedule",
        "ukpga/1984/27/schedule/9/part/IV",
    ],
)
def test_a_division_has_an_identifier_and_a_document(acts: Legislation, division: str) -> None:
    """ "Legislation Sections", each of its examples."""
    steps, answered = acts.follow(f"/id/{division}")

    assert steps == [(303, f"/{division}")]
    assert (answered.status, answered.headers["Content-Type"]) == (200, HTML)


@pytest.mark.parametrize(
    "division",
    ["ukpga/1984/27/section/999", "ukpga/1984/27/schedule/9/part/4", "ukpga/1984/27/Section/6/1"],
)
def test_a_division_that_does_not_exist_is_not_found(acts: Legislation, division: str) -> None:
    """ "Legislation Sections", the last paragraph, and the one before: numbers are not normalised."""
    assert acts.ask(f"/id/{division}").status == 404
    assert acts.ask(f"/{division}").status == 404


# -- "Legislation Authorities"


@pytest.mark.parametrize(
    ("named", "by_default"),
    [
        ("/nia/2000/5/sld", "/nia/2000/5"),
        ("/nia/2000/5/sld/2000-07-20", "/nia/2000/5/2000-07-20"),
        ("/nia/2000/5/gpni/enacted", "/nia/2000/5/enacted"),
    ],
)
def test_the_default_authority_may_be_named(acts: Legislation, named: str, by_default: str) -> None:
    """ "Legislation Authorities", texts with another URI."""
    steps, answered = acts.follow(named)

    assert steps == [(301, by_default)]
    assert (answered.status, answered.content) == (200, acts.ask(by_default).content)


def test_the_enacted_version_of_another_authority_is_another_document(acts: Legislation) -> None:
    """ "Legislation Authorities", the last example, which may have annotations."""
    answered, printed = acts.ask("/nia/2000/5/sld/enacted"), acts.ask("/nia/2000/5/enacted")

    assert (answered.status, printed.status) == (200, 200)
    assert b"with annotations" in answered.content
    assert b"Government Printer" in printed.content


# -- "Legislation Extents"


@pytest.mark.parametrize(
    "path",
    [
        "/ukpga/1977/42/england",
        f"{ACT}/section/6/england+scotland",
        f"{ACT}/section/6/=england+wales",
    ],
)
def test_a_text_by_extent_is_a_document(acts: Legislation, path: str) -> None:
    """ "Legislation Extents", its three examples; a text without an extent applies to all countries."""
    answered, whole = acts.ask(path), acts.ask(path.rpartition("/")[0])

    assert (answered.status, whole.status) == (200, 200)
    assert b"extends to England" in answered.content
    assert b"extends" not in whole.content


@pytest.mark.parametrize("path", ["/ukpga/1977/42/scotland", f"{ACT}/section/6/england+ireland"])
def test_a_country_outside_the_extent_is_not_found(acts: Legislation, path: str) -> None:
    """ "Legislation Extents", 404 Not Found."""
    assert acts.ask(path).status == 404


# -- "Legislation Versions"


@pytest.mark.parametrize("path", ["/ukpga/2006/21/enacted", "/uksi/2004/2200/made"])
def test_the_enacted_and_the_made_version_are_documents(acts: Legislation, path: str) -> None:
    """ "Enacted/Made Versions", the keywords and the example; `created` is registered in the same way."""
    answered = acts.ask(path)

    assert (answered.status, bare(answered.headers["Content-Location"])) == (200, f"{path}/data.htm")
    assert answered.content != acts.ask(path.rpartition("/")[0]).content


def test_an_enacted_version_that_is_not_available_is_not_found(acts: Legislation) -> None:
    """ "Enacted/Made Versions": not generally available prior to 1988."""
    assert acts.ask(f"{ACT}/enacted").status == 404


def test_without_a_version_the_one_in_force_is_sent(acts: Legislation) -> None:
    """ "Dated Versions", the first example: the same as that of 1 April 2003."""
    assert acts.ask(ACT).content == acts.ask(CURRENT).content
    assert acts.follow(f"{ACT}/current")[0] == [(302, CURRENT)]


@pytest.mark.parametrize(
    ("day", "in_effect"),
    [
        ("1997-06-01", "1996-04-01"),  # the example
        ("2003-03-31", "1996-04-01"),
        ("2003-04-01", "2003-04-01"),
        ("2011-01-01", "2003-04-01"),
        ("1990-12-31", BASE_DATE),  # prior to the base date
        ("1985-10-30", BASE_DATE),  # the day of enactment
    ],
)
def test_any_date_gives_its_version_or_that_of_the_base_date(
    acts: Legislation, day: str, in_effect: str
) -> None:
    """ "Dated Versions", the second example, and the sentence about the base date."""
    steps, answered = acts.follow(f"{ACT}/{day}")

    assert steps == ([] if day == in_effect else [(302, f"{ACT}/{in_effect}")])
    assert answered.status == 200
    assert f"as in force from {in_effect}" in answered.content.decode()


def test_a_date_prior_to_enactment_is_not_found(acts: Legislation) -> None:
    """ "Dated Versions", 404 Not Found."""
    assert acts.ask(f"{ACT}/1985-10-29").status == 404


def test_a_section_absent_at_the_time_is_sent_with_a_notice(acts: Legislation) -> None:
    """ "Dated Versions", the last sentence."""
    steps, answered = acts.follow("/ukpga/1975/63/section/1/1/ba/1997-06-01")

    assert steps == [(302, "/ukpga/1975/63/section/1/1/ba/2005-12-05")]
    assert b"was not in force before 2005-12-05" in answered.content
    assert answered.headers["Memento-Datetime"] == "Mon, 05 Dec 2005 00:00:00 GMT"


def test_the_prospective_version_is_a_document(acts: Legislation) -> None:
    """ "Prospective Versions", the first example."""
    answered = acts.ask("/ukpga/1984/27/part/II/prospective")

    assert answered.status == 200
    assert b"has not come into force" in answered.content
    assert b"has not come into force" not in acts.ask("/ukpga/1984/27/part/II").content
    assert "Memento-Datetime" not in answered.headers


@pytest.mark.parametrize("path", ["", "/prospective", "/data.htm"])
def test_a_prospective_section_is_sent_and_marked(acts: Legislation, path: str) -> None:
    """ "Prospective Versions", the last two examples."""
    answered = acts.ask(f"/ukpga/1984/27/section/22B{path}")

    assert answered.status == 200
    assert b"Prospective: this section is not in force" in answered.content


# -- "Explanatory Notes", "Representation URIs"


@pytest.mark.parametrize("path", ["/ukpga/2003/21/notes", "/ukpga/2003/21/section/50/notes"])
def test_the_explanatory_notes_are_documents(acts: Legislation, path: str) -> None:
    """ "Explanatory Notes", both examples; "Representation URIs", the second template."""
    answered = acts.ask(path)

    assert (answered.status, bare(answered.headers["Content-Location"])) == (200, f"{path}/data.htm")
    assert acts.ask(f"{path}/data.htm").content == answered.content


@pytest.mark.parametrize("path", [f"{ACT}/notes", "/ukpga/1984/27/section/6/notes"])
def test_an_item_without_explanatory_notes_gives_a_404(acts: Legislation, path: str) -> None:
    """ "Explanatory Notes", the last sentence."""
    assert acts.ask(path).status == 404


@pytest.mark.parametrize(
    "path",
    [
        f"{ACT}/1996-04-01/data.xml",
        f"{ACT}/section/6/data.xml",
        f"{ACT}/section/6/england+scotland/data.xml",
        f"{ACT}/section/6/england+scotland/2003-04-01/data.xml",
        f"{ACT}/section/6/=england+wales/2003-04-01/data.htm",
        "/nia/2000/5/sld/enacted/data.htm",
        "/ukpga/2006/21/enacted/data.xml",
        "/ukpga/1984/27/part/II/prospective/data.htm",
        "/ukpga/2003/21/notes/data.xml",
    ],
)
def test_section_authority_extent_and_version_precede_the_representation(
    acts: Legislation, path: str
) -> None:
    """ "Document URIs" and "Representation URIs", the templates."""
    assert acts.ask(path).status == 200


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("1997-06-01/data.xml", "1996-04-01/data.xml"),
        ("1990-12-31/data.htm", f"{BASE_DATE}/data.htm"),
        ("current/data.rdf", "2003-04-01/data.rdf"),
    ],
)
def test_any_date_may_precede_a_representation(acts: Legislation, asked: str, leads_to: str) -> None:
    """ "Representation URIs", the first template, of a date as "Dated Versions" has it."""
    answered = acts.ask(f"{ACT}/{asked}")

    assert (answered.status, bare(answered.headers["Location"])) == (302, f"{ACT}/{leads_to}")
