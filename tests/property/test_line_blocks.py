"""Lines in packed blocks are those that were written, for every look-up."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from ginuri.published.publications import WORDS, Publication
from ginuri.publishing.search_index.line_writer import LineWriter
from ginuri.search.index import Directory
from ginuri.search.index_reader import IndexReader
from ginuri.search.line_blocks import blocks_with
from infra.published_folder import FolderPublished

# A few long lines fill a block.
LINES = st.lists(
    st.tuples(st.text("ab", max_size=6), st.text("cd", max_size=3), st.just("e" * 9_000)).map("\t".join),
    max_size=40,
)


@given(LINES, st.text("abcd", max_size=7))
def test_the_lines_with_a_prefix_are_found_with_one_read(lines: list[str], beginning: str) -> None:
    with TemporaryDirectory() as name:
        store, directory = FolderPublished(Path(name)), Directory()
        writer = LineWriter(Path(name), WORDS, directory.words)
        for line in sorted(lines):
            writer.add(line)
        file = writer.finish().finish(store, "run", "application/octet-stream")
        index = IndexReader(store, Publication("run", "", len(lines), {WORDS: file}), directory)

        found = index.lines(WORDS, directory.words, beginning, blocks_with(directory.words, beginning))

    assert found == [line for line in sorted(lines) if line.startswith(beginning)]
    assert store.calls <= 1


def test_a_limited_number_of_lines_with_one_beginning_is_written(tmp_path: Path) -> None:
    writer = LineWriter(tmp_path, WORDS, Directory().words, most=2)
    for line in ("a\t1", "a\t2", "a\t3", "ab\t1", "b\t1"):
        writer.add(line)

    written = writer.finish().finish(
        FolderPublished(tmp_path / "published"), "run", "application/octet-stream"
    )
    assert written.lines == 4
