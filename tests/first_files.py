"""First files, over forty, as people in several countries and their tools make them, and their results."""

from __future__ import annotations

import codecs
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openpyxl import Workbook

from tests.spreadsheets import open_document, saved, workbook, written

FOLDER = "uri-gin/azgs/"
WELL = f"{FOLDER}well/"


@dataclass(frozen=True)
class FirstFile:
    """A file without options, and its rows after one confirmation."""

    name: str
    body: bytes
    registered: Sequence[str]
    """The last segments of the identifiers that are registered, with corrections."""
    refused: int = 0
    """The number of rows that nobody but the author can correct."""
    stated: Mapping[str, str] | None = None
    """What only a person can state, and is asked for."""
    fields: Sequence[str] = ("title",)
    """The fields that the columns of a table give beside the identifier."""


def _lines(*rows: str, end: str = "\r\n", encoding: str = "utf-8") -> bytes:
    return "".join(f"{row}{end}" for row in rows).encode(encoding)


def _wells(separator: str = ",", *, link: str = "https://example.org/{}") -> list[str]:
    return [separator.join((f"{WELL}{number}", f"Well {number}", link.format(number))) for number in "123"]


def _sheet(*heading: str) -> list[list[Any]]:
    return [list(heading), *([f"{WELL}{n}", f"Well {n}", f"https://example.org/{n}"] for n in (1, 2, 3))]


def _feature(number: int, **properties: str) -> dict[str, Any]:
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [-110.9 - number / 100, 32.2]},
        "properties": {"id": f"{WELL}{number}", "name": f"Well {number}", **properties},
    }


def _linked() -> bytes:
    book = Workbook()
    book.worksheets[0].append(["PID", "Name"])
    for number in (1, 2, 3):
        book.worksheets[0].append([f"{WELL}{number}", f"Well {number}"])
        book.worksheets[0].cell(number + 1, 2).hyperlink = f"https://example.org/{number}"
    return saved(book)


ALL = ["1", "2", "3"]
LED = ("title", "location")
_OBJECTS = [
    {"identifier": f"{WELL}{n}", "title": f"Well {n}", "location": f"https://example.org/{n}"} for n in ALL
]

