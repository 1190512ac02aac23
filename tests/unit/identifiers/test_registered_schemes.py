"""Names of schemes that end in a colon and have no grammar of their own, such as `doi:10.1000/182`."""

from __future__ import annotations

import pytest

from ginuri import Kind, MalformedIdentifier, UnknownScheme, parse
from ginuri.identifiers import read_without_host
from ginuri.identifiers.roots import folder_to_prefix, prefix_to_folder
from ginuri.identifiers.stewards import folder_of

SWH = "94a9ed024d3859793618152ea559a168bbcbb5e2"


@pytest.mark.parametrize(
    ("text", "normal_form", "segments"),
    [
        ("doi:10.1000/182", "doi:10.1000/182", ("10.1000", "182")),
        ("/DOI:10.1000/ABC", "doi:10.1000/ABC", ("10.1000", "ABC")),
        ("doi:10.1/a%2Db%3c1", "doi:10.1/a-b%3C1", ("10.1", "a-b%3C1")),
        ("doi:10.1000//x", "doi:10.1000//x", ("10.1000", "", "x")),
        ("orcid:0000-0002-1825-0097", "orcid:0000-0002-1825-0097", ("0000-0002-1825-0097",)),
        ("hdl:2027/mdp.39015", "hdl:2027/mdp.39015", ("2027", "mdp.39015")),
        (f"swh:1:cnt:{SWH}", f"swh:1:cnt:{SWH}", (f"1:cnt:{SWH}",)),
        ("chembl.target:CHEMBL1", "chembl.target:CHEMBL1", ("CHEMBL1",)),
        ("doi:", "doi:", ()),
    ],
)
def test_a_name_of_a_registered_scheme_is_read(
    text: str, normal_form: str, segments: tuple[str, ...]
) -> None:
    identifier = parse(text)

    assert (identifier.normal_form, identifier.segments) == (normal_form, segments)
    assert (identifier.kind, identifier.is_namespaced) == (Kind.THING, True)
    assert parse(normal_form).is_normal


@pytest.mark.parametrize(
    ("text", "rule", "position"),
    [
        ("doi:10.1000/a<b", "pchar", 13),
        ("doi:10.1000/a%4", "pct-encoded", 13),
        ("doi:10.1000/../x", "dot-segment", 12),
        ("doi:10.1000/x#y", "fragment", 13),
        ("doi:10.1000/x?y", "query", 13),
        (f"doi:{'x' * 1021}", "length", 0),
    ],
)
def test_a_malformed_name_of_a_registered_scheme_is_refused(text: str, rule: str, position: int) -> None:
    with pytest.raises(MalformedIdentifier) as refused:
        parse(text)

    assert (refused.value.rule, refused.value.position) == (rule, position)


@pytest.mark.parametrize(
    "text",
    [
        "mailto:maps@azgs.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "c:/maps/DGM37.pdf",
        "localhost:8000/uri-gin/azgs/",
        "resources.example.org:8080/doi:10.1000/182",
        "10.1000/182",
        "Total: 2",
    ],
)
def test_addresses_hosts_with_a_port_and_words_are_no_schemes(text: str) -> None:
    with pytest.raises(UnknownScheme):
        parse(text)


@pytest.mark.parametrize(
    ("uri", "bound", "named"),
    [
        ("http://id.example/doi:10.1000/182", "//id.example/doi:10.1000/182", "doi:10.1000/182"),
        ("http://id.example/DOI:10.1000/A", "//id.example/DOI:10.1000/A", "doi:10.1000/A"),
        ("http://id.example/10.1000/182", "//id.example/10.1000/182", None),
        ("http://id.example/x/doi:10.1000/182", "//id.example/x/doi:10.1000/182", None),
        ("http://id.example/http:/x", "//id.example/http:/x", None),
    ],
)
def test_a_path_on_a_host_may_be_a_name_of_a_scheme(uri: str, bound: str, named: str | None) -> None:
    identifier = parse(uri)
    other = read_without_host(identifier)

    assert identifier.normal_form == bound
    assert (other.normal_form if other else None) == named


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("doi:10.5066/P9", "doi:10.5066/"),
        ("hdl:2027/mdp.39015", "hdl:2027/"),
        ("http://id.example:8080/doc/1", "id.example:8080/doc/"),
        ("orcid:0000-0002-1825-0097", "_host/"),
    ],
)
def test_a_namespace_of_a_registered_scheme_has_a_folder(name: str, folder: str) -> None:
    prefix = folder_to_prefix(folder)

    assert prefix_to_folder(prefix) == folder
    assert prefix_to_folder(folder_of(parse(name))) == folder
