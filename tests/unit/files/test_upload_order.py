"""A folder is uploaded in an order in which every file finds what it needs."""

from __future__ import annotations

from pathlib import Path

from ginuri.files.upload_order import lines_of, stages


def write(folder: Path, *names: str) -> Path:
    """Write files into a folder."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")
    return folder


def test_files_and_the_host_are_uploaded_before_the_rest(tmp_path: Path) -> None:
    names = ["uri-gin/azgs/maps.csv", "_host/schemes.jsonl", "uri-gin/azgs/map.pdf", ".git/config.csv"]

    staged = [[key for key, _ in stage] for stage in stages(write(tmp_path, *names))]

    assert staged == [["_host/schemes.jsonl", "uri-gin/azgs/map.pdf"], ["uri-gin/azgs/maps.csv"]]


def test_a_folder_without_a_host_gets_the_host_of_the_examples(tmp_path: Path) -> None:
    examples = write(tmp_path / "examples", "_host/schemes.jsonl", "uri-gin/azgs/maps.csv")
    folder = write(tmp_path / "mine", "uri-gin/mine/a.csv")

    staged = [[key for key, _ in stage] for stage in stages(folder, examples)]

    assert staged == [["_host/schemes.jsonl"], ["uri-gin/mine/a.csv"]]


def test_registry_files_of_one_outermost_folder_wait_for_each_other(tmp_path: Path) -> None:
    stage = [(key, tmp_path) for key in ("a/1.csv", "b/1.csv", "b/c/2.csv", "b/map.pdf")]

    lines = [[key for key, _ in line] for line in lines_of(stage)]

    assert lines == [["b/1.csv", "b/c/2.csv"], ["a/1.csv"], ["b/map.pdf"]]
