"""Are all registered records published, well-formed, and current at once?"""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from ginuri.published.publications import CURRENT, Publication, read_publication
from ginuri.publishing import feed
from ginuri.publishing.flow import publish
from ginuri.publishing.search_index.index_writer import MOST_WORDS, words_to_index
from ginuri.publishing.sitemaps import SitemapWriter
from ginuri.registry.reading import read_registered
from infra.published_folder import FolderPublished
from tests.publishing import CHANGED, HOST, NOON, Standing, published, title
from tests.steward import write_registry

RECORDS: dict[str, dict[str, Any]] = {
    "uri-gin/": title("Scheme", record="scheme", trusted_hosts=["resources.usgin.org"]),
    "uri-gin/azgs/": title("Arizona", record="authority", contact="mailto:metadata@azgs.example"),
    "uri-gin/azgs/doc/a&b/": title("Geologic map"),
    "uri-gin/azgs/doc/later/": title("Later", status="reserved"),
    "uri-gin/azgs/doc/lost/": title("Lost", status="retired"),
    "uri-gin/azgs/doc/other/": {"record": "alias", "stands_for": ["uri-gin/azgs/doc/a&b/"]},
    "uri-gin/cgs/": title("Colorado", record="authority", trusted_hosts=["id.cgs.example"]),
    "uri-gin/cgs/doc/1/": title("Wells"),
    "uri-gin/cgs/rules/": {"record": "rule", "rules": {"": {"status_code": 404}}},
}
SITEMAPS = {"": "http://www.sitemaps.org/schemas/sitemap/0.9"}
ATOM = {"": "http://www.w3.org/2005/Atom"}


def addresses(store: FolderPublished, publication: Publication) -> dict[str, list[str]]:
    found = {}
    for name, host in publication.sitemaps.items():
        written = store.read(publication.key(name))
        assert written is not None
        root = ET.fromstring(gzip.decompress(written))  # noqa: S314  our own
        assert {each.text for each in root.iterfind("*/lastmod", SITEMAPS)} == {CHANGED}
        found[host] = [each.text or "" for each in root.iterfind("*/loc", SITEMAPS)]
    return found


def test_the_data_set_has_the_lines_of_a_full_export(tmp_path: Path) -> None:
    store, publication = published(tmp_path, RECORDS)

    written = gzip.decompress(store.read(publication.key("registry.jsonl.gz")) or b"").decode().splitlines()

    standing = [(name, {"record": "resource", **values}) for name, values in RECORDS.items()]
    folders = ("_host/", "uri-gin/azgs/", "uri-gin/cgs/")
    assert sorted(written) == sorted(it for folder in folders for it in write_registry(standing, folder))
    assert publication.files["registry.jsonl.gz"].lines == len(written)
    assert publication.records == len(RECORDS)
    named = [json.loads(line)["identifier"] for line in written]
    assert named == sorted(named)


def test_the_same_registry_gives_the_same_bytes(tmp_path: Path) -> None:
    _, first = published(tmp_path / "1", RECORDS)
    _, second = published(tmp_path / "2", dict(reversed(RECORDS.items())))

    assert first.files == second.files


def test_sitemaps_list_each_answered_identifier_on_its_cited_host(tmp_path: Path) -> None:
    store, publication = published(tmp_path, RECORDS)

    assert addresses(store, publication) == {
        "resources.usgin.org": [
            "http://resources.usgin.org/uri-gin/",
            "http://resources.usgin.org/uri-gin/azgs/",
            "http://resources.usgin.org/uri-gin/azgs/doc/a&b/",
        ],
        "id.cgs.example": ["http://id.cgs.example/uri-gin/cgs/", "http://id.cgs.example/uri-gin/cgs/doc/1/"],
    }


@pytest.mark.parametrize(("length", "counts"), [(10, [50_000, 2]), (1_100, [42_881, 7_121])])
def test_a_sitemap_has_fifty_thousand_addresses_or_fifty_megabytes_at_most(
    tmp_path: Path, length: int, counts: list[int]
) -> None:
    store = FolderPublished(tmp_path / "store")
    (tmp_path / "work").mkdir()
    writer = SitemapWriter(tmp_path / "work", store, "run")
    for _ in range(50_002):
        writer.add(HOST, "x" * length, CHANGED)
    writer.finish()

    assert [file.lines for file in writer.files.values()] == counts
    for name in writer.files:
        assert len(gzip.decompress(store.read(f"run/{name}") or b"")) <= 50_000_000


