"""Current values are written as lines that restate them when they are read again."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.export import write_lines
from ginuri.files.json_lines import read_json_lines
from ginuri.registration.rows import Registration, combine
from ginuri.registry.record.record import Record, apply
from tests.builders import forms_of, stamp

NAME, FOLDER = "uri-gin/azgs/old/", "uri-gin/azgs/"

_words = st.sampled_from(["one", 'two "\\\n\u00e9', "three  \U0001f5fa"])
_texts = (
    _words
    | st.dictionaries(st.sampled_from(["", "de", "en", "pt-BR"]), _words | st.none(), min_size=1)
    | st.none()
)
_uris = st.sampled_from(["https://a.example/1", "https://a.example/%20", None])
_names = st.sampled_from(["uri-gin/azgs/doc/b", "uri-gin/azgs/c/", "http://resources.usgin.org/"]) | st.none()
_media_types = st.sampled_from(["text/html", "application/ld+json; profile=x"])
_properties = st.dictionaries(
    st.sampled_from(["first", "county", "subject"]), _words | st.lists(_words), min_size=1
)
_common = {"title": _texts, "description": _texts, "properties": _properties | st.none()}
_life = {
    "status": st.sampled_from(["valid", "reserved", "superseded", "retired", None]),
    "successor": _names,
    "reason": _words,
}
_form = st.fixed_dictionaries(
    {},
    optional={
        "part": st.sampled_from(["a.pdf", "b.shp.zip", "c"]),
        "media_type": _media_types,
        "language": st.sampled_from(["en", "pt-BR"]),
        "profile": st.just("https://a.example/profile"),
        "valid_from": st.sampled_from(["1991-02-01", "prospective"]),
        "identifier": _names.filter(bool),
        "quality": st.sampled_from([0, 0.333, 1, None]),
        "role": st.sampled_from([["canonical"], ["canonical", "default"], None]),
        "location": _uris,
        "status_code": st.sampled_from([301, 307, None]),
        "title": _texts,
        "status": st.sampled_from(["valid", "retired"]),
    },
)
_links = st.lists(
    st.fixed_dictionaries(
        {"rel": st.sampled_from(["up", "first"]), "href": _uris},
        optional={"type": st.just("text/html") | st.none(), "title": _words, "hreflang": st.just("en")},
    ),
    max_size=3,
)
_resource = {
    **_common,
    **_life,
    "kind": st.sampled_from(["thing", "document", None]),
    "part_of": _names,
    "dereference": st.sampled_from(["content", None]),
    "links": _links | st.none(),
    "representations": st.lists(_form, max_size=4) | st.none(),
    "location": _uris,
}
_type = {
    **_common,
    **_life,
    "broader": _names,
    "definition": _words,
    "canonical_media_type": _media_types,
    "valid_media_types": st.lists(_media_types, min_size=1) | st.none(),
    "pattern": st.sampled_from(["{id:digits}", None]),
    "syntax": st.sampled_from(["strict", None]),
    "services": st.lists(
        st.fixed_dictionaries(
            {"href": st.just("https://a.example/")}, optional={"type": _media_types, "title": _words}
        )
    ),
}
_rule = {
    **_common,
    **_life,
    "pattern": st.sampled_from(["{id}", "{county}/HP_{id}/"]),
    "location": st.sampled_from(["https://a.example/{+rest}", None]),
    "status_code": st.sampled_from([303, 404, 410, None]),
    "pass_query": st.booleans() | st.none(),
}
_delegation = {
    **_common,
    "answered_by": st.sampled_from(["cores.example.org", None]),
    "to": st.sampled_from(["uri-gin/azgs/", None]),
    "valid_from": st.sampled_from(["2020-01-01", "2120-01-01", None]),
}


def _lines(
    record: str | None, fields: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    named = {"identifier": NAME} | ({"record": record} if record else {})
    return st.fixed_dictionaries({}, optional=fields).map(lambda given: named | given)


SAYINGS = st.lists(st.one_of(_lines("rule", _rule), _lines("delegation", _delegation)), max_size=4).flatmap(
    lambda prefixes: (
        st.lists(_lines(None, _resource) | _lines("resource", _resource), max_size=3).map(
            lambda own: own + prefixes
        )
        | st.lists(_lines("resource-type", _type), max_size=3).map(lambda own: own + prefixes)
    )
)


def _stated(record: Record, second: int, lines: list[str]) -> Record:
    """Apply the statements of lines as one registration; refused lines are left out."""
    for piece in combine(read_json_lines([line.encode() for line in lines])):
        if isinstance(piece, Registration):
            record = apply(record, piece.statements, stamp(second)).after
    return record


@given(SAYINGS)
def test_written_registrations_read_back_restore_the_current_values(sayings: list[dict[str, Any]]) -> None:
    record = Record(NAME, {})
    for second, said in enumerate(sayings):
        record = _stated(record, second, [json.dumps(said)])

    written = list(write_lines(NAME, record.values(), FOLDER))
    again = _stated(Record(NAME, {}), 0, written)

    assert again.values() == record.values()
    assert list(forms_of(again)) == list(forms_of(record))
    assert list(write_lines(NAME, again.values(), FOLDER)) == written
