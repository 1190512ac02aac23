"""Mappings proposed for tables as people make them, in several languages, with the questions that remain."""

from __future__ import annotations

import pytest

from ginuri.files.guesses.candidates import Doubt, MappingProposal
from ginuri.files.guesses.mapping import propose_mapping
from ginuri.files.mapping.columns import ColumnMapping, read_columns, write_map
from ginuri.files.tables.language_columns import language_field

FOLDER = "uri-gin/azgs/"


def _propose(heading: str, *rows: str) -> MappingProposal:
    return propose_mapping(heading.split(";"), [row.split(";") for row in rows], FOLDER)


@pytest.mark.parametrize(
    ("heading", "rows", "sources"),
    [
        (
            "Well ID;Name;Latitude;Longitude;DOI;Depth",
            ["17;Well 17;31.5;-110.3;10.5066/P9ABC;10", "18;Well 18;31.6;-110.2;doi:10.5066/P9ABD;"],
            {
                "identifier": "uri-gin/azgs/{Well ID}",
                "title": "Name",
                "spatial": "POINT({Longitude} {Latitude})",
                "location": "https://doi.org/{DOI}",
            },
        ),
        (
            "Kennung;Bezeichnung;Beschreibung;Breite;Länge;Ort;Verweis;Sprache;Dateityp",
            [
                "uri-gin/azgs/a;Brunnen 1;Tief;48,1;11,5;München;https://example.de/1;de;PDF",
                "uri-gin/azgs/b;Brunnen 2;Tief;48,2;11,6;Freising;https://example.de/2;Deutsch;PDF",
            ],
            {
                "identifier": "Kennung",
                "title": "Bezeichnung",
                "description": "Beschreibung",
                "spatial": "POINT({Länge} {Breite})",
                "location": "Verweis",
                "language": "Sprache",
                "media_type": "Dateityp",
            },
        ),
        (
            "identifiant;titre;titre (en);statut;lien",
            ["uri-gin/azgs/a;A;A en;valide;https://a.fr/x", "uri-gin/azgs/b;B;B;retiré;https://a.fr/y"],
            {
                "identifier": "identifiant",
                "title": "titre",
                "title@en": "titre (en)",
                "status": "statut",
                "location": "lien",
            },
        ),
        (
            "Identificador;Título;Descrição;Endereço",
            ["uri-gin/azgs/a;A;B;https://a.pt/x"],
            {
                "identifier": "Identificador",
                "title": "Título",
                "description": "Descrição",
                "location": "Endereço",
            },
        ),
        (
            "Identificativo;Titolo;Descrizione;Collegamento",
            ["uri-gin/azgs/a;A;B;https://a.it/x"],
            {
                "identifier": "Identificativo",
                "title": "Titolo",
                "description": "Descrizione",
                "location": "Collegamento",
            },
        ),
        (
            "Path;Title;Shape",
            ["map/M1;A;POINT (1 2)", "map/M2;B;POINT (1 3)"],
            {"identifier": "uri-gin/azgs/{+Path}", "spatial": "Shape"},
        ),
        (
            "id;uri;title",
            ["1;http://resources.usgin.org/uri-gin/azgs/x;A", "2;//x/uri-gin/azgs/y;B"],
            {"identifier": "uri"},
        ),
        ("identifier;title;location", ["uri-gin/azgs/x;A;https://a.org/"], {}),
        (
            "identifier;Breite;Länge",
            ["uri-gin/azgs/x;34°12'30\"N;110°45'W", "uri-gin/azgs/y;34°72'N;110 45 30"],
            {"spatial": "POINT({Länge} {Breite})"},
        ),
        (
            "identifier;A;B",
            ["uri-gin/azgs/x;W110°45';N34°12'", "uri-gin/azgs/y;W110°46';N34°13'"],
            {"spatial": "POINT({A} {B})"},
        ),
        (
            "identifier;Coordinates",
            ["uri-gin/azgs/x;34°12'30\"N 110°45'W", "uri-gin/azgs/y;34.5 N, 110.5 W"],
            {"spatial": "POINT({Coordinates})"},
        ),
        ("identifier;spatial", ["uri-gin/azgs/x;34°12'N 110°45'W"], {"spatial": "POINT({spatial})"}),
        ("identifier;Coordinates", ["uri-gin/azgs/x;-110.5 31.5"], {"spatial": "Coordinates"}),
        ("identifier;lat;lon", ["uri-gin/azgs/x;110°45'W;34°12'N"], {"spatial": "POINT({lat} {lon})"}),
        ("identifier;Township;Range;Section", ["uri-gin/azgs/x;12N;3E;12N 3E"], {}),
        (
            "OBJECTID;API_NO;WellName",
            ["1;02-001;A", "2;02-002;B"],
            {"identifier": "uri-gin/azgs/{API_NO}", "title": "WellName"},
        ),
        ("eprintid;title", ["7;A", "9;B"], {"identifier": "uri-gin/azgs/{eprintid}"}),
        (
            "dc:identifier;dc.title[en_US];collection;references",
            ["uri-gin/azgs/x;A;123456789/2;https://a.org/x", "uri-gin/azgs/y;B;123456789/2;https://a.org/y"],
            {"identifier": "dc:identifier", "title@en-US": "dc.title[en_US]", "location": "references"},
        ),
        (
            "Kennung;Verweis",
            ["uri-gin/azgs/x;https://a.org/", "uri-gin/azgs/y;NA", "Summe;"],
            {"identifier": "Kennung", "location": "Verweis"},
        ),
        (
            "PID;Name;Depth;Lat;Lon",
            ["[-];[-];[m];[deg];[deg]", "uri-gin/azgs/x;Brunn 1;1;32.1;-110", "uri-gin/azgs/y;B;2;32.2;-111"],
            {"identifier": "PID", "title": "Name", "spatial": "POINT({Lon} {Lat})"},
        ),
        (
            "PID;Name",
            ["uri-gin/azgs/x;A", "* preliminary;", "Source: AZGS;"],
            {"identifier": "PID", "title": "Name"},
        ),
        (
            "URI;Label;Definition;Page;Author",
            ["uri-gin/azgs/x;A;A well;https://a.org/1;https://orcid.org/0000-0002-1825-0097"],
            {"properties.Definition": "Definition", "location": "Page"},
        ),
        (
            "识别码;Namn;Описание;Широта;Boylam;リンク",
            ["uri-gin/azgs/x;A;B;55,1;37,1;https://a.org/1"],
            {
                "identifier": "识别码",
                "title": "Namn",
                "description": "Описание",
                "location": "リンク",
                "spatial": "POINT({Boylam} {Широта})",
            },
        ),
        ("URI;Nombre;Título", ["uri-gin/azgs/x;J;A"], {"title": "Título"}),
        ("URI;Author Name;Report Title", ["uri-gin/azgs/x;J;A"], {"title": "Report Title"}),
        ("Column;identifier", ["Name;title"], {}),
        ("URI;Author Name", ["uri-gin/azgs/x;J"], {}),
        (
            "Kenmerk;Opis;Ad;Enllaç",
            ["uri-gin/azgs/x;B;A;https://a.org/1"],
            {"identifier": "Kenmerk", "description": "Opis", "title": "Ad", "location": "Enllaç"},
        ),
        (
            "ID;Report",
            ["uri-gin/azgs/x;https://a.org/1", "uri-gin/azgs/y;htp://a.org/2"],
            {"location": "Report"},
        ),
    ],
)
def test_the_mapping_of_a_table_is_proposed(heading: str, rows: list[str], sources: dict[str, str]) -> None:
    proposal = _propose(heading, *rows)

    assert proposal.sources() == sources
    assert isinstance(read_columns(write_map(proposal.sources())), ColumnMapping)


