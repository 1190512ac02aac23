"""Registrations in a file that is only stored are found; files with other content are not."""

from __future__ import annotations

import gzip
import io
import json
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.mistaken_files import way_out_of_content
from tests.spreadsheets import workbook, written

MIB = 1024 * 1024
FOLDER = "uri-gin/azgs/"
WELL = f"{FOLDER}doc/well/1"
TABLE = f"identifier,title\n{WELL},Well\n".encode()
ROWS = [["identifier", "title"], [WELL, "Well"]]


def _chunks(content: bytes) -> Iterator[bytes]:
    return (content[at : at + 65_536] for at in range(0, len(content), 65_536))


def _way_out(name: str, content: bytes, folder: str = FOLDER, columns: str = "") -> str | None:
    found = way_out_of_content(f"{folder}{name}", _chunks(content), columns)
    return None if found is None else str(found)


def _json(name: str = "identifier", value: str = WELL) -> bytes:
    return json.dumps([{"title": "Well", name: value}]).encode()


def _features(**properties: str) -> bytes:
    feature = {"type": "Feature", "geometry": None, "properties": properties}
    return json.dumps({"type": "FeatureCollection", "features": [feature]}).encode()


def _zip(files: Mapping[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("wells.json", _json()),
        ("wells.json", _json("uri", f"http://resources.usgin.org/{WELL}")),
        ("wells.json", _json("URI").replace(b"/", rb"\/")),
        ("wells.json", json.dumps({"id": WELL}, indent=4).encode()),
        ("wells.json", json.dumps({"wells": {"1": {"@id": WELL}}}).encode()),
        ("wells.JSON", b"\xef\xbb\xbf\n" + _json()),
        ("wells.json", f"\ufeff{_json().decode()}".encode("utf-16-le")),
        ("wells.json.gz", gzip.compress(_json(), mtime=0)),
        ("wells.ndjson", b'{"id": "%b"}\n' % WELL.encode()),
        ("wells.geojson", _features(uri=WELL)),
    ],
)
def test_json_with_identifiers_of_the_folder_is_found(name: str, content: bytes) -> None:
    assert _way_out(name, content) == (
        f"{name} names identifiers of its folder, such as {WELL}, but JSON is stored unless an option "
        "says otherwise. To register them, write an array of objects or GeoJSON features, let the name end "
        "in .json, and add --read-as registrations."
    )


def test_a_member_that_is_mapped_to_the_identifier_is_found() -> None:
    content = _json("Persistent ID")

    assert _way_out("wells.json", content) is None
    assert _way_out("wells.json", content, columns="identifier=Persistent ID") is not None


@pytest.mark.parametrize(
    "name", ["wells.json", "a/wells.geojson", "a/b/wells.xlsx", "wells.tsv", "wells.ttl"]
)
def test_a_registry_file_in_an_archive_is_found(name: str) -> None:
    contents = {
        "json": _json(),
        "geojson": _features(id=WELL),
        "xlsx": workbook({"Notes": [["x"]], "Wells": ROWS}),
        "tsv": TABLE.replace(b",", b"\t"),
        "ttl": f"<http://resources.usgin.org/{WELL}> <a:b> <c:d> .".encode(),
    }
    archive = _zip(
        {"readme.pdf": b"%PDF", f"__MACOSX/._{name}": b"x", name: contents[name.rpartition(".")[2]]}
    )

    found = _way_out("wells.zip", archive)

    assert found == (
        f"wells.zip contains {name}, which names identifiers of its folder, such as {WELL}, but an archive "
        f"is not read. To register them, upload {name}."
    )


@pytest.mark.parametrize("name", ["wells.txt", "wells.tab", "wells", "wells.txt.gz"])
@pytest.mark.parametrize("content", [TABLE, b'{"id": "%b"}\n' % WELL.encode()], ids=["table", "JSON lines"])
def test_a_table_with_an_unclear_name_is_found(name: str, content: bytes) -> None:
    found = _way_out(name, gzip.compress(content) if name.endswith("gz") else content)

    assert found is not None
    assert found.startswith(f"The name of {name} does not say what it contains. End it in .csv")


