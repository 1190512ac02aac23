"""Are templates compiled once, and again after a change of any source?"""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType

import jinja2
import pytest

from ginuri.web.pages.bytecode import TemplateCache


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python may write bytecode."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


class Counted(jinja2.Environment):
    """An environment that counts its compilations."""

    compiled = 0

    def _compile(self, source: str, filename: str) -> CodeType:
        type(self).compiled += 1
        return super()._compile(source, filename)


def write(folder: Path, template: str, *, trim_blocks: bool = True) -> tuple[str, int]:
    """Write a page in an environment of its own; return also the number of compiled templates."""
    loader = jinja2.DictLoader({"a.html": template})
    environment = Counted(loader=loader, autoescape=True, trim_blocks=trim_blocks)
    environment.bytecode_cache = TemplateCache(environment, folder)
    before = Counted.compiled
    written = environment.get_template("a.html").render(name="<b>")
    return written, Counted.compiled - before


def test_a_template_is_compiled_once(tmp_path: Path) -> None:
    folder = tmp_path / "__pycache__"

    assert write(folder, "Hello {{ name }}") == ("Hello &lt;b&gt;", 1)
    assert write(folder, "Hello {{ name }}") == ("Hello &lt;b&gt;", 0)


def test_a_template_that_changed_is_compiled_again(tmp_path: Path) -> None:
    write(tmp_path, "Hello {{ name }}")

    assert write(tmp_path, "Bye {{ name }}") == ("Bye &lt;b&gt;", 1)


def test_a_template_is_compiled_again_under_other_options(tmp_path: Path) -> None:
    template = "{% if name %}\nHello{% endif %}"
    assert write(tmp_path, template) == ("Hello", 1)

    assert write(tmp_path, template, trim_blocks=False) == ("\nHello", 1)


@pytest.mark.parametrize("version", ["3.0.0"])
def test_a_template_is_compiled_again_by_another_jinja2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    write(tmp_path, "Hello")
    monkeypatch.setattr(jinja2, "__version__", version, raising=False)

    assert write(tmp_path, "Hello") == ("Hello", 1)


def test_templates_of_different_folders_have_the_same_bytecode(tmp_path: Path) -> None:
    stored = []
    for name in ("one", "another"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a.html").write_text("{% block b %}Hello {{ name }}{% endblock %}")
        environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True)
        environment.bytecode_cache = TemplateCache(environment, folder / "__pycache__")
        environment.get_template("a.html")
        [written] = (folder / "__pycache__").iterdir()
        stored.append(written.read_bytes())

    assert stored[0] == stored[1]
    assert str(tmp_path).encode() not in stored[0]


def test_an_unwritable_folder_is_no_error(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("no folder")

    assert write(folder, "Hello") == write(folder, "Hello") == ("Hello", 1)


def test_bytecode_is_not_stored_if_python_stores_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    write(tmp_path, "Hello")

    assert not [*tmp_path.iterdir()]