FILES: Sequence[FirstFile] = (
    # Names of columns, by country
    FirstFile("united-states.csv", _lines("Persistent ID,Name,URL", *_wells()), ALL, fields=LED),
    FirstFile("england.csv", _lines("PURL,Title,Landing page", *_wells()), ALL, fields=LED),
    FirstFile(
        "germany.csv", _lines("Kennung;Titel;Verweis", *_wells(";"), "", encoding="cp1252"), ALL, fields=LED
    ),
    FirstFile(
        "austria.csv",
        _lines("Bezeichner;Name;Link", f"{WELL}1;Grüne Bohrung;https://example.org/1", encoding="cp1252"),
        ["1"],
    ),
    FirstFile(
        "france.csv", codecs.BOM_UTF8 + _lines("Identifiant;Titre;Lien", *_wells(";")), ALL, fields=LED
    ),
    FirstFile("canada.csv", _lines("Identifiant pérenne,Nom,Adresse web", *_wells()), ALL, fields=LED),
    FirstFile("spain.csv", _lines("Identificador;Título;Enlace", *_wells(";")), ALL, fields=LED),
    FirstFile(
        "mexico.csv", _lines("Identificador persistente,Nombre,Dirección web", *_wells()), ALL, fields=LED
    ),
    FirstFile("portugal.csv", _lines("Identificador;Título;Ligação", *_wells(";")), ALL, fields=LED),
    FirstFile("brazil.csv", _lines("Identificador,Nome,Endereço", *_wells()), ALL, fields=LED),
    FirstFile("italy.csv", _lines("Identificativo;Titolo;Collegamento", *_wells(";")), ALL, fields=LED),
    # Tools
    FirstFile("excel.xlsx", written(_sheet("Persistent ID", "Name", "Link")), ALL, fields=LED),
    FirstFile(
        "excel-with-titles.xlsx",
        written([["Arizona Geological Survey"], [], *_sheet("Persistent ID", "Name", "Link")]),
        ALL,
    ),
    FirstFile(
        "excel-behind-a-note.xlsx",
        workbook({"Read me": [["Wells of 2011"]], "Wells": _sheet("identifier", "title", "location")}),
        ALL,
    ),
    FirstFile("libreoffice.ods", open_document({"Wells": _sheet("PID", "Title", "URL")}), ALL, fields=LED),
    FirstFile(
        "excel-unicode-text.tsv",
        codecs.BOM_UTF16_LE + _lines("PID\tTitle\tURL", *_wells("\t"), encoding="utf-16-le"),
        ALL,
    ),
    FirstFile(
        "r.csv",
        _lines(
            '"","identifier","title","location"',
            *(f'"{n}","{WELL}{n}","Well {n}","https://example.org/{n}"' for n in ALL),
            end="\n",
        ),
        ALL,
    ),
    FirstFile(
        "pandas.csv",
        _lines(
            "Unnamed: 0,pid,name,url",
            *(f"{int(n) - 1},{WELL}{n},Well {n},https://example.org/{n}" for n in ALL),
            end="\n",
        ),
        ALL,
    ),
    FirstFile(
        "postgres.csv",
        _lines("id,title,url,updated_at", *(f"{row},2024-05-01 10:00:00+00" for row in _wells()), end="\n"),
        ALL,
    ),
    FirstFile("macintosh.csv", _lines("identifier,title,location", *_wells(), end="\r"), ALL),
    FirstFile("separated-by-bars.csv", _lines("sep=|", "identifier|title|location", *_wells("|")), ALL),
    FirstFile("packed.csv.gz", gzip.compress(_lines("identifier,title,location", *_wells()), mtime=0), ALL),
    FirstFile("lines.jsonl", _lines(*map(json.dumps, _OBJECTS), end="\n"), ALL),
    FirstFile("array.json", json.dumps(_OBJECTS, indent=1).encode(), ALL),
    FirstFile(
        "qgis.geojson",
        json.dumps({"type": "FeatureCollection", "features": [_feature(n) for n in (1, 2, 3)]}).encode(),
        ALL,
    ),
    FirstFile(
        "qgis.csv",
        _lines("WKT,identifier,title", *(f'"POINT (-110.{n} 32.2)",{WELL}{n},Well {n}' for n in ALL)),
        ALL,
        fields=("title", "spatial"),
    ),
    FirstFile(
        "pandas-with-missing-values.csv",
        _lines(
            ",identifier,title,location",
            f"0,{WELL}1,Well 1,https://example.org/1",
            f"1,{WELL}2,nan,NaN",
            f"2,{WELL}3,Well 3,nan",
            end="\n",
        ),
        ALL,
        fields=LED,
    ),
    FirstFile(
        "mysql.csv",
        _lines('"id","title","url"', *(f'"{WELL}{n}","Well {n}","\\N"' for n in ALL), end="\n"),
        ALL,
        fields=LED,
    ),
    FirstFile(
        "dspace.csv",
        _lines(
            "id,collection,dc.title[en_US],dc.title[es],dc.contributor.author,dc.identifier.uri,dc.relation.uri",
            *(
                f'{n}-4000,123456789/2,Well {n},Pozo {n},"Doe, Jane||Roe",'
                f"http://resources.usgin.org/{WELL}{n},https://example.org/{n}"
                for n in ALL
            ),
        ),
        ALL,
        fields=("title@en-US", "title@es", "location"),
    ),
    FirstFile(
        "darwin-core.tsv",
        _lines(
            "occurrenceID\tbasisOfRecord\tscientificName\tdecimalLatitude\tdecimalLongitude\treferences",
            *(
                f"{WELL}{n}\tFossilSpecimen\tElrathia kingii\t32.{n}\t-110.{n}\thttps://example.org/{n}"
                for n in ALL
            ),
        ),
        ALL,
        fields=("title", "spatial", "location"),
    ),
    FirstFile(
        "sample-names.csv",
        _lines(
            "Object Type:,Individual Sample,,,",
            "Sample Name,IGSN,Latitude,Longitude,Elevation",
            *(f"AZ-{n},{n},32.{n},-110.{n},1200" for n in ("IE1", "IE2", "IE3")),
        ),
        ["IE1", "IE2", "IE3"],
        stated={"under": FOLDER, "map": f"identifier={WELL}{{IGSN}},title=Sample Name"},
    ),
    # Values
    FirstFile(
        "without-a-scheme.csv", _lines("identifier,title,location", *_wells(link="www.example.org/{}")), ALL
    ),
    FirstFile(
        "web-addresses-as-identifiers.csv",
        _lines("URI,Title", *(f"http://resources.usgin.org/{WELL}{n},Well {n}" for n in ALL)),
        ALL,
    ),
    FirstFile(
        "numbers.csv",
        _lines("Well ID,Name", "1,Well 1", "2,Well 2", "3,Well 3"),
        ALL,
        stated={"under": FOLDER, "map": f"identifier={WELL}{{Well ID}},title=Name"},
    ),
    FirstFile(
        "names-below-the-folder.csv",
        _lines("Name,Title", *(f"well/{n},Well {n}" for n in ALL)),
        ALL,
        stated={"under": FOLDER, "map": f"identifier={FOLDER}{{+Name}},title=Title"},
    ),
    FirstFile(
        "dois.csv",
        _lines("identifier,title,DOI", *(f"{WELL}{n},Well {n},10.5066/P{n}" for n in ALL)),
        ALL,
        fields=LED,
    ),
    FirstFile(
        "coordinates.csv",
        _lines("identifier,title,lat,lon", *(f"{WELL}{n},Well {n},32.{n},-110.{n}" for n in ALL)),
        ALL,
        fields=("title", "spatial"),
    ),
    FirstFile(
        "two-languages.csv",
        _lines("identifier,title,title_es", *(f"{WELL}{n},Well {n},Pozo {n}" for n in ALL)),
        ALL,
        fields=("title", "title@es"),
    ),
    FirstFile(
        "empty-cells-and-rows.csv",
        _lines("identifier,title,location,,,", *(f"{row},,," for row in _wells()), ",,,,,", ",,,,,"),
        ALL,
    ),
    FirstFile(
        "words-for-a-status.csv",
        _lines(
            "identifier,title,status",
            f"{WELL}1,Well 1,active",
            f"{WELL}2,Well 2,Valid",
            f"{WELL}3,Well 3,deleted",
        ),
        ALL,
    ),
    FirstFile(
        "breaks-in-cells.csv",
        _lines("identifier,title,description", *(f'{WELL}{n},Well {n},"First line\nsecond"' for n in ALL)),
        ALL,
    ),
    FirstFile(
        "rows-of-another-folder.csv",
        _lines("identifier,title", f"{WELL}1,Well 1", f"{WELL}2,Well 2", "uri-gin/usgin/x,X"),
        ["1", "2"],
        refused=1,
        stated={"under": FOLDER},
    ),
    FirstFile(
        "rows-that-disagree.csv",
        _lines("identifier,title", f"{WELL}1,Well 1", f"{WELL}2,Well 2", f"{WELL}2,Well two"),
        ["1"],
        refused=1,
    ),
    FirstFile(
        "damaged-numbers.csv",
        _lines("identifier,title", f"{WELL}1,Well 1", f"{WELL}1.23E+11,Well 2"),
        ["1"],
        refused=1,
    ),
    FirstFile(
        "a-total-of-two.ods",
        open_document(
            {
                "Tabelle1": [
                    ["Bohrungen", "", ""],
                    ["Kennung", "Titel", "Verweis"],
                    *_sheet()[1:],
                    ["Summe", "3", ""],
                ]
            }
        ),
        ALL,
        refused=1,
        fields=LED,
    ),
    FirstFile(
        "two-columns-of-notes.csv",
        _lines("identifier,title,note,note", *(f"{WELL}{n},Well {n},a,b" for n in ALL)),
        ALL,
    ),
    FirstFile(
        "poland.csv",
        _lines("Identyfikator;Tytuł;Odnośnik", *_wells(";"), encoding="cp1250"),
        ALL,
        fields=("location",),
    ),
    FirstFile("links-behind-names.xlsx", _linked(), ALL),
    FirstFile(
        "units-and-a-total.csv",
        _lines("Well No,Name,Lat,Lon", "[-],[-],[deg],[deg]", "1,A,32.1,-110", "2,B,32.2,-110", "Total,2,,"),
        ["1", "2"],
        refused=2,
        stated={"under": FOLDER, "map": f"identifier={WELL}{{Well No}},title=Name"},
    ),
    FirstFile(
        "a-total-below.csv",
        _lines("identifier,title,location", *_wells(), ",,", "Total: 3,,"),
        ALL,
        refused=1,
    ),
)
