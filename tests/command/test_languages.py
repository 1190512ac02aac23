"""Commands print in the language of the user, and the same in every language for machines."""

from __future__ import annotations

import gettext
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from ginuri.cli.main import main
from tests.command.conftest import DOC, Kept

HEAD = "idspace: HP\nbase_url: /obo/hp\nentries:\n"
FILES = {
    "a.jsonl": '{"identifier": "uri-gin/azgs/doc/a", "title": "A"}\n' * 2,
    "b.jsonl": "x\n",
    "c.jsonl": '{"record": "rule", "identifier": "uri-gin/azgs/doc/", "location": "https://a.example/{+rest}"}\n',
    "empty.txt": "# nothing\n",
    "one.txt": "http://purl.example.org/a\n",
    "hp.yml": f"{HEAD}- exact: wiki\n  replacement: https://a.example/\n- regex: (?i)^/obo/hp/x$\n"
    "  replacement: https://a.example/\n",
    "none.yml": "title: B\n",
    "rules.json": '[{"model": "uriredirect.uriregister", "pk": 1, '
    '"fields": {"label": "a", "url": "https://a.example", "can_be_resolved": "false"}}]',
}
NOBODY = ("--against", "http://127.0.0.1:1", "--service", "http://127.0.0.1:1")
WITHOUT_STACK = (
    ("compare", "http://geon.org:88/uri-gin/azgs/x", "http://a.example/uri-gin/azgs/x"),
    ("compare", "uri-gin/azgs/x", "uri-gin/azgs/x/"),
    ("compare", "news:1%as", "uri-gin/azgs/x"),
    ("parse", "http://purl.example.org/"),
    ("parse", "uri-soil/nrcs/series/tama/"),
    ("parse", "news:1%as"),
    ("diff", "a.jsonl", "a.jsonl"),
    ("diff", "b.jsonl", "b.jsonl"),
    ("import", "obo", "hp.yml"),
    ("import", "obo", "none.yml"),
    ("import", "obo", "hp.yml", "--host", "purl example"),
    ("import", "uriredirect", "rules.json"),
    ("verify", "empty.txt", *NOBODY),
    ("verify", "one.txt", *NOBODY),
    ("verify", "c.jsonl", *NOBODY),
    ("verify", "one.txt", "--against", "ftp://a.example", "--service", "http://127.0.0.1:1"),
    ("export",),
    ("export", "--csv", "--under", "uri-gin/azgs/"),
    ("export", "--to", "new", "--history"),
    ("history", DOC, "--at", "yesterday"),
    ("validate", "empty.txt", "--under", "uri-gin/azgs/"),
    ("relocate", "--from", "http://a.example/", "--to", "http://b.example"),
    ("rollback", "nothing"),
    *((name,) for name in ("redrive", "uploads")),
)
WITH_STACK = (
    ("history", DOC),
    ("history", DOC, "--at", "2000-01-01"),
    ("history", DOC, "--at", "2012-01-01"),
    ("history", f"{DOC}/none"),
    ("history", f"{DOC}/none", "--at", "2012-01-01"),
    ("export", "--under", "uri-gin/usgin/"),
    ("export", "--under", "uri-gin/azgs/", "--output", "out.jsonl"),
    ("export", "--to", "."),
    ("redrive",),
)
_SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
"""Two words in a row: lines without them have only names and values."""
_ENGLISH = ("Usage: ", "Try 'ginuri ", "normal form ", "name authority ", "cited by ")
"""Texts of click itself, and the names of members, which are those of --json."""


def _print(folder: Path, arguments: tuple[str, ...], language: str, environment: dict[str, str]) -> list[str]:
    """Run a command in a language, and return its lines."""
    (folder / "out.jsonl").unlink(missing_ok=True)
    result = CliRunner().invoke(
        main, arguments, env={**environment, "LANGUAGE": language}, prog_name="ginuri"
    )
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output.splitlines()


def _untranslated(folder: Path, arguments: tuple[str, ...], environment: dict[str, str]) -> list[str]:
    english = _print(folder, arguments, "en", environment)
    spanish = _print(folder, arguments, "es", environment)
    assert english != spanish
    return [
        line
        for line in english
        if line in spanish and _SENTENCE.search(line) and not line.startswith(_ENGLISH)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the files that the commands read, and change to their folder."""
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("arguments", WITHOUT_STACK, ids=" ".join)
def test_no_sentence_stays_english_without_a_stack(folder: Path, arguments: tuple[str, ...]) -> None:
    environment = {"GINURI_LOCAL_STACK": str(folder / "missing.json")}

    assert _untranslated(folder, arguments, environment) == []


def test_no_sentence_about_registered_identifiers_stays_english(folder: Path, kept: Kept) -> None:
    kept.state("2011-08-25", title="Wells", properties={"created": "1997-06-01"})

    assert {each: _untranslated(folder, each, kept.environment) for each in WITH_STACK} == {
        each: [] for each in WITH_STACK
    }


def test_json_is_english_in_every_language(folder: Path) -> None:
    for arguments in (WITHOUT_STACK[0], WITHOUT_STACK[8], WITHOUT_STACK[14]):
        printed = {
            language: _print(folder, (*arguments, "--json"), language, {}) for language in ("en", "es")
        }
        lines = {
            language: [line for line in printed[language] if line[:1] in {"{", " "}] for language in printed
        }

        assert lines["en"] == lines["es"] != []


def test_click_reads_its_words_from_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "es")

    help_of_all = CliRunner().invoke(main, ["--help"], prog_name="ginuri").output

    assert "Lee identificadores" in help_of_all
    assert gettext.gettext("Look identifiers up") == "Consultar identificadores"


def test_help_in_another_language_does_not_change_the_next_help() -> None:
    printed = [
        CliRunner().invoke(main, ["parse", "--help"], env={"LANGUAGE": language}, prog_name="ginuri").output
        for language in ("en", "es", "en")
    ]

    assert printed[0] != printed[1]
    assert printed[2] == printed[0]