@pytest.mark.parametrize(
    ("heading", "rows", "doubt", "candidates"),
    [
        ("Nr.;Titel", ["1;A", "2;B"], Doubt.NUMBERS, ["uri-gin/azgs/{Nr.}"]),
        ("Code;Titel", ["A-1;A", "A-2;B"], Doubt.IDENTIFIER, ["uri-gin/azgs/{Code}"]),
        ("PDF;Web", ["https://a.org/1;https://b.org/1"], Doubt.MEANING, ["PDF", "Web"]),
        ("lat;lon", ["-110.2;31.1"], Doubt.PLACE, ["POINT({lat} {lon})"]),
        ("Este;Norte", ["500123;3500123"], Doubt.PLACE, []),
        ("x;y", ["-110.1;31.5"], Doubt.PLACE, ["POINT({x} {y})"]),
        ("A;B", ["uri-gin/azgs/a;uri-gin/azgs/b"], Doubt.IDENTIFIER, ["A", "B"]),
        ("Breite;Länge", ["48°12'N;16°22'O"], Doubt.PLACE, []),
        ("lat;lon", ["3500123;500123"], Doubt.PLACE, []),
        ("Coordinate", ["45.1, 9.2"], Doubt.PLACE, []),
        ("Coordinates", ["34°12'30\" 110°45'"], Doubt.PLACE, []),
        ("location", ["Tucson"], Doubt.MEANING, ["location", "location"]),
        ("status", ["plugged"], Doubt.MEANING, ["status", "status"]),
    ],
)
def test_a_doubt_is_a_question(heading: str, rows: list[str], doubt: Doubt, candidates: list[str]) -> None:
    [question] = _propose(heading, *rows).questions

    assert question.doubt is doubt
    assert [each.source for each in question.candidates] == candidates


def test_a_column_named_like_a_field_with_other_values_becomes_a_property() -> None:
    proposal = _propose("identifier;title;location", "uri-gin/azgs/x;A;Tucson")

    assert proposal.sources() == {"properties.location": "location"}


def test_a_column_named_like_a_field_keeps_it_if_most_values_fit() -> None:
    rows = [f"uri-gin/azgs/{status};{status}" for status in ("active", "retired", "abandoned")]

    assert _propose("identifier;Status", *rows).sources() == {}


def test_columns_without_a_field_are_listed() -> None:
    assert _propose("identifier;Depth;", "uri-gin/azgs/x;10;").unused == ["Depth"]


def test_an_empty_table_is_proposed_by_its_heading() -> None:
    assert _propose("Titel;Beschreibung").sources() == {"title": "Titel", "description": "Beschreibung"}


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("title_es", "title@es"),
        ("Title (ES)", "title@es"),
        ("title [id]", "title@id"),
        ("description-pt-BR", "description@pt-BR"),
        ("label_de", "title@de"),
        ("title_id", None),
        ("title_no", None),
        ("location_es", None),
        ("titles", None),
        ("title_xx", None),
    ],
)
def test_a_heading_names_a_field_and_a_language(heading: str, field: str | None) -> None:
    assert language_field(heading) == field
