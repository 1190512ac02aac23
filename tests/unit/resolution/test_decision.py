"""The decision about an identifier: the rows of docs/reference/answers.md, in their order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ginuri import Kind, parse
from ginuri.registry.clock import BEGINNING
from ginuri.registry.model import (
    Delegation,
    Dereference,
    NameAuthority,
    Prefix,
    Registered,
    ResourceType,
    Role,
    Scheme,
    Status,
)
from ginuri.registry.ports import Found
from ginuri.resolution.decision import Question, decide
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES, Preferences
from ginuri.resolution.outcomes import (
    AnsweredElsewhere,
    Decision,
    Give,
    NotAcceptable,
    NotNormal,
    NotRegistered,
    Reserved,
    Retired,
    SeeDescription,
    SeeRepresentation,
    Versioned,
)
from tests.builders import MAP, PUT, find, representation, resource, stored

IMAGE = f"{MAP}mapImageFile"
PDF, TIFF = "application/pdf", "image/tiff"
AZGS = NameAuthority(identifier="uri-gin/azgs/", modified=PUT.format(0), contact="maps@azgs.example")


def _decide(
    identifier: str, *records: Registered, accept: str | None = None, host: str = "resources.usgin.org"
) -> Decision | Versioned:
    preferences = NO_PREFERENCES if accept is None else Preferences(accept=accept)
    return _ask(find(identifier, *records), (host,), preferences)


def _ask(
    found: Found, hosts: Sequence[str] = (), preferences: Preferences = NO_PREFERENCES
) -> Decision | Versioned:
    return decide(found, Question(found.identifier, BEGINNING, hosts, preferences))


def _seen(decision: Decision | Versioned) -> tuple[int, str]:
    assert isinstance(decision, SeeRepresentation)
    return decision.status_code, decision.address


def _type(identifier: str = "uri-gin/azgs/doc/map/", **fields: object) -> ResourceType:
    return ResourceType(identifier=identifier, modified=PUT.format(0), **fields)  # type: ignore[arg-type]  # checked by the dataclass's readers


# -- not in normal form, answered elsewhere


def test_another_spelling_leads_to_the_normal_form_before_any_record() -> None:
    written = parse("uri-gin/azgs/doc/map/DGM37%2DHuachucaMountainNv1.1/")

    decision = _ask(find(written, resource(MAP, status=Status.RETIRED)))

    assert decision == NotNormal(written)


def test_the_decision_names_the_host_that_answers() -> None:
    authority = NameAuthority(identifier="uri-gin/azgs/", modified="", answered_by="id.azgs.example")

    decision = _decide(MAP, authority, resource(MAP, status=Status.RETIRED))

    assert decision == AnsweredElsewhere(parse(MAP), "id.azgs.example")


def test_another_host_may_answer_for_the_authority_itself() -> None:
    authority = NameAuthority(identifier="uri-gin/azgs/", modified="", answered_by="id.azgs.example")

    assert isinstance(_decide("uri-gin/azgs/", authority), AnsweredElsewhere)


@pytest.mark.parametrize(
    "host", ["id.azgs.example", "ID.AZGS.Example", "id.azgs.example:80", "id.azgs.example:443"]
)
def test_the_answering_host_does_not_redirect_to_itself(host: str) -> None:
    authority = NameAuthority(identifier="uri-gin/azgs/", modified="", answered_by="id.azgs.example")

    assert isinstance(_decide(MAP, authority, host=host), NotRegistered)


@pytest.mark.parametrize("host", ["", "a b", "[::1", "id.azgs.example, id.azgs.example"])
def test_a_request_under_an_invalid_host_still_goes_elsewhere(host: str) -> None:
    authority = NameAuthority(identifier="uri-gin/azgs/", modified="", answered_by="id.azgs.example")

    assert isinstance(_decide(MAP, authority, host=host), AnsweredElsewhere)


def test_the_nearest_steward_names_the_answering_host() -> None:
    scheme = Scheme(identifier="uri-gin/", modified="", answered_by="uri-gin.example")
    authority = NameAuthority(identifier="uri-gin/azgs/", modified="", answered_by="id.azgs.example")

    for host in ("uri-gin.example", "resources.usgin.org"):
        decision = _decide(MAP, scheme, authority, host=host)
        assert decision == AnsweredElsewhere(parse(MAP), "id.azgs.example")
    assert isinstance(_decide(MAP, scheme, authority, host="id.azgs.example"), NotRegistered)


def _delegated(identifier: str, host: str) -> Prefix:
    return Prefix(identifier=identifier, modified="", delegation=Delegation(host))


@pytest.mark.parametrize("identifier", ["uri-gin/azgs/doc/", "uri-gin/azgs/doc/x", MAP, f"{MAP}image.pdf"])
def test_another_host_answers_for_a_delegated_prefix_and_its_names(identifier: str) -> None:
    decision = _decide(identifier, _delegated("uri-gin/azgs/doc/", "maps.example.org"), resource(MAP))

    assert decision == AnsweredElsewhere(parse(identifier), "maps.example.org")


@pytest.mark.parametrize("identifier", ["uri-gin/azgs/doc", "uri-gin/azgs/docs/x", "uri-gin/azgs/"])
def test_names_beside_a_delegated_prefix_are_not_delegated(identifier: str) -> None:
    decision = _decide(identifier, _delegated("uri-gin/azgs/doc/", "maps.example.org"))

    assert isinstance(decision, NotRegistered)


def test_a_type_may_be_delegated() -> None:
    record = _type("uri-gin/azgs/doc/", delegation=Delegation("maps.example.org"))

    assert isinstance(_decide(MAP, record), AnsweredElsewhere)


def test_a_narrower_prefix_may_be_handed_back_or_on() -> None:
    authority = NameAuthority(identifier="uri-gin/azgs/", modified="", answered_by="id.azgs.example")
    back = _delegated("uri-gin/azgs/doc/", "resources.usgin.org")
    on = _delegated("uri-gin/azgs/doc/map/old/", "old.example.org")

    def host_for(identifier: str) -> str | None:
        decision = _decide(identifier, authority, back, on, host="resources.usgin.org")
        return decision.host if isinstance(decision, AnsweredElsewhere) else None

    assert host_for("uri-gin/azgs/person/x/") == "id.azgs.example"
    assert host_for(MAP) is None
    assert host_for("uri-gin/azgs/doc/map/old/1/") == "old.example.org"


def test_an_authoritys_delegation_of_its_own_prefix_precedes_its_record() -> None:
    authority = NameAuthority(
        identifier="uri-gin/azgs/",
        modified="",
        answered_by="id.azgs.example",
        delegation=Delegation("maps.example.org"),
    )

    assert _decide(MAP, authority) == AnsweredElsewhere(parse(MAP), "maps.example.org")


def test_a_prefix_that_is_handed_back_leads_to_its_description() -> None:
    record = _delegated("uri-gin/azgs/doc/", "resources.usgin.org")

    decision = _decide("uri-gin/azgs/doc/", record, host="resources.usgin.org")

    assert isinstance(decision, SeeDescription)


def test_a_prefix_without_current_statements_names_no_record() -> None:
    spent = Prefix(identifier="uri-gin/azgs/doc/", modified="")
    authority = NameAuthority(identifier="uri-gin/azgs/", modified="")

    itself, under = _decide("uri-gin/azgs/doc/", spent, authority), _decide(MAP, spent, authority)

    assert isinstance(itself, NotRegistered)
    assert isinstance(under, NotRegistered)
    assert under.found.nearest_ancestor == authority


# -- lifecycle


def test_a_retired_identifier_is_gone_with_all_its_forms() -> None:
    record = resource(status=Status.RETIRED, representations=[representation(PDF, part="mapImageFile.pdf")])

    assert _decide(MAP, record) == Retired(find(MAP, record), record)
    assert _decide(f"{IMAGE}.pdf", record) == Retired(find(f"{IMAGE}.pdf", record), record)
    assert _decide(IMAGE, record) == Retired(find(IMAGE, record), record)


def test_a_reserved_identifier_names_no_resource_yet() -> None:
    record = resource(status=Status.RESERVED, representations=[representation(PDF)])

    assert _decide(MAP, record, AZGS) == Reserved(find(MAP, record, AZGS), record)


def test_a_retired_authority_is_gone() -> None:
    record = NameAuthority(identifier="uri-gin/azgs/", modified="", status=Status.RETIRED)

    assert isinstance(_decide("uri-gin/azgs/", record), Retired)


def test_a_superseded_identifier_answers_as_before() -> None:
    record = resource(
        status=Status.SUPERSEDED, representations=[representation(PDF, location="https://a.b/c")]
    )

    assert _seen(_decide(MAP, record)) == (303, "https://a.b/c")


# -- scheme, authority, resource type


@pytest.mark.parametrize(
    "record",
    [
        Scheme(identifier="uri-gin/", modified=""),
        NameAuthority(identifier="uri-gin/azgs/", modified=""),
        ResourceType(identifier="uri-gin/azgs/doc/map/", modified=""),
        ResourceType(identifier="uri-gin/azgs/doc/map", modified=""),
    ],
)
def test_schemes_authorities_and_resource_types_are_described(record: Registered) -> None:
    assert _decide(record.identifier, record) == SeeDescription(find(record.identifier, record), record)


# -- a thing


def test_a_thing_leads_to_its_representation() -> None:
    record = resource(representations=[representation(PDF, location="https://data.azgs.example/m.pdf")])

    assert _seen(_decide(MAP, record)) == (303, "https://data.azgs.example/m.pdf")


def test_a_thing_leads_to_a_part_under_the_parts_own_name() -> None:
    record = resource(representations=[representation(PDF, part="mapImageFile.pdf")])

    assert _seen(_decide(MAP, record)) == (303, f"/{IMAGE}.pdf")


def test_a_thing_is_answered_only_with_303() -> None:
    elsewhere = representation(PDF, status_code=301)

    assert _seen(_decide(MAP, resource(representations=[elsewhere])))[0] == 303


def test_a_thing_without_forms_has_only_its_description() -> None:
    assert _decide(MAP, resource()) == SeeDescription(find(MAP, resource()), resource())


def test_a_thing_is_never_sent_even_if_a_file_is_stored() -> None:
    record = resource(representations=[representation(PDF, file=stored())])

    assert isinstance(_decide(MAP, record), SeeDescription)


def test_a_thing_in_no_acceptable_form_leads_to_an_acceptable_description() -> None:
    record = resource(representations=[representation(PDF)])

    decision = _decide(MAP, record, accept="text/html")

    offered = tuple(record.representations)
    assert decision == SeeDescription(find(MAP, record), record, negotiated=True, offered=offered)


def test_a_thing_without_any_acceptable_form_or_description_is_not_acceptable() -> None:
    record = resource(representations=[representation(PDF)])

    decision = _decide(MAP, record, accept="image/png")

    assert decision == NotAcceptable(find(MAP, record), record, tuple(record.representations))


# -- a document


def test_a_document_redirects_to_the_negotiated_representation() -> None:
    record = resource(
        "uri-gin/azgs/doc/report",
        representations=[representation(PDF, part=".pdf"), representation("text/html", part=".html")],
    )

    decision = _decide("uri-gin/azgs/doc/report", record, accept="text/html")

    assert _seen(decision) == (302, "/uri-gin/azgs/doc/report.html")
    assert isinstance(decision, SeeRepresentation)
    assert decision.offered == tuple(record.representations)


def test_a_document_that_dereferences_to_content_is_given() -> None:
    pdf = representation(PDF, part=".pdf", file=stored())
    record = resource("uri-gin/azgs/doc/report", dereference=Dereference.CONTENT, representations=[pdf])

    decision = _decide("uri-gin/azgs/doc/report", record)

    assert decision == Give(
        find("uri-gin/azgs/doc/report", record), record, pdf, "/uri-gin/azgs/doc/report.pdf", (pdf,)
    )


def test_a_document_inherits_dereferencing_from_its_resource_type() -> None:
    record = resource(IMAGE, representations=[representation(PDF, part=".pdf", file=stored())])

    assert isinstance(_decide(IMAGE, record, _type(dereference=Dereference.CONTENT)), Give)
    assert isinstance(
        _decide(IMAGE, record, _type("uri-gin/azgs/doc/", dereference=Dereference.CONTENT)), Give
    )
    assert isinstance(_decide(IMAGE, record, _type(dereference=Dereference.REDIRECT)), SeeRepresentation)


def test_the_nearest_statement_on_dereferencing_counts() -> None:
    pdf = representation(PDF, part=".pdf", file=stored())
    content = _type("uri-gin/azgs/doc/", dereference=Dereference.CONTENT)

    nearer = _type(dereference=Dereference.REDIRECT)
    own = resource(IMAGE, dereference=Dereference.REDIRECT, representations=[pdf])

    assert isinstance(
        _decide(IMAGE, resource(IMAGE, representations=[pdf]), content, nearer), SeeRepresentation
    )
    assert isinstance(_decide(IMAGE, own, content), SeeRepresentation)


def test_a_type_inherits_through_broader_before_it_inherits_from_its_path() -> None:
    record = resource(IMAGE, representations=[representation(PDF, part=".pdf", file=stored())])
    kinds = [
        _type(broader="uri-gin/usgin/doc/"),
        _type("uri-gin/azgs/doc/", dereference=Dereference.REDIRECT),
        _type("uri-gin/usgin/doc/", dereference=Dereference.CONTENT),
    ]

    assert isinstance(_decide(IMAGE, record, *kinds), Give)


def test_a_type_with_a_broader_one_ignores_its_path() -> None:
    record = resource(IMAGE, representations=[representation(PDF, part=".pdf", file=stored())])
    kinds = [
        _type(broader="uri-gin/usgin/doc/"),
        _type("uri-gin/azgs/doc/", dereference=Dereference.CONTENT),
        _type("uri-gin/usgin/doc/"),
    ]

    assert isinstance(_decide(IMAGE, record, *kinds), SeeRepresentation)


def test_content_elsewhere_cannot_be_sent() -> None:
    record = resource(
        "uri-gin/azgs/doc/report",
        dereference=Dereference.CONTENT,
        representations=[representation(PDF, location="https://a.b/c")],
    )

    assert _seen(_decide("uri-gin/azgs/doc/report", record)) == (302, "https://a.b/c")


def test_a_stored_document_without_a_part_is_given_under_its_own_name() -> None:
    record = resource("uri-gin/azgs/doc/report", representations=[representation(PDF, file=stored())])

    decision = _decide("uri-gin/azgs/doc/report", record)

    assert isinstance(decision, Give)
    assert decision.address == "/uri-gin/azgs/doc/report"


def test_a_document_without_an_acceptable_form_is_not_acceptable() -> None:
    record = resource("uri-gin/azgs/doc/report", representations=[representation(PDF)])

    assert isinstance(_decide("uri-gin/azgs/doc/report", record, accept="text/html"), NotAcceptable)


def test_a_document_without_representations_leads_to_its_description() -> None:
    record = resource("uri-gin/azgs/doc/report")

    assert isinstance(_decide("uri-gin/azgs/doc/report", record), SeeDescription)


def test_a_representation_registered_as_a_document_is_redirected_to() -> None:
    record = resource(representations=[representation(PDF, identifier="uri-gin/usgin/dlio/331")])

    assert _seen(_decide(MAP, record)) == (303, "/uri-gin/usgin/dlio/331")


# -- abstract documents: a part makes the document before its first dot


def _dataset() -> Registered:
    return resource(
        "uri-gin/azgs/dataset/geologyMap/HuachucaMountainNv1.1/",
        representations=[
            representation("application/zip", part="NCGMP09.shp.zip", location="https://a.b/shp"),
            representation("application/x-msaccess", part="NCGMP09.mdb", location="https://a.b/mdb"),
            representation("text/plain", part="readme.txt"),
        ],
    )


def test_parts_make_the_abstract_document_before_their_first_dot() -> None:
    abstract = "uri-gin/azgs/dataset/geologyMap/HuachucaMountainNv1.1/NCGMP09"

    decision = _decide(abstract, _dataset(), accept="application/x-msaccess")

    assert _seen(decision) == (302, f"/{abstract}.mdb")
    assert isinstance(decision, SeeRepresentation)
    assert [each.part for each in decision.offered] == ["NCGMP09.shp.zip", "NCGMP09.mdb"]


def test_an_abstract_document_sends_only_its_own_forms() -> None:
    abstract = "uri-gin/azgs/dataset/geologyMap/HuachucaMountainNv1.1/NCGMP09"

    assert isinstance(_decide(abstract, _dataset(), accept="text/plain"), NotAcceptable)


@pytest.mark.parametrize(
    "rest", ["NCGMP09.shp", "NCGMP09/", "NCGMP", "readme.txt/", "", "ncgmp09", "NCGMP09."]
)
def test_only_the_stem_before_the_first_dot_is_a_document(rest: str) -> None:
    name = f"uri-gin/azgs/dataset/geologyMap/HuachucaMountainNv1.1{rest and '/'}{rest}"

    assert isinstance(_decide(name, _dataset()), NotRegistered)


def test_a_record_wins_over_the_abstract_document_of_its_name() -> None:
    own = resource(IMAGE, representations=[representation(TIFF, location="https://a.b/own")])
    holder = resource(representations=[representation(PDF, part="mapImageFile.pdf")])

    assert _seen(_decide(IMAGE, own, holder)) == (302, "https://a.b/own")


def test_a_part_without_a_dot_and_its_forms_are_one_document() -> None:
    # "Map": hardCopy identifies the canonical hard copy, hardCopy.bw100K the one in black and white.
    canonical = representation(part="hardCopy", roles=frozenset({Role.CANONICAL}), location="https://a.b/h")
    record = resource(representations=[representation(part="hardCopy.bw100K"), canonical])

    assert _seen(_decide(f"{MAP}hardCopy", record)) == (302, "https://a.b/h")


# -- a representation


def test_a_representation_elsewhere_gets_a_redirect() -> None:
    record = resource(
        representations=[representation(PDF, part="mapImageFile.pdf", location="https://a.b/c")]
    )

    decision = _decide(f"{IMAGE}.pdf", record)

    assert _seen(decision) == (302, "https://a.b/c")
    assert isinstance(decision, SeeRepresentation)
    assert decision.offered == ()


def test_a_representation_elsewhere_has_its_own_redirect_status() -> None:
    moved = representation(PDF, part="mapImageFile.pdf", location="https://a.b/c", status_code=307)

    assert _seen(_decide(f"{IMAGE}.pdf", resource(representations=[moved]))) == (307, "https://a.b/c")


def test_a_stored_representation_is_sent_for_any_accept_header() -> None:
    pdf = representation(PDF, part="mapImageFile.pdf", file=stored())
    record = resource(representations=[pdf])

    decision = _decide(f"{IMAGE}.pdf", record, accept="text/html")

    assert decision == Give(find(f"{IMAGE}.pdf", record), record, pdf, f"/{IMAGE}.pdf")


def test_a_part_may_follow_a_document_after_a_dot() -> None:
    record = resource(
        "uri-gin/azgs/doc/x", representations=[representation(part=".shp.zip", location="https://a.b/c")]
    )

    assert _seen(_decide("uri-gin/azgs/doc/x.shp.zip", record)) == (302, "https://a.b/c")


def test_the_longest_stem_that_has_the_part_wins() -> None:
    shorter = resource("uri-gin/azgs/doc/x", representations=[representation(part=".shp.zip")])
    longer = resource(
        "uri-gin/azgs/doc/x.shp", representations=[representation(part=".zip", location="https://a.b/c")]
    )

    assert _seen(_decide("uri-gin/azgs/doc/x.shp.zip", shorter, longer)) == (302, "https://a.b/c")


def test_a_resource_with_a_dot_is_of_its_registered_kind() -> None:
    # "Things real data does": …/activefault/1.2 may be a resource
    forms = [representation(PDF, part=".pdf"), representation("text/html", part=".html")]
    record = resource("uri-gin/aasg/activefault/1.2", kind=Kind.THING, representations=forms)

    decision = _decide("uri-gin/aasg/activefault/1.2", record, accept="text/html")

    assert _seen(decision) == (303, "/uri-gin/aasg/activefault/1.2.html")


def test_a_thing_may_be_registered_as_a_document() -> None:
    record = resource(kind=Kind.DOCUMENT, representations=[representation(PDF, file=stored())])

    assert isinstance(_decide(MAP, record), Give)


@pytest.mark.parametrize(
    "location",
    [
        "javascript:alert(1)",
        "ftp://a.b/c",
        "//a.b/c",
        "/etc/passwd",
        "https://a.b/c\r\nSet-Cookie: a=b",
        "https:///x",
    ],
)
@pytest.mark.parametrize("identifier", [None, "uri-gin/usgin/dlio/331"])
def test_locations_with_other_schemes_than_http_are_never_redirected_to(
    location: str, identifier: str | None
) -> None:
    form = representation(PDF, location=location, identifier=identifier)

    decision = _decide("uri-gin/azgs/doc/report", resource("uri-gin/azgs/doc/report", representations=[form]))

    if isinstance(decision, SeeRepresentation):
        assert decision.address == f"/{identifier}"
    else:
        assert isinstance(decision, SeeDescription)


# -- roles of a resource type


def test_a_type_sets_the_default_media_type() -> None:
    forms = [representation(PDF, part="mapImageFile.pdf"), representation(TIFF, part="mapImageFile.tif")]

    decision = _decide(IMAGE, resource(representations=forms), _type(default_media_type=TIFF))

    assert _seen(decision) == (302, f"/{IMAGE}.tif")


# -- anything else


def test_an_unregistered_identifier_comes_with_nearest_ancestor_and_authority() -> None:
    type_ = _type()

    decision = _decide(MAP, AZGS, type_)

    assert isinstance(decision, NotRegistered)
    assert (decision.found.nearest_ancestor, decision.found.authority) == (type_, AZGS)


def test_x_and_x_slash_and_x_dot_ext_are_three_identifiers() -> None:
    record = resource("uri-gin/azgs/doc/x", representations=[representation(PDF)])

    assert isinstance(_decide("uri-gin/azgs/doc/x", record), SeeRepresentation)
    assert isinstance(_decide("uri-gin/azgs/doc/x/", record), NotRegistered)
    assert isinstance(_decide("uri-gin/azgs/doc/x.pdf", record), NotRegistered)


def test_a_name_does_not_inherit_its_parents_forms() -> None:
    record = resource(representations=[representation(PDF)])

    assert isinstance(_decide(f"{MAP}anything", record), NotRegistered)
    assert isinstance(_decide(f"{MAP}anything.pdf", record), NotRegistered)


def test_a_retired_part_leaves_a_tombstone() -> None:
    record = resource(retired_parts={"image.pdf"})

    assert isinstance(_ask(find(f"{MAP}image.pdf", record)), Retired)
    assert isinstance(_ask(find(f"{MAP}image.tif", record)), NotRegistered)