def test_runs_before_the_last_are_deleted_after_an_hour(tmp_path: Path) -> None:
    moments = [NOON, NOON + timedelta(minutes=30), NOON + timedelta(hours=2), NOON + timedelta(hours=3)]
    runs = []
    for moment in moments:
        store, publication = published(tmp_path, RECORDS, moment)
        runs.append(publication.run)

    kept = {key.partition("/")[0] for key in store.list_keys()} - {CURRENT}

    assert kept == set(runs[2:])
    assert read_publication(store.read(CURRENT) or b"") == publication


def test_a_failed_run_keeps_the_current_one(tmp_path: Path) -> None:
    class Broken(Standing):
        def stored(self) -> Any:
            raise OSError

    store, publication = published(tmp_path, RECORDS)

    with pytest.raises(OSError):  # noqa: PT011  it has no words
        publish(Broken(RECORDS), (), store, HOST, lambda: NOON + timedelta(days=1))

    assert read_publication(store.read(CURRENT) or b"") == publication


def uploads(number: int, **told: Any) -> dict[str, dict[str, Any]]:
    return {
        f"uri-gin/azgs/maps {day}.csv/v{day}.summary.json": {
            "put": f"2011-08-{day:02d}T17:29:00.000Z",
            "counts": {"registered": day, "changed": 0, "refused": 1},
            "submitter": "Ada <ada@azgs.example>",
            "reason": "secret",
            **told,
        }
        for day in range(number, 0, -1)
    }


def written_feed(folder: Path, told: dict[str, dict[str, Any]]) -> tuple[str, ET.Element]:
    store = FolderPublished(folder)
    summaries = ((key, json.dumps(summary).encode()) for key, summary in told.items())
    publication = publish(Standing(RECORDS), summaries, store, HOST, lambda: NOON)
    text = (store.read(publication.key("feed.atom")) or b"").decode()
    return text, ET.fromstring(text)  # noqa: S314  our own


def test_the_feed_lists_uploads_with_the_newest_first(tmp_path: Path) -> None:
    _, root = written_feed(tmp_path, uploads(2))

    assert root.findtext("updated", None, ATOM) == "2011-08-02T17:29:00.000Z"
    first, second = root.iterfind("entry", ATOM)
    assert first.findtext("title", None, ATOM) == "uri-gin/azgs/maps 2.csv: 2 registered"
    assert second.findtext("title", None, ATOM) == "uri-gin/azgs/maps 1.csv: 1 registered"
    assert first.findtext("author/name", None, ATOM) == "Arizona"
    assert first.findtext("id", "", ATOM).startswith("urn:uuid:")
    assert first.findtext("id", None, ATOM) != second.findtext("id", None, ATOM)
    link = first.find("link", ATOM)
    assert link is not None
    assert link.get("href") == f"http://{HOST}/about/uri-gin/azgs/"


def test_the_feed_has_no_submitters_and_no_reasons(tmp_path: Path) -> None:
    text, _ = written_feed(tmp_path, uploads(3))

    assert "ada" not in text.casefold()
    assert "secret" not in text


def test_the_feed_omits_uploads_without_changes(tmp_path: Path) -> None:
    told = {
        **uploads(1, dry_run=True),
        "a/b.csv/v.summary.json": {"put": CHANGED, "counts": {"unchanged": 3}},
        "a/c.pdf/v.summary.json": {"put": CHANGED, "stored": True, "counts": {}},
    }

    _, root = written_feed(tmp_path, told)

    assert root.find("entry", ATOM) is None
    assert root.findtext("updated", None, ATOM) == "2011-08-26T12:00:00Z"


def test_the_feed_has_fifty_entries_at_most(tmp_path: Path) -> None:
    many = {
        f"uri-gin/azgs/{n}.csv/v.summary.json": {"put": CHANGED, "counts": {"changed": 1}} for n in range(60)
    }

    _, root = written_feed(tmp_path, many)

    assert len(list(root.iterfind("entry", ATOM))) == feed.MOST_ENTRIES


def test_a_key_is_listed_without_the_characters_that_xml_excludes(tmp_path: Path) -> None:
    told = {"_host/a\x07&<.csv/v.summary.json": {"put": CHANGED, "counts": {"changed": 1}}}

    _, root = written_feed(tmp_path, told)

    assert root.findtext("entry/title", None, ATOM) == "_host/a&<.csv: 1 changed"


def test_a_record_is_found_by_at_most_two_hundred_words() -> None:
    record = read_registered("uri-gin/azgs/doc/a/", title(" ".join(map(str, range(500)))), CHANGED)

    assert len(words_to_index(record)) == MOST_WORDS
