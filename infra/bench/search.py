"""`python -m infra.bench.search`: the CPU to publish a record, and the reads of a search, by size.

Made-up records go through the job's own flow into a folder in place of S3; searches go through the function's
own searcher, and its reads are counted. Each size has a process of its own.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from ginuri.published.publications import DIRECTORY, Publications
from ginuri.publishing.flow import publish
from ginuri.publishing.search_index.index_writer import IndexWriter
from ginuri.search.beginnings import MOST_CANDIDATES, titles_with
from ginuri.search.corrections import correct
from ginuri.search.searcher import Searcher, SearchQuery
from infra.bench.machine import describe_machine
from infra.bench.table import write_machine, write_rows
from infra.published_folder import FolderPublished

SIZES = (1_000, 100_000, 1_000_000)
"""Numbers of records."""
_MIB = 1024 * 1024
_AUTHORITIES = 50
_WORDS = 20_000
_TIMES = 11
_QUESTIONS = {
    "an identifier's own word": SearchQuery("nid0000777"),
    "two common words": SearchQuery("geologic map", is_completed=False),
    "three words of a title": SearchQuery("geologic map of w00042"),
    "a beginning": SearchQuery("geologic map w0004"),
    "a common word, one authority": SearchQuery("map", under="uri-gin/a07/"),
    "a rare and a common word": SearchQuery("w19000 map"),
    "common words that no title has together": SearchQuery("geologic report absentis"),
    "a misspelt common word": SearchQuery("geolgoic w00042"),
    "a misspelt rare word": SearchQuery("map w0042"),
    "nothing like it": SearchQuery("phlogiston"),
}
_TYPED = {
    "words": "geologic map of w0004",
    "a word within titles": "w0004",
    "an identifier": "uri-gin/a07/doc/map/nid00",
}


class MadeUp:
    """So many records: titles of common words and of ever rarer ones, as in natural languages."""

    def __init__(self, size: int) -> None:
        self._size = size

    def stored(self) -> Iterator[tuple[str, str, str]]:
        """Yield the records in no order."""
        random = Random(7)  # noqa: S311  not for secrets
        for place in range(_AUTHORITIES):
            yield f"uri-gin/a{place:02d}/", "2013-05-17T10:04:31.120Z", '{"record":"authority"}'
        for number in range(self._size):
            rare = [f"w{int(_WORDS ** random.random()):05d}" for _ in range(4)]
            kind = random.choice(("map", "report", "dataset"))
            title = " ".join(("Geologic", kind, "of", *rare))
            form = {"0": {"media_type": "application/pdf", "location": f"https://example.org/{number}.pdf"}}
            body = {"record": "resource", "title": {"en": title}, "representations": form}
            name = f"uri-gin/a{number * 7 % _AUTHORITIES:02d}/doc/{kind}/nid{number:07d}/"
            yield name, "2013-05-17T10:04:31.120Z", json.dumps(body)


def _measure(size: int) -> dict[str, Any]:
    """Publish so many records, and search them; in this process."""
    with TemporaryDirectory() as name:
        store = FolderPublished(Path(name))
        gc.collect()
        before = resource.getrusage(resource.RUSAGE_SELF)
        publication = publish(MadeUp(size), (), store, "resources.example.org", make_index=IndexWriter)
        after = resource.getrusage(resource.RUSAGE_SELF)
        index = sum(file.length for key, file in publication.files.items() if key.startswith("search/"))
        data = publication.files["registry.jsonl.gz"].length
        return {
            "size": size,
            "cpu": (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / size * 1e6,
            "peak": (after.ru_maxrss - before.ru_maxrss) / 1024,
            "index": index / _MIB,
            "directory": publication.files[DIRECTORY].length / 1024,
            "data": data / _MIB,
            "searches": [_search(store, name, question) for name, question in _QUESTIONS.items()],
            "suggestions": [_suggest(store, name, text) for name, text in _TYPED.items()],
        }


def _search(store: FolderPublished, name: str, question: SearchQuery) -> dict[str, Any]:
    searcher = Searcher(Publications(store, time.monotonic))
    searcher.search(SearchQuery(""))  # the current run and its directory are in memory
    seconds = []
    store.calls = store.bytes_read = 0
    for _ in range(_TIMES):
        started = time.perf_counter()
        found = searcher.search(question)
        if found is None:
            raise AssertionError("it was published")
        corrections = correct(searcher, question, found)
        seconds.append(time.perf_counter() - started)
        shown = corrections.matches if corrections else found
    return {
        "name": name,
        "total": f"{'more than ' if shown.is_cut else ''}{shown.total:,}",
        "calls": store.calls / _TIMES,
        "kib": store.bytes_read / _TIMES / 1024,
        "milliseconds": median(seconds) * 1000,
    }


def _suggest(store: FolderPublished, name: str, text: str) -> dict[str, Any]:
    index = Searcher(Publications(store, time.monotonic)).index()
    if index is None:
        raise AssertionError("it was published")
    seconds = []
    store.calls = store.bytes_read = 0
    for _ in range(_TIMES):
        started = time.perf_counter()
        found = index.names_with(text, MOST_CANDIDATES) if "/" in text else titles_with(index, text)
        seconds.append(time.perf_counter() - started)
    return {
        "name": f"typed: {name}",
        "total": f"{len(found)}",
        "calls": store.calls / _TIMES,
        "kib": store.bytes_read / _TIMES / 1024,
        "milliseconds": median(seconds) * 1000,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print two tables."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.search", description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--one", action="store_true", help="measure one size in this process, as JSON")
    options = parser.parse_args(arguments)
    if options.one:
        print(json.dumps(_measure(options.sizes[0])))
        return 0
    measurements = [_in_a_fresh_process(size) for size in options.sizes]
    headings = ("records", "CPU µs a record", "peak MiB", "index MiB", "directory KiB", "data set MiB")
    rows = [
        (
            f"{measurement['size']:,}",
            f"{measurement['cpu']:.0f}",
            f"{measurement['peak']:.0f}",
            f"{measurement['index']:.1f}",
            f"{measurement['directory']:.0f}",
            f"{measurement['data']:.1f}",
        )
        for measurement in measurements
    ]
    print(write_rows([headings, *rows]))
    for measurement in measurements:
        print(f"\nSearches among {measurement['size']:,}:\n")
        searches = [
            (s["name"], s["total"], f"{s['calls']:.0f}", f"{s['kib']:.0f}", f"{s['milliseconds']:.1f}")
            for s in (*measurement["searches"], *measurement["suggestions"])
        ]
        print(write_rows([("search", "found", "reads", "KiB", "ms"), *searches]))
    print(f"\n{write_machine(describe_machine())}")
    return 0


def _in_a_fresh_process(size: int) -> Any:  # noqa: ANN401  JSON
    command = [sys.executable, "-m", "infra.bench.search", "--one", str(size)]
    ran = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True)  # noqa: S603  our own module
    return json.loads(ran.stdout)


if __name__ == "__main__":
    sys.exit(main())