def test_a_damaged_file_in_an_archive_does_not_hide_the_next() -> None:
    damaged = _zip({"a.csv": b"damaged" * 9, "b.xlsx": b"x", "c.csv": TABLE})
    begin = damaged.index(b"a.csv") + len("a.csv")

    found = _way_out("wells.zip", damaged[:begin] + b"\xff" * 4 + damaged[begin + 4 :])

    assert str(found).startswith("wells.zip contains c.csv")


def test_a_spreadsheet_of_another_kind_is_found_by_its_name() -> None:
    assert str(_way_out("wells.xls", b"\xd0\xcf")).startswith("wells.xls is a spreadsheet of a kind")


def test_the_folder_of_the_host_may_hold_any_identifier() -> None:
    assert _way_out("all.json", _json(value="uri-gin/usgs/"), folder="_host/") is not None
    assert _way_out("all.json", _json(value="17"), folder="_host/") is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("map.pdf", b"%PDF-1.4 " + WELL.encode()),
        ("style.json", b'{"version": 8, "id": "basic", "name": "%b"}' % WELL.encode()),
        ("wells.json", _json(value="uri-gin/usgs/doc/1")),
        ("wells.geojson", _features(id="17", depth="90")),
        ("readme.txt", f"See {WELL}".encode()),
        ("data.txt", b"id,depth\n17,90\n"),
        ("data.zip", _zip({"data.csv": b"id,depth\n17,90\n", "map.shp": b"x"})),
        ("data.zip", _zip({"report.docx": _zip({"x": b""}), "data.xlsx": written([["depth"], [90]])})),
        ("data.zip", _zip({"data.csv": TABLE})[:-30]),
        ("data.zip", b"PK\x03\x04"),
        ("map.kmz", _zip({"doc.kml": WELL.encode()})),
        ("empty", b""),
        ("image.dat", bytes(9)),
        ("wells.json.gz", b"no gzip"),
    ],
)
def test_files_for_download_are_not_parsed(name: str, content: bytes) -> None:
    assert _way_out(name, content) is None


@given(st.binary(max_size=200), st.sampled_from(["x.json", "x.zip", "x.txt", "x.json.gz", "x"]))
def test_any_content_is_checked_without_an_error(content: bytes, name: str) -> None:
    for beginning in (b"", b"[", b"PK\x03\x04", b"\xff\xfe"):
        _way_out(name, beginning + content)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("deep.json", lambda: b"[" * 50 * MIB),
        ("blanks.json", lambda: b"[" + b" " * 50 * MIB),
        ("quotes.json", lambda: b'["' + b'"   ' * 10 * MIB),
        ("names.json", lambda: b'{"id":"x"' + b',"id":"xyz"' * 4 * MIB),
        ("escapes.json", lambda: b'{"id":"' + b"\\" * 50 * MIB),
        ("blanks.json.gz", lambda: gzip.compress(b"[" + b" " * 200 * MIB)),
        ("a.zip", lambda: _zip({f"{at}.csv": b"," * 60 * MIB for at in range(3)})),
        ("a.zip", lambda: _zip({f"{at}.jsonl": b"{" * 60 * MIB for at in range(3)})),
        ("a.zip", lambda: _zip({str(at): b"" for at in range(20_000)})),
        ("a.zip", lambda: _zip({f"{at}.xlsx": b"PK" * 20 * MIB for at in range(3)})),
    ],
)
@pytest.mark.untraced
def test_a_hostile_file_is_checked_with_little_memory_and_time(name: str, make: Callable[[], bytes]) -> None:
    content = make()
    tracemalloc.start()
    started = time.process_time()

    found = _way_out(name, content)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found is None
    assert peak < 200 * MIB
    assert time.process_time() - started < 20


def test_only_the_beginning_of_other_content_is_read() -> None:
    chunks = _chunks(b"%PDF" + bytes(10 * MIB))

    assert way_out_of_content(f"{FOLDER}map.pdf", chunks) is None
    assert sum(map(len, chunks)) > 9 * MIB
