"""The docs for stewards are correct: their examples are accepted, their tables and limits hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

import pytest

from ginuri.files.formats import MOST_KEY_BYTES, READABLE
from ginuri.files.lines import MOST_BYTES, MOST_LINE_BYTES, MOST_ROWS, MOST_WHOLE_BYTES
from ginuri.files.rdf.concepts import MOST_LINKS
from ginuri.files.rdf.graphs import MOST_BYTES as MOST_GRAPH_BYTES
from ginuri.files.rdf.graphs import MOST_TRIPLES
from ginuri.files.schema.fields import ALIASES, REPRESENTATION_FIELDS
from ginuri.files.tables.cells import MOST_COLUMNS, MOST_ROW_LINES
from ginuri.identifiers.grammars.gin import MOST_BYTES as MOST_IDENTIFIER_BYTES
from ginuri.identifiers.grammars.gin import MOST_SEGMENTS
from ginuri.registration.checks.representations import MOST_REPRESENTATIONS
from ginuri.registration.checks.rule_conflicts import MOST_RULES
from ginuri.registration.checks.sizes import MOST_BYTES as MOST_RECORD_BYTES
from ginuri.registration.checks.sizes import MOST_ENTRIES
from ginuri.registry.locations import MOST_CHARACTERS
from ginuri.registry.metadata.fields import FIELDS
from ginuri.registry.model import Alias, RecordType, Resource, Status
from ginuri.registry.texts.ntriples import MOST_BYTES as MOST_TRIPLES_BYTES
from infra.docs import FOLDER, PAGES
from infra.docs.blocks import read_blocks
from tests.steward import Report, Steward, line, settled

FIELDS_PAGE = "reference/registrations.md"
VOCABULARY = "how-to/upload-a-vocabulary.md"
_RECORDS = [str(each) for each in RecordType]
_KEYS = {
    "scheme": "uri-gin/",
    "host": "http://resources.usgin.org/",
    "authority": "uri-gin/azgs/",
    "namespace": "info:pmid/",
}


def examples() -> dict[str, str]:
    """Return the files of the docs whose title is a key of the uploads bucket."""
    blocks = (block for page in PAGES for block in read_blocks(page))
    return {block.title: block.body for block in blocks if block.is_file and "/" in block.title}


def _page(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _uploaded() -> tuple[Steward, dict[str, Report]]:
    # Hosts first, types and stored files before the rows that name them, as on the pages.
    files = examples()
    first = ("_host/", "types.jsonl", ".pdf")
    steward, reports = Steward(), {}
    for key in sorted(files, key=lambda key: [part not in key for part in first]):
        reports[key] = steward.upload(key, files[key])
    return steward, reports


def _rows(page: str, heading: str) -> Iterator[list[str]]:
    section = _page(page).partition(heading)[2].partition("\n## ")[0]
    for row in re.findall(r"^\| (`.*) \|$", section, re.MULTILINE):
        yield [cell.strip() for cell in row.split("|")]


def _named(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_the_page_has_an_example_of_every_field() -> None:
    assert [Path(key).suffix for key in examples()].count(".csv") == 5
    assert [Path(key).suffix for key in examples()].count(".jsonl") == 18
    assert [Path(key).suffix for key in examples()].count(".ttl") == 1


def test_every_example_but_the_first_is_registered_completely() -> None:
    _, reports = _uploaded()

    refused = {key for key, report in reports.items() if report.refused}
    assert refused == {"uri-gin/azgs/reports.csv"}
    assert reports["uri-gin/azgs/later.jsonl"].counts == {"changed": 3}


def test_the_examples_register_the_documented_records() -> None:
    steward, _ = _uploaded()
    map_, well = (
        steward.registry.fetch([name])[name] for name in ("uri-gin/azgs/map/DGM37/", "uri-gin/azgs/well/17/")
    )

    assert isinstance(map_, Resource)
    assert isinstance(well, Resource)
    assert [each.part for each in map_.representations] == ["mapImageFile.pdf", "NCGMP09.shp.zip"]
    assert [each.media_type for each in well.representations] == ["text/html", "text/csv"]
    assert (well.titles, well.properties) == (
        {"": "Well 17", "de": "Brunnen 17"},
        {"county": "Cochise", "depth": "90"},
    )
    assert (steward.values("uri-gin/azgs/well/18/") or {})["status"] == "retired"


def test_the_vocabulary_of_the_examples_is_as_documented() -> None:
    steward, reports = _uploaded()
    told = json.loads(
        re.findall(r"^```\n(\{\"identifier.*?)^```$", _page(VOCABULARY), re.MULTILINE | re.DOTALL)[0]
    )
    names = ["", "lithology.ttl", "rock", "granite", "granit"]
    scheme, part, rock, granite, granit = (
        steward.registry.fetch([name]).get(name)
        for name in (f"uri-gin/azgs/lithology/{each}" for each in names)
    )

    assert reports["uri-gin/azgs/lithology.ttl"].counts == {"registered": 4, "warned": 4}
    assert isinstance(scheme, Resource)
    assert [(each.part, each.media_type) for each in scheme.representations] == [
        ("lithology.ttl", "text/turtle")
    ]
    assert part is None
    assert isinstance(rock, Resource)
    assert (rock.titles, rock.descriptions) == (told["title"], told["description"])
    assert (rock.part_of, rock.properties) == (told["part_of"], told["properties"])
    assert [link for each in rock.links.values() for link in each] == told["links"]
    assert rock.triples
    assert rock.triples.startswith(told["triples"].partition("…")[0])
    assert granite
    assert granite.status is Status.VALID
    assert granit
    assert (granit.status, granit.successor) == (Status.SUPERSEDED, "uri-gin/azgs/lithology/granite")


def test_the_rules_and_aliases_of_the_examples_are_as_documented() -> None:
    steward, _ = _uploaded()
    names = ["old/", "old/drafts/", "map/HuachucaNorth/", "map/current", "map/Huachuca"]
    held = steward.registry.fetch([f"uri-gin/azgs/{name}" for name in names])

    old, drafts, *aliases = (held[f"uri-gin/azgs/{name}"] for name in names)
    assert [rule.pattern.text for rule in old.rules] == ["{county}/HP_{id}/", ""]
    assert [rule.pass_query for rule in old.rules] == [False, True]
    assert [rule.status_code for rule in drafts.rules] == [410]
    assert [(each.status_code, len(each.stands_for)) for each in aliases if isinstance(each, Alias)] == [
        (301, 1),
        (302, 1),
        (301, 2),
    ]


def test_the_delegations_of_the_examples_are_as_documented() -> None:
    steward, _ = _uploaded()
    names = ["uri-gin/azgs/core/", "uri-gin/azgs/core/photo/"]

    hosts = [steward.registry.fetch([name])[name].answering_host for name in names]

    assert hosts == ["cores.example.org", "resources.usgin.org"]


def test_the_page_names_exactly_the_existing_fields() -> None:
    told = {name for row in _rows(FIELDS_PAGE, "\n## One registration") for name in _named(row[0])}
    of_forms = {name for row in _rows(FIELDS_PAGE, "\n## Representations") for name in _named(row[0])}

    assert told == set(FIELDS)
    assert of_forms == set(REPRESENTATION_FIELDS)
    for alias, field in ALIASES.items():
        assert re.search(
            rf"`{alias}`[^.;]*`{field}`", normalize("NFC", _page(FIELDS_PAGE).replace("\n", " "))
        ), alias


def _takes(record: str, field: str) -> bool:
    """Whether a record of that type has the field; the field is cleared, so that only its name matters."""
    identifier = _KEYS.get(record, "uri-gin/azgs/doc/x/")
    key = "_host/x.jsonl" if record in _KEYS else "uri-gin/azgs/x.jsonl"
    value = "{id}" if field == "pattern" else None  # no pattern is a pattern as well
    report = settled().upload(key, line(identifier, record=record, **{field: value}))
    # The short fields of a form are refused like a form.
    names = {(field, record), ("representations", record), ("pattern", "rule")}
    return names.isdisjoint(rule for broken in report.refused.values() for rule in broken)


@pytest.mark.parametrize("row", list(_rows(FIELDS_PAGE, "\n## One registration")), ids=lambda row: row[0])
def test_the_page_lists_the_fields_of_each_record(row: list[str]) -> None:
    fields = [field for field in _named(row[0]) if field not in {"record", "identifier"}]
    marks = row[1 : len(_RECORDS) + 1]
    told = {record: mark == "×" for record, mark in zip(_RECORDS, marks, strict=True)}

    for field in fields:
        assert {record: _takes(record, field) for record in _RECORDS} == told, field


def test_the_limits_on_the_page_match_the_code() -> None:
    limits = " ".join(_page("reference/limits.md").partition("\n## Uploads")[2].split())

    for told in (
        f"{MOST_BYTES // 1024 // 1024 // 1024} GiB, also unpacked, and {MOST_ROWS:,} lines",
        f"a spreadsheet {MOST_WHOLE_BYTES // 1024 // 1024} MiB; folder",
        f"and name {MOST_KEY_BYTES} bytes",
        f"{MOST_LINE_BYTES // 1024} KiB",
        f"at most {MOST_ROW_LINES}",
        f"{MOST_COLUMNS:,} columns",
        f"{MOST_IDENTIFIER_BYTES:,} bytes and {MOST_SEGMENTS} segments",
        f"{MOST_CHARACTERS:,} characters",
        f"{MOST_RECORD_BYTES:,} bytes, {MOST_REPRESENTATIONS} representations, {MOST_ENTRIES:,} fields",
        f"{MOST_RULES} rules",
        f"{MOST_GRAPH_BYTES // 1024 // 1024} MiB, also unpacked, and {MOST_TRIPLES:,} triples",
        f"{MOST_LINKS} links and {MOST_TRIPLES_BYTES // 1024} kB of triples a subject",
    ):
        assert told in limits


def test_the_endings_on_the_page_match_the_readers() -> None:
    told = [
        name
        for row in _rows("reference/file-formats.md", "\n## Where a file goes")
        for name in _named(row[0])
    ]

    assert tuple(sorted(told)) == tuple(sorted(READABLE))
