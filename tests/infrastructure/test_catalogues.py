"""Do the message catalogues have all messages of the code, and do pages use a language once it has one?"""

from __future__ import annotations

import os
import shutil
import string
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from click import Command, Context, Group, Option

from ginuri.cli.main import main
from infra.catalogues import (
    DOMAIN,
    LOCALES,
    compile_catalogue,
    extract,
    read,
    update,
    update_language,
    write,
)

LANGUAGES = sorted(each.name for each in LOCALES.iterdir() if each.is_dir())


@pytest.fixture(scope="module")
def extracted() -> Catalog:
    return extract()


def _forms(text: object) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_matches_its_source(language: str) -> None:
    po = LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    catalog = read(po)

    assert po.read_bytes() == write(catalog)
    assert po.with_suffix(".mo").read_bytes() == compile_catalogue(catalog)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_exactly_the_messages_of_the_code(language: str, extracted: Catalog) -> None:
    catalog = read(LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po")

    assert {each.id for each in catalog} == {each.id for each in extracted}


@pytest.mark.parametrize("path", [("upload",), ("token", "create")], ids=" ".join)
def test_the_help_of_every_option_is_collected(path: tuple[str, ...], extracted: Catalog) -> None:
    command: Command = main
    for name in path:
        assert isinstance(command, Group)
        found = command.get_command(Context(command), name)
        assert found is not None
        command = found

    helps = {each.help for each in command.params if isinstance(each, Option)}
    assert helps - {each.id for each in extracted} <= {None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated_and_none_is_fuzzy(language: str, extracted: Catalog) -> None:
    catalog = read(LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po")
    said = {each.id for each in extracted if each.id}

    assert [each.id for each in catalog if each.id in said and not all(_forms(each.string))] == []
    assert [each.id for each in catalog if each.id and each.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_values_of_its_english(language: str) -> None:
    catalog = read(LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po")
    others = [
        (each.id, form)
        for each in catalog
        if each.id
        for form in _forms(each.string)
        if form and _placeholders(form) not in map(_placeholders, _forms(each.id))  # click's forms differ
    ]

    assert others == []


def test_a_reworded_message_is_untranslated_and_the_old_one_removed() -> None:
    known, extracted = Catalog(locale="de"), Catalog()
    known.add("About this registry", "Über dieses Verzeichnis")
    known.add("About this page", "Über diese Seite")
    extracted.add("About this registry")
    extracted.add("About that page")

    update(known, extracted)

    assert {each.id: each.string or "" for each in known if each.id} == {
        "About this registry": "Über dieses Verzeichnis",
        "About that page": "",
    }
    assert b"About this page" not in write(known)


def test_the_words_of_click_are_among_the_messages(extracted: Catalog) -> None:
    words = {each.id for each in extracted}

    assert {"Usage:", "Options", "Show this message and exit.", "No such option {name!r}."} <= words


def test_a_message_with_an_inserted_value_is_refused(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text('message(f"No {thing}.")\n', encoding="utf-8")

    with pytest.raises(ValueError, match="line 1: a message is a literal"):
        extract([tmp_path])


def test_a_new_language_needs_only_a_catalogue(tmp_path: Path, extracted: Catalog) -> None:
    package = shutil.copytree(LOCALES.parents[1], tmp_path / "ginuri")
    german = update_language("de", extracted, package / "i18n" / "locales")
    german["About this registry"].string = "Über dieses Verzeichnis"
    folder = package / "i18n" / "locales" / "de" / "LC_MESSAGES"
    (folder / f"{DOMAIN}.po").write_bytes(write(german))
    update_language("de", extracted, package / "i18n" / "locales")
    script = (
        "from http import HTTPStatus as S\n"
        "from ginuri.identifiers.messages import message\n"
        "from ginuri.resolution.negotiation.negotiation import Preferences\n"
        "from ginuri.web.answers.problems import Problem, write_problem\n"
        "problem = Problem('This identifier is retired', message('{it}', it='x'))\n"
        "answer = write_problem(S.GONE, problem, Preferences('text/html', 'de'), ())\n"
        "print(str(answer.body, 'utf-8'))"
    )
    page = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    ).stdout

    assert '<html lang="de">' in page
    assert "Über dieses Verzeichnis" in page
    assert '<h1><span lang="en" dir="auto">This identifier is retired</span></h1>' in page
