"""The neighbours of an identifier: ancestors, stems, and the parts that only a registry can tell apart."""

from __future__ import annotations

import pytest

from ginuri import parse
from ginuri.identifiers.grammars.gin import Division, divide

# The types of the source's examples "Map", "Dataset" and "Document".
TYPES = {
    "uri-gin/azgs/doc/",
    "uri-gin/azgs/doc/map/",
    "uri-gin/azgs/dataset/",
    "uri-gin/azgs/dataset/geologyMap/",
    "uri-gin/azgs/dataset/geologyMap/geoPoly/",
    "uri-gin/usgin/doc/",
}


# "Given a USGIN URI, it is possible to guess identifiers for related resources": the source's own list.
def test_the_ancestors_of_a_map_are_those_the_source_deduces() -> None:
    identifier = parse("http://resources.usgin.org/uri-gin/azgs/document/map/DGM37-HuachucaMountainN/")

    assert identifier.ancestors == (
        "uri-gin/",
        "uri-gin/azgs/",
        "uri-gin/azgs/document/",
        "uri-gin/azgs/document/map/",
    )


@pytest.mark.parametrize(
    ("text", "ancestors"),
    [
        ("uri-gin/", ()),
        ("uri-gin", ()),
        ("uri-gin/azgs/", ("uri-gin/",)),
        ("uri-gin/azgs", ("uri-gin/",)),
        ("uri-gin/azgs/x", ("uri-gin/", "uri-gin/azgs/")),
        ("uri-gin/azgs/x/", ("uri-gin/", "uri-gin/azgs/")),
        ("uri-gin/azgs/x.pdf", ("uri-gin/", "uri-gin/azgs/")),
        ("uri-gin/azgs/a%2Fb/", ("uri-gin/", "uri-gin/azgs/")),
    ],
)
def test_every_prefix_with_a_slash_except_itself_is_an_ancestor(
    text: str, ancestors: tuple[str, ...]
) -> None:
    assert parse(text).ancestors == ancestors


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("uri-gin/azgs/doc/x.pdf", ("uri-gin/azgs/doc/x",)),
        ("uri-gin/azgs/doc/x.shp.zip", ("uri-gin/azgs/doc/x.shp", "uri-gin/azgs/doc/x")),
        ("uri-gin/azgs/doc/x", ()),
        ("uri-gin/azgs/doc/x.pdf/", ()),  # a name that ends in a slash is not a part
        ("uri-gin/azgs.mapping/doc/x", ()),
        ("uri-gin/azgs/doc/.htaccess", ()),
        ("uri-gin/azgs/doc/x%2Epdf", ("uri-gin/azgs/doc/x",)),
    ],
)
def test_a_name_with_a_dot_may_be_a_part_of_its_stem(text: str, stems: tuple[str, ...]) -> None:
    assert parse(text).stems == stems


def test_only_the_last_of_many_dots_are_tried() -> None:
    stems = parse("uri-gin/azgs/doc/1.2.3.4.5.6.7.8.9.10.pdf").stems

    assert stems[0] == "uri-gin/azgs/doc/1.2.3.4.5.6.7.8.9.10"
    assert len(stems) == 8


@pytest.mark.parametrize(
    ("text", "division"),
    [
        # "Map": …/azgs/doc/map/DGM37-HuachucaMountainNv1.1/mapImageFile.pdf
        (
            "uri-gin/azgs/doc/map/DGM37/mapImageFile.pdf",
            Division(("doc", "map"), "DGM37", "mapImageFile.pdf"),
        ),
        ("uri-gin/azgs/doc/map/DGM37/", Division(("doc", "map"), "DGM37", None)),
        ("uri-gin/azgs/doc/map/DGM37", Division(("doc", "map"), "DGM37", None)),
        ("uri-gin/azgs/doc/map/", Division(("doc", "map"), None, None)),
        # "Dataset": the longest registered type wins
        (
            "uri-gin/azgs/dataset/geologyMap/geoPoly/HuachucaMountainNv1.1/",
            Division(("dataset", "geologyMap", "geoPoly"), "HuachucaMountainNv1.1", None),
        ),
        (
            "uri-gin/azgs/dataset/geologyMap/HuachucaMountainNv1.1/NCGMP09.shp.zip",
            Division(("dataset", "geologyMap"), "HuachucaMountainNv1.1", "NCGMP09.shp.zip"),
        ),
        # "Document": nothing but a resource-specific string
        (
            "uri-gin/usgin/doc/USGIN_ISO_metadata1_1.pdf",
            Division(("doc",), "USGIN_ISO_metadata1_1.pdf", None),
        ),
        # no type registered: the first segment counts as the type
        (
            "uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
            Division(("person",), "steveRichard/cv", "cv20100110.doc"),
        ),
        ("uri-gin/azgs/", Division((), None, None)),
        ("uri-gin/", Division((), None, None)),
    ],
)
def test_the_register_of_types_decides_where_the_resource_path_ends(text: str, division: Division) -> None:
    assert divide(parse(text), TYPES) == division
