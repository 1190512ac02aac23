"""Files with every possible mistake, and the limits that other tests reach."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from tests.spreadsheets import MAIN, made, workbook

AZGS = "uri-gin/azgs/"
DOC = f"{AZGS}doc/"
WELL = f"{DOC}well/1/"
KEY = f"{AZGS}wells.jsonl"
TABLE = f"{AZGS}wells.csv"
ELSEWHERE = "https://a.example/{+rest}"
HTTP = "https://a.example/"
JANE = "mailto:jane@example.org"
_HOSTS, _DOWN = "_host/id.jsonl", "http://id.example/down/"
_SKOS = "@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix a: <http://a.example/uri-gin/azgs/> . "
_Upload = tuple[str, str | bytes] | tuple[str, str | bytes, Mapping[str, str]]


def _line(identifier: str = WELL, **fields: Any) -> str:
    return f"{json.dumps({'identifier': identifier, **fields})}\n"


def _rule(identifier: str = DOC, **fields: Any) -> str:
    return _line(identifier, **{"record": "rule", "location": ELSEWHERE, **fields})


def _form(**fields: Any) -> str:
    return _line(title="Well", representations=[fields])


def _apart(*lines: str | bytes, key: str = KEY) -> list[Sequence[_Upload]]:
    """Upload each line to a registry of its own."""
    return [[(key, line)] for line in lines]


def _below(part: str) -> Mapping[str, str]:
    return {"part": part, "location": HTTP}


_POINT = {"type": "Point", "coordinates": [0, 0]}
_PLACES: Sequence[object] = (
    *(
        "Arizona",
        "{",
        "CIRCLE (0 0)",
        "LINESTRING (0 0)",
        "POLYGON ((0 0, 1 0, 0 0))",
        "POLYGON ((0 0, 1 1))",
    ),
    *("31.5 -110.3", "181 0", "0 -200", [0, 10, 1, 5], [1, 2, 3, 4, 5], ["x", 0]),
    *("POINT (0 0))", "LINESTRING ((0 0, 1 1)", "POINT (0 ; 0)", "POINT (0 0 0 0 0)"),
    *("0 0 7", "LINESTRING (170 0, -170 0)", "POLYGON ((-170 0, 170 0, 170 1, -170 1, -170 0))"),
    "<http://www.opengis.net/def/crs/EPSG/0/4326> POINT (31.5 -110.3)",
    *({"type": "Feature", "geometry": _POINT}, {**_POINT, "crs": "EPSG:4326"}, {"type": "Point"}),
    *("1" * 65_000, {"type": "MultiPoint", "coordinates": [[0, 0]] * 1_001}),
)
_LINES = _apart(
    _line(id=DOC),
    _line(language="e n"),
    _line(DOC, record="rule", document="uri-gin/azgs/{+rest}", location=ELSEWHERE),
    _line(DOC, record="rule", document="http://id.example/{+rest}"),
    "".join(_rule(pattern=f"{{id}}/{number}") for number in range(251)),
    _line("", title="x"),
    _line("uri-gin/azgs//x", title="x"),
    _line("uri-gin/%41zgs/x", title="x"),
    _line(title={"": "x"}, location="ftp://x"),
    *(
        _line(location=location)
        for location in (
            *(
                "www.example.org/a b",
                "htp://a.example",
                "n/a",
                "C:\\maps\\a.pdf",
                "x" * 2_001,
                "ftp://a.example",
            ),
            *("https://a.example/ü", "https://a.example/a b", "https://a.example/100%", "https://ü.example/"),
            *(
                "<https://a.example/x>",
                "https:\\\\a.example",
                "https://a.\u200bexample/",
                "https://u@a.example/",
            ),
            *("https://a.example/ https://b.example/", "https://a.example/x,", "https://a.example/%2520"),
            *("https://a.example/?a=1&amp;b=2", "http://127.0.0.1/", "http://https://a.example/"),
            *("http://a.example:0/", "http://a..example/", "http://1.2.3/"),
        )
    ),
    _line(media_type="PDF", language="n/a", title="x"),
    _line(f"{DOC}x", title="x", status="superseded", successor=f"{DOC}nothing"),
    _line(location="https://example.org/{"),
    _line(location="https://{host}/x"),
    _line(location="https://a.example/{x}"),
    _line(media_type="pdf", language="e_n", homepage="x", contact="x y"),
    _line(answered_by="http://x/", record="host"),
    _line(trusted_hosts="a b!"),
    _line(query_arguments={"title": "media_type", "_x": "y"}),
    _line(featured=[f"{DOC}{number}" for number in range(13)]),
    _line(theme_color="teal"),
    _line(title=["x"], description=5.5, kind="x", status="x"),
    _line(title="a\tb", description="\x1b", reason="a\u2066", properties={"\x07": "x" * 33_000}),
    _line(title="\ud83d", spatial="\ud83d", properties={"x": {}}),
    '{"identifier": ' + "1" * 1_001 + "}",
    _line(title={"en": ""}),
    _line(title={"e_n": "x"}),
    *(_line(title="x", spatial=place) for place in _PLACES),
    _line(representations="x"),
    _line(representations=["x"]),
    _line(representations=[{"quality": 2}]),
    _line(representations=[{"quality": True}]),
    _line(links=[{"rel": "a b", "href": "https://a.example/"}]),
    _line(links=[{"rel": "up"}]),
    json.dumps({"identifier": WELL, "pass_query": "perhaps"}) + "\n",
    _line(colour="red"),
    _line(titel="x"),
    _line(uri="x"),
    _line(**{f"x{number}": "" for number in range(30)}),
    _line(status_code="200"),
    _line(triples="x"),
    _line(triples="<a:b> <c:d> <e:f> .\n<a:c> <c:d> <e:f> ."),
    _line(triples=f'<a:b> <c:d> "{"x" * 40_000}" .'),
    _form(file="../x"),
    _form(file="x" * 800),
    _form(file="x.pdf", part="x.pdf"),
    _form(file="x.pdf", location="https://a.example/"),
    _form(valid_from="x", location="https://a.example/"),
    _form(part="x.pdf"),
    _form(part="x{y.pdf", location="https://a.example/"),
    _form(part="a/%41.pdf", location="https://a.example/"),
    _form(part=".pdf", location="https://a.example/"),
    _form(part="con.pdf", location="https://a.example/"),
    _form(part=f"{'x' * 70}.pdf", location="https://a.example/"),
    _line(f"{DOC}x", title="x", representations=[{"part": "x.pdf", "location": "https://a.example/"}]),
    _line(
        f"{DOC}x",
        title="x",
        representations=[{"part": ".a.b.c.d.e.f.g.h.i", "location": "https://a.example/"}],
    ),
    _line(representations=[{"location": "https://a.example/"}, {"location": "https://b.example/"}]),
    _line("uri-gin/usgin/doc/1", title="x"),
    _line("uri-gin/azgs.mapping/map/1/", title="x"),
    _line("uri-gin/azgs.mapping/", title="x", record="authority"),
    _line("uri-soil/", title="x", record="scheme"),
    _line(AZGS, title="x", record="resource-type"),
    _line(f"{DOC}x", title="x", record="resource-type"),
    _line("uri-gin/azgs/x/1"),
    _line("uri-gin/azgs/x+y/1", title="x"),
    _line(title="x", status="superseded"),
    _line(title="x", successor=f"{DOC}2"),
    _line(title="x", status="retired", successor=WELL),
    _line(record=None),
    _line(record="alias"),
    _line(record="alias", stands_for=WELL),
    _line(record="alias", stands_for=f"{DOC}2", status_code=303),
    _line(record="alias", stands_for="http://a.example/"),
    _line(title="x", to=AZGS),
    _line(pattern="{id}", title="x"),
    _line(f"{AZGS}map/", record="resource-type", valid_media_types=["text/html"], default_media_type="a/b")
    + _line(f"{AZGS}map/x/", media_type="a/b", location=HTTP),
    _line(f"{AZGS}map/", record="resource-type", pattern="{id:digits}") + _line(f"{AZGS}map/x/"),
    _rule(f"{DOC}x"),
    _rule(location=None),
    _line(DOC, record="rule", title="x"),
    _line(DOC, record="rule"),
    _rule(pattern="{a}{b}"),
    _rule(pattern="{rest}"),
    _rule(pattern="{+rest}"),
    _rule(pattern="a//b"),
    _rule(pattern="a{b}c{d}e{f}"),
    _rule(pattern="%61"),
    _rule(pattern="{"),
    _rule(pattern="HP_[0-9]+"),
    _rule(pattern="^HP_"),
    _rule(representations=[{"file": "x.pdf"}]),
    _line(DOC, record="rule", representations=[{"file": "x.pdf"}]),
    _rule(representations=[{"part": "x.pdf", "location": ELSEWHERE}]),
    _rule(representations=[{"valid_from": "2011-01-01", "location": ELSEWHERE}]),
    _rule(document=f"{DOC}{{id}}", pattern="{id}"),
    _rule(pattern="x-{id}", document=f"{HTTP}{DOC}{{id}}"),
    _line(DOC, record="rule", document="uri-gin/usgin/{+rest}"),
    _line(DOC, record="rule", document="uri-soil/usgin/{+rest}"),
    _rule(pattern="{a}-1") + _rule(pattern="1-{b}"),
    _rule() + _rule(f"{DOC}x/"),
    _rule(f"{DOC}x/") + _rule(pattern="x/{+rest}"),
    _line(f"{DOC}old/", record="delegation"),
    _line(f"{DOC}old", record="delegation", answered_by="a.example"),
    _line(f"{DOC}old/", record="delegation", to="uri-gin/none/"),
    _line(f"{DOC}old/", record="delegation", answered_by="a.example", status="retired"),
    _line(f"{DOC}old/", record="delegation", answered_by="a.example", valid_from="2011-01-01"),
    _line(f"{DOC}old/", record="delegation", to="uri-gin/usgin/", valid_from="x"),
    _line(f"{DOC}old/", record="delegation", to=JANE),
    _line(DOC, record="grant", may=["read"]),
    _line(DOC, record="grant", to="jane", may=["read"]),
    _line(DOC, record="grant", to="uri-gin/usgin/", may=["read"]),
    _line(DOC, record="grant", to=JANE),
    _line(DOC, record="grant", to=JANE, may=None),
    _line(DOC, record="grant", to=JANE, may=None, valid_until="2099-01-01"),
    _line(DOC, record="grant", to=JANE, may=["read"], valid_until="2011-01-01"),
    _line(WELL[:-1], record="grant", to=JANE, may=["read"]),
    _line("uri-gin/usgin/", record="grant", to=JANE, may=["read"]),
    _line(DOC, record="resource-type", title="x", services=[{"href": "https://a.example/{rest}"}]),
    _line(DOC, record="resource-type", title="x", services=[{"href": "https://a.example/{x}"}]),
    _line(DOC, record="resource-type", title="x", services=[{"href": "https://{rest}/"}]),
    _line(DOC, record="resource-type", title="x", services=[{"href": "{"}]),
    _line(specification="x y", record="scheme"),
    _line("http://other.example/uri-gin/azgs/doc/1", title="x"),
    _line(title="x") + _line(title="y"),
    '{"identifier": "uri-gin/azgs/x", "identifier": "uri-gin/azgs/y"}\n',
    '{"identifier": NaN}\n',
    "{\n",
    "[]\n",
    "[" * 100_000 + "\n",
    b'{"title": "\xff"}\n',
    "",
    "x" * 300_000,
    _line(f"{DOC}x/1", title="x") + _line(f"{DOC}X/1", title="x"),
    _line(
        title="x",
        representations=[{"part": f"{n}.pdf", "location": "https://a.example/"} for n in range(201)],
    ),
    _line(title=dict.fromkeys(("en", "es", "de"), "x" * 30000)),
    _line(properties={f"p{number}": "x" for number in range(3_100)}),
)
_PATTERNS = _apart(
    *(
        _rule(pattern=pattern)
        for pattern in (
            *("%4{id}", "a b", "a}", "[a[b]]", "[x]", "{1a}", "{+a:digits}", "{a:digit}", "{a:3|}"),
            *("{a:[]}", "{a:[^!-~]}", "{a:[z-a]}", "{a:digits(0,)}", "{a:digits(5,2)}", "{a:digits(256)}"),
            *("x" * 2_000, "{a}" * 17, "".join(f"{{p{number}:digits(255)}}" for number in range(8))),
            "{a:" + "|".join(f"w{number}" for number in range(33)) + "}",
        )
    ),
    _rule(pattern="{a:alnum(1,250)}x{b:hex(1,250)}") + _rule(pattern="{a:alnum(1,250)}y{b:hex(1,250)}"),
    _rule(pattern="map/{a:alnum(1,250)}{b:hex(1,250)}")
    + _rule(f"{DOC}map/", pattern="{c:alnum(1,250)}{d:alnum(1,250)}"),
)
_DIGITS = "".join(_rule(pattern=f"{{a:[{number}](1)}}") for number in range(10))
_COVERED: list[Sequence[_Upload]] = [
    [(KEY, _DIGITS), (KEY, _rule(pattern="{c:digits(1)}"))],
    [(KEY, _rule(pattern="{c:digits(1)}")), (KEY, _DIGITS)],
    [
        ("_host/ark.jsonl", _line("ark:12345/", record="namespace")),
        ("ark:12345/x.jsonl", _rule("ark:12345/", pattern="q7-{+rest}")),
    ],
]
_TABLES = _apart(
    "sep=;\n",
    "title\nx\n",
    "identifier,colour,title,title\nx,y,z,z\n",
    "identifier,url,location,colour\n",
    "Persistent ID;Name\nx;y\n",
    f"{WELL},Well\n",
    f"identifier,Name,colour,\n{WELL},Well,,\n",
    f"identifier,title\n{WELL}\n",
    f"identifier,colour\n{WELL},x\n",
    f'identifier,title\n{WELL},"x\n',
    f"identifier,title\n{WELL},".encode() + b"\x81\xff\n",
    f"identifier,title\n{WELL},".encode() + b"\xe9\n",
    f"identifier,title\n{WELL},".encode() + b"\xe9\n" + f"{DOC}2,".encode() + b"\xe9\n",
    b"\0\0\0\0",
    b"\xff\xfe\x00\xd8",
    "id,target\nhttps://geoconnex.us//uri-gin/azgs/doc/1,https://a.example/\n",
    f"identifier,location\n{DOC}([a-c]),https://a.example/$1\n",
    f"identifier,location\n{DOC}(.*)x,https://a.example/$1\n",
    f"identifier,location\n{DOC}[0-9],https://a.example/\n",
    f"identifier,location\n{DOC}x.*,https://a.example/\n",
    f"identifier,location\n{DOC}x(y,https://a.example/$1\n",
    f"identifier,location\n{DOC}([^/]+),https://a.example/$2\n",
    f"identifier,location\n{DOC}(.*)/(.*),https://a.example/$2\n",
    *(
        f'identifier,location\n"{DOC}{expression}",https://a.example/$1\n'
        for expression in (
            *("x(?=ab)(.*)", "([z-a])", "([a-c])^", "([0-9]//)$", "(a|b/c)", "([0-9]{1,300})$"),
            f"({'|'.join(f'{number}/x' for number in range(70))})$",
            f"({'|'.join(f'w{number}' for number in range(40))})$",
            "([0-9])" * 17,
            "((a)|b)+[0-9]",
        )
    ),
    ",".join(["identifier", *(f"properties.{n}" for n in range(1_001))]) + "\n",
    "identifier,title\n" + WELL + "," + "x" * 300_000 + "\n",
    f"identifier,title\n{WELL},#REF!\n",
    key=TABLE,
)
_MAPPED: list[Sequence[_Upload]] = [
    [(TABLE, "a,b\n,c\n", {"map": columns})]
    for columns in (
        "identifier",
        "identifer=a",
        "zzz=a",
        "identifier=a,title=a",
        "identifier=z",
        "identifier=uri-gin/azgs/doc/{a}",
        f"sha256:{'0' * 64}#x",
    )
]
_DEGREES: list[Sequence[_Upload]] = [
    [(TABLE, f"identifier\tx\ty\n{WELL}\t{text}\t1\n", {"map": f"spatial={template}"})]
    for template, text in (
        ("POINT({x} {y})", "1°60'W"),
        ("POINT({x} {y})", "1°10'N"),
        ("POINT({x} {y})", "-1°10'W"),
        ("POINT({x} {y})", "1°10'O"),
        ("POINT({x})", "1°10' 2°10'"),
    )
]
_MADE: list[Sequence[_Upload]] = [
    [(TABLE, f"identifier,a,b\n{WELL},example,org\n", {"map": "location=www.{a}.{b}"})],
    [(TABLE, f"identifier,location\n{WELL},NULL\n")],
    *([(TABLE, f"a,b\n{row}\n", {"map": f"identifier={DOC}{{a}}"})] for row in ("Total,3", "5s,10n")),
]
_ORDERS: list[Sequence[_Upload]] = [
    [(TABLE, f"identifier\n{WELL}\n", {"dates": dates})] for dates in ("year-first", "Issued=day-first")
]
_JSON: list[Sequence[_Upload]] = [
    [(f"{AZGS}x.json", content, {"read-as": "registrations"})]
    for content in (
        "17",
        "[",
        "[" * 100_000,
        f'[{{"identifier": "{WELL}", "x": 1}}]',
        '{"crs": "EPSG:26912", "features": []}',
    )
]
_FILES: list[Sequence[_Upload]] = [
    [(TABLE, f"identifier,title,\n{WELL}\n")],
    [(TABLE, f"identifier,title,\n{WELL},a,b\n{WELL},a,b,c\n")],
    [("wells.csv", "identifier\n")],
    [(f"{AZGS}{'x' * 900}.csv", "identifier\n")],
    [(f"{KEY}.gz", b"no gzip, whatever its name says")],
    [(f"{KEY}.gz", gzip.compress(b"{}")[:-4])],
    [("_host/x.jsonl", _line(title="x"))],
    [("_host/x.jsonl", _line("http://a.example/", record="authority"))],
    [("_host/x.jsonl", _line("uri-gin/azgs/x/", record="authority"))],
    [("uri-gin/none/x.jsonl", _line("uri-gin/none/doc/1"))],
    [("id.example/x.jsonl", _line("http://id.example/doc/1"))],
    [("info:pmid/x.jsonl", _line("info:pmid/1"))],
    [("_host/x.jsonl", _line("hdl:", record="rule", location=f"{HTTP}{{+rest}}"))],
    [("_host/x.jsonl", _line("uri-x/", record="scheme", title="x", case="lower"))],
    [
        ("_host/x.jsonl", _line("doi:", record="scheme", title="x", case="lower")),
        ("_host/x.jsonl", _line("doi:", record="rule", pattern="A{id}", location=f"{HTTP}{{id}}")),
    ],
    [
        ("_host/ark.jsonl", _line("ark:12345/", record="namespace")),
        ("ark:12345/x.jsonl", _line("ark:12345/x8", location=f"{HTTP}#8")),
    ],
    [
        ("_host/ark.jsonl", _line("ark:12345/", record="namespace")),
        ("ark:12345/x.jsonl", _line("ark:12345/x8", location=HTTP, status_code=302)),
    ],
    [(_HOSTS, _line("http://id.example/", record="host", fallback="a.example", answered_by="b.example"))],
    [(_HOSTS, _line("http://id.example/", record="host", fallback="id.example"))],
    [(_HOSTS, _line("info:pmid/", record="namespace", fallback="a.example"))],
    [
        (_HOSTS, _line("http://id.example/", record="host", pages=False)),
        (_HOSTS, _line("http://id.example/", record="host", pages=None)),
        ("id.example/x.jsonl", _line("http://id.example/registry/x", title="X")),
    ],
    [(KEY, _line(title="x"), {"snapshot": "uri-gin/usgin/"})],
    [(KEY, _line(title="x"), {"snapshot": "x y"})],
    [(f"{AZGS}x.xlsx", b"x")],
]
_ROW = "<row><c><v>1</v></c></row>"
_WORKBOOKS = _apart(
    made(_ROW, method=zipfile.ZIP_BZIP2),
    made(book="<workbook/>", workbook=f'<workbook xmlns="{MAIN}"/>'),
    made(sheet="<!DOCTYPE x><worksheet/>"),
    made("<a>" * 100),
    made(f'<row r="{"1" * 2**21}"/>'),
    made('<row r="2"><c><v>1</v></c></row><row r="2"/>'),
    made('<row><c r="nowhere"><v>1</v></c></row>'),
    made('<row r="1048577"><c><v>1</v></c></row>'),
    made('<row><c r="ALM1"><v>1</v></c></row>'),
    made('<row><c r="A1"><f>1+1</f></c></row>'),
    made(_ROW, zipfile.ZIP_DEFLATED, **{f"x{number}": "" for number in range(1_001)}),
    key=f"{AZGS}wells.xlsx",
)
_SHEETS = {name: [["identifier", "title"], [f"{DOC}{name}", name]] for name in ("Wells", "Maps", "Old")} | {
    "Notes": [["by J."]]
}
_BOOK = workbook(_SHEETS, hidden=("Old",))
_CELL = '<c t="inlineStr"><is><t>{}</t></is></c>'
_HIDDEN = made(
    f"<row>{_CELL.format('identifier')}</row>"
    + "".join(f'<row hidden="1">{_CELL.format(f"{DOC}{number}")}</row>' for number in range(2))
)
_HIDDEN_ONE = made(f'<row>{_CELL.format("identifier")}</row><row hidden="1">{_CELL.format(f"{DOC}1")}</row>')
_CHOSEN: list[Sequence[_Upload]] = [
    [(f"{AZGS}x.xlsx", _BOOK)],
    [(f"{AZGS}x.xlsx", _BOOK, {"snapshot": DOC})],
    [(f"{AZGS}x.xlsx", _BOOK, {"sheet": "Maps"})],
    [(f"{AZGS}x.xlsx", _BOOK, {"sheet": "none"})],
    [(f"{AZGS}x.xlsx", _BOOK, {"sheet": "*"})],
    [(f"{AZGS}x.xlsx", _HIDDEN, {"sheet": "A/"})],
    [(f"{AZGS}x.xlsx", _BOOK, {"sheet": "/"})],
    [(f"{AZGS}x.xlsx", _BOOK, {"sheet": "Maps/Notes"})],
    [(KEY, _line(title="x"), {"sheet": "Wells"})],
    [(KEY, _line(title="x"), {"links": "Report"})],
    [(f"{AZGS}x.xlsx", _BOOK, {"hidden-rows": "no"})],
    [(f"{AZGS}x.xlsx", _BOOK, {"links": "Report"})],
    *(
        [(f"{AZGS}x.xlsx", content, options)]
        for content in (_HIDDEN, _HIDDEN_ONE)
        for options in ({}, {"hidden-rows": "leave-out"})
    ),
]
_STYLES = f'<styleSheet xmlns="{MAIN}"><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>'
_DAMAGED: list[Sequence[_Upload]] = [
    [(TABLE, f"identifier\n{DOC}1E5\n")],
    [(TABLE, f'identifier\n"{DOC}1,001"\n')],
    [(TABLE, f"identifier,title\n{DOC}1,nan\n")],
    *(
        [
            (
                f"{AZGS}x.xlsx",
                made(f"<row>{_CELL.format('ID')}</row><row>{cell}</row>", styles=_STYLES),
                {"map": f"identifier={DOC}{{ID}}"},
            )
        ]
        for cell in ("<c><v>1E300</v></c>", "<c><v>1234567890123450</v></c>", '<c s="1"><v>9</v></c>')
    ),
]
_CODE_PAGES: list[Sequence[_Upload]] = [
    [(KEY, _line(title="x"), {"encoding": "klingon"})],
    [(KEY, f'{{"identifier": "{WELL}", "title": "é"}}', {"encoding": "windows-1252"})],
    [(f"{AZGS}x.xlsx", "x", {"encoding": "windows-1252"})],
]
_TABLE = f"identifier,title\n{WELL},Well\n"


def _archived() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("x.csv", _TABLE)
    return content.getvalue()


_STORED: list[Sequence[_Upload]] = [
    [(f"{AZGS}x.json", json.dumps([{"id": WELL}]))],
    [(f"{AZGS}x.txt", _TABLE)],
    [(f"{AZGS}x.xls", "x")],
    [(f"{AZGS}x.zip", _archived())],
]
_RDF: list[Sequence[_Upload]] = [
    [(f"{AZGS}x{suffix}", content, {"map": columns})]
    for suffix, content, columns in (
        (".ttl", "x", ""),
        (".ttl", "<a:b> <c:d> 1 .", ""),
        (".ttl", "<x> <c:d> 1 .", ""),
        (".ttl", "[] <c:d> 1 .", ""),
        (".ttl", "<http://a.example/uri-gin/usgin/x> <c:d> 1 .", ""),
        (
            ".ttl",
            "<http://a.example/uri-gin/azgs/x> <c:d> 1 . <http://a.example/uri-gin/usgin/x> <c:d> 1 .",
            "",
        ),
        (".ttl", "<http://a.example/uri-gin/azgs/x> <c:d> 1 . <http://b.example/x> <c:d> 1 .", ""),
        (".ttl", "<a:b> <c:d> " + "[" * 9_000, ""),
        (".jsonld", "1", ""),
        (".jsonld", "{", ""),
        (".jsonld", '{"@context": "https://a.example/"}', ""),
        (".rdf", "<!DOCTYPE x><x/>", ""),
        (".rdf", "<a>" * 300, ""),
        (".rdf", "<a></b>", ""),
        (".ttl", "<http://a.example/a/../b> <c:d> 1 .", ""),
        (".ttl", "<a:b> <c:d> 1 .", "x"),
        (".ttl", "<a:b> <c:d> 1 .", "http://a.example/{+rest}=x"),
        (".ttl", _SKOS + "".join(f'a:x{n} s:prefLabel "a"@en, "b"@en . ' for n in range(25)), ""),
        (".ttl", _SKOS + f"a:x a:y {', '.join(f'<http://b.example/{n}>' for n in range(101))} .", ""),
        (".ttl", _SKOS + f'a:x a:y "{"x" * 40_000}" .', ""),
        (".ttl", "<a:b> <c:d> 1 .", "http://a.example/{x}=uri-gin/azgs/{y}"),
        (".ttl", "<a:b> <c:d> 1 .", "http://a.example/{a}{b}=uri-gin/azgs/{a}"),
        (".ttl", "<http://b.example/a%20b?q> <c:d> 1 .", "http://b.example/{+rest}=uri-gin/azgs/{+rest}"),
        (
            ".ttl",
            f'{_SKOS}a:x s:prefLabel "a"@en, "b"@en ; s:broader a:y . a:y s:broader a:x .',
            "",
        ),
    )
]
_AFTER_OTHERS: list[Sequence[_Upload]] = [
    [
        (KEY, _line(f"{DOC}v", title="x")),
        (KEY, _line(f"{DOC}v", kind="thing", triples="<a:b> <c:d> <e:f> .")),
    ],
    [
        (KEY, _line(title="x", status="withheld", reason="x", requested_by="y")),
        (KEY, _line(title="x", status="embargoed")),
        (KEY, _line(title="x", status="reserved")),
    ],
    [(KEY, _line(title="x")), (KEY, _line(record="alias", stands_for=f"{DOC}2"))],
    [
        (KEY, _line(title="x", status="superseded", successor=f"{DOC}2")),
        (KEY, _line(f"{DOC}2", title="x", status="superseded", successor=WELL)),
    ],
    [
        (KEY, _line(title="x")),
        (KEY, _line(record="alias", stands_for=f"{DOC}2"), {"correction": "true", "reason": "wrong"}),
    ],
    [
        (KEY, _line(record="alias", stands_for=f"{DOC}2")),
        (KEY, _line(f"{DOC}3", record="alias", stands_for=WELL)),
    ],
    [
        (KEY, _line(f"{DOC}old/", record="delegation", to="uri-gin/usgin/")),
        (KEY, _line(f"{DOC}old/1", title="x")),
        (KEY, _line(f"{DOC}old/", record="grant", to=JANE, may=["read"])),
    ],
    [(KEY, _rule(pattern="{a}-1")), (KEY, _rule(pattern="1-{b}"))],
    [
        (KEY, "".join(_line(f"{DOC}{number}", title="x") for number in range(40))),
        (KEY, _line(f"{DOC}1", title="x"), {"snapshot": DOC}),
    ],
    [(KEY, _line(f"{DOC}1", title="x") + "{\n", {"snapshot": DOC})],
    [(f"{AZGS}x.pdf", "x"), (KEY, _form(file="x.pdf"))],
    [(f"{AZGS}x.pdf", "x"), (KEY, _rule(location=None, representations=[{"file": "x.pdf"}]))],
    [
        ("_host/azgs.jsonl", _line(AZGS, record="authority", trusted_hosts=["a.example"])),
        (KEY, _line("http://other.example/uri-gin/azgs/doc/1", title="x")),
    ],
    [(KEY, _rule(pattern="x/{+rest}")), (KEY, _rule(f"{DOC}x/"))],
    [
        ("_host/pmid.jsonl", _line("info:pmid/", record="namespace", title="x", case="lower")),
        ("info:pmid/x.jsonl", _line("info:pmid/ABC", title="x")),
        ("info:pmid/x.jsonl", _line("info:pmid/abc", representations=[{"part": ".PDF", "location": HTTP}])),
    ],
    [
        (_HOSTS, _line("http://id.example/", record="host", title="x")),
        ("id.example/x.jsonl", _line("http://id.example/doc/1", representations=[_below("/a/b/c")])),
        ("id.example/x.jsonl", _line("http://id.example/doc/1", representations=[_below("/data")])),
        ("id.example/x.jsonl", _line("http://id.example/doc/2", location="http://id.example/doc/1")),
        ("id.example/x.jsonl", _line("http://id.example/a", location="http://id.example/a")),
        ("id.example/x.jsonl", _rule("http://id.example/r/", location="http://id.example/doc/{+rest}")),
        ("id.example/x.jsonl", "".join(_line(f"{_DOWN}{n}", location=f"{_DOWN}{n + 1}") for n in range(8))),
    ],
]
_ANSWER = {"status": 303}
_TESTS: list[Sequence[_Upload]] = [
    *_apart(
        *(
            _line(title="Well", tests=[test])
            for test in (
                {"path": "x"},
                {"path": "a b", **_ANSWER},
                {"query": "a b", **_ANSWER},
                {"headers": {"User-Agent": "x"}, **_ANSWER},
                {"headers": {"Accept": "é"}, **_ANSWER},
                {"status": 99},
                {"target": "https://a b"},
                {"path": "https://a.example/x", **_ANSWER},
                {"path": "x?a", "query": "b", **_ANSWER},
                {"status": 404},
            )
        ),
        _line(title="Well", tests=[_ANSWER, {"status": 404}]),
        _line(tests=[_ANSWER]),
        _line(title="Well", tests=[{"path": str(number), **_ANSWER} for number in range(501)]),
    ),
    [(_HOSTS, _line("http://id.example/", record="host", tests=[{"path": "about", "status": 200}]))],
    [(KEY, _line(title="Well", tests=[{"status": 404}]), {"strict-tests": "true"})],
]
_CONDITIONS: list[Sequence[_Upload]] = [
    [(KEY, _line(title="x"), {"if-match": "x"})],
    [(KEY, _line(title="x"), {"if-match": '"x"'})],
    [(KEY, _line(title="x"), {"if-none-match": "x"})],
    [(KEY, _line(title="x"), {"if-match": "*", "snapshot": DOC})],
    [(KEY, _rule(pattern="HP_{id}", location="https://a.example/{id}"), {"if-match": "*"})],
    [(KEY, _line(title="x")), (KEY, _line(title="y"), {"if-match": '"x"'})],
    [
        (KEY, _line(title="x")),
        (KEY, _line(title="y"), {"if-none-match": '"94ee1d6992afb1a40b5e8e4bd72c7081"'}),
    ],
    [(KEY, _line(title="x")), (KEY, _line(title="y"), {"only-new": "true"})],
    [(KEY, _line(title="x")), (KEY, _line(f"{DOC}Well/1/", title="y"), {"only-new": "true"})],
    [(KEY, _rule(location="https://a.example/{+rest}")), (KEY, _line(title="y"), {"only-new": "true"})],
]

UPLOADS: Sequence[Sequence[_Upload]] = [
    *_LINES,
    *_PATTERNS,
    *_COVERED,
    *_TESTS,
    *_TABLES,
    *_MAPPED,
    *_DEGREES,
    *_MADE,
    *_ORDERS,
    *_JSON,
    [(TABLE, "identifier\n", {"language": "tlh"})],
    *_FILES,
    *_WORKBOOKS,
    *_CHOSEN,
    *_CODE_PAGES,
    *_DAMAGED,
    *_STORED,
    *_RDF,
    *_AFTER_OTHERS,
    *_CONDITIONS,
]
"""Uploads one after the other, each row to a registry of its own."""

LIMITS = {
    "A file may have at most {most} bytes. Split it into several files.",
    "A file may have at most {most} lines. Split it into several files.",
    "A line has more than {most} bytes. Is this a text file with line breaks?",
    "A subject must be a name or a blank node, and a property must be a name.",
    "A tag with its attributes may have at most {most} bytes. Use elements instead of attributes.",
    "A sheet may have at most {most} cells with links. Split it into several files.",
    "A workbook may have at most {most} different texts. Split it into several files.",
    "A workbook may have at most {most} sheets. Split it into several files.",
    "{host} is the canonical host, which has the pages of all hosts. Leave the field empty.",
    (
        "After {most} redirects this still leads to another identifier of this registry: {way}. State the "
        "web address where that ends."
    ),
    "An RDF file may have at most {most} bytes. Split it into several files.",
    "An RDF file may have at most {most} triples. Split it into several files.",
    "As CSV, a sheet may have at most {most} bytes. Split it into several files.",
    (
        "The record would take {size} bytes in the registry, which include the names of the files that "
        "stated its fields; at most {most} are allowed. State its fields in one file with a shorter name."
    ),
    # Uploads with a token: tests/functional/test_rights.py.
    (
        "This upload may not grant rights on {prefix}: nobody can with a token. Ask the operator of the "
        "registry, or upload the line to the bucket yourself."
    ),
    "This upload has no such right on {prefix} itself, and can grant only its own: {rights}.",
    (
        "This upload may not register or change {identifier}: it lacks the right `register`. Ask the steward "
        "of the prefix for a grant."
    ),
    (
        "This upload may not retire or withhold {identifier}, or a part of it: it lacks the right `retire`. "
        "Ask the steward of the prefix for a grant."
    ),
    "The access token of this upload was revoked before it was processed. Nothing was registered.",
    "The registrations of an RDF file may have at most {most} bytes. Split it into several files.",
    (
        "The work files of this upload are gone ({key}), and with them its report. What was registered so "
        "far stays registered. Upload it again."
    ),
    (
        "These identifiers are not in the file, but were registered under {prefix} after it was uploaded, "
        "and are therefore not retired: {names}. A later snapshot retires what it does not contain."
    ),
    "This could not be registered when the upload was first processed. Upload it again.",
    (
        "This rule could match names of too many other rules to be compared with them. Begin its pattern "
        "with more literal text."
    ),
    (
        "This upload through the API does not state its principal and its rights completely, so nothing of "
        "it was read. Upload it again."
    ),
    "This version of the file no longer exists. Upload it again.",
    "Too many subjects lead to the same blank nodes. Give those nodes names, or split the file.",
    "Unpacked, a file may have at most {most} bytes. Split it into several files.",
    "Unpacked, {part} has {size} bytes; at most {most} are allowed. Split it into several files.",
    (
        "With this rule, the rules of this beginning would take {size} bytes; at most {most} are allowed. "
        "Begin some of the patterns with more literal text, or shorten the texts of the rules."
    ),
    "the rule {rule}",
}
"""The messages that need a large file, or repeated deliveries; tests of these raise them."""
