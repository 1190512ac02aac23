"""The message catalogues: `make catalogues` collects the messages of the code, and updates each language.

A message is a literal in a call that makes messages (`KEYWORDS`), in Python and in templates. The words of
click are collected as well, because it has no catalogues. A new language needs its name (`make catalogues
LANGUAGES=de`) and its translations only.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path

import click
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from ginuri.i18n.catalogue import is_neutral

ROOT = Path(__file__).parents[1]
LOCALES = ROOT / "layers/library/ginuri/i18n/locales"
DOMAIN = "ginuri"
SOURCES = (ROOT / "layers/library/ginuri", ROOT / "functions")
_CLICK = Path(click.__file__).parent
WORDS_OF_CLICK = [
    _CLICK / f"{name}.py" for name in ("core", "decorators", "exceptions", "formatting", "parser", "types")
]
"""The modules of click that print help and refuse arguments."""
KEYWORDS: Mapping[str, Mapping[int, str]] = {
    "message": {0: ""},
    "translatable": {0: ""},
    "Message": {0: "template"},
    "translate": {0: "template"},
    "as_text": {0: "words"},
    "as_html": {0: "words"},
    "Problem": {0: "title", 1: "detail"},
    "Advice": {1: "text"},
    "UnreadableFile": {2: "reason"},
    "refuse": {3: "message"},
    "warn": {3: "message"},
}
"""The calls that make messages, with the position or the name of the argument with the English."""
_PLURAL = "counted"
"""Takes the English for one, and for any other number."""
_IN_ENGLISH = {"UnreadableFile", "refuse", "warn"}
"""Calls that also accept a finished text, which stays English."""
_WIDTH = 100
_HEAD = "# {language} translations for ginuri."

Id = str | tuple[str, str]


def extract(sources: Iterable[Path] = SOURCES) -> Catalog:
    """Collect the messages of modules and templates, or of folders of them.

    Raises ValueError for texts that a catalogue cannot have.
    """
    catalog = Catalog(project=DOMAIN, charset="utf-8")
    for path in WORDS_OF_CLICK if sources is SOURCES else ():
        for _, words, _, _ in extract_from_file("python", path, {"_": None, "ngettext": (1, 2)}):
            catalog.add(words, locations=[(f"click/{path.name}", 0)])
    for source in sources:
        files = [source] if source.is_file() else [*source.rglob("*.py"), *source.rglob("*.html")]
        for path in sorted(files):
            place = str(path.relative_to(source))
            found = _in_template(path) if path.suffix == ".html" else _in_module(path)
            for message in found:
                if not (isinstance(message, str) and is_neutral(message)):
                    catalog.add(message, locations=[(place, 0)])
    return catalog


def read(path: Path) -> Catalog:
    """Read the catalogue of a language, by the name of its folder."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], abort_invalid=True)


def update(known: Catalog, extracted: Catalog) -> None:
    """Update a catalogue: new messages stay untranslated, without guesses."""
    known.update(extracted, no_fuzzy_matching=True, update_creation_date=False)
    known.obsolete.clear()


def write(catalog: Catalog) -> bytes:
    """Write a catalogue as a `.po` file, in which each message names its source."""
    file = BytesIO()
    write_po(file, catalog, width=_WIDTH, sort_output=True, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def compile_catalogue(catalog: Catalog) -> bytes:
    """Compile a catalogue to the format of the standard library."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def update_language(language: str, extracted: Catalog, locales: Path = LOCALES) -> Catalog:
    """Update the `.po` and the `.mo` of a language, and return its figures; a missing one is created."""
    po = locales / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    if po.is_file():
        catalog = read(po)
    else:
        po.parent.mkdir(parents=True)
        catalog = Catalog(locale=language, project=DOMAIN, charset="utf-8", fuzzy=False)
        catalog.header_comment = _HEAD.format(language=catalog.locale and catalog.locale.english_name)
    update(catalog, extracted)
    po.write_bytes(write(catalog))
    po.with_suffix(".mo").write_bytes(compile_catalogue(catalog))
    return catalog


def _in_template(path: Path) -> Iterator[Id]:
    with path.open("rb") as file:
        for _, name, texts, _ in babel_extract(file, ["_", "_text", _PLURAL], (), {"trim_blocks": "true"}):
            first, *others = texts if isinstance(texts, tuple) else (texts,)
            if name == _PLURAL and first and others and others[0]:
                yield first, others[0]
            elif first:
                yield first


def _in_module(path: Path) -> Iterator[Id]:
    module = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    if "cli" in path.parts:
        yield from _help_of(module, functions)
    for scope in (module, *functions):
        literals = _assigned(scope)
        for node in _within(scope):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name == _PLURAL:
                one, many = (_text(argument, path) for argument in node.args[:2])
                yield one, many
            for argument in _arguments(node, KEYWORDS.get(name, {})):
                yield from _literals(argument, literals, "" if name in _IN_ENGLISH else str(path))


def _help_of(module: ast.Module, functions: Sequence[ast.FunctionDef]) -> Iterator[str]:
    """Yield the help of commands, the docstrings of their functions, and of options."""
    for function in functions:
        names = [ast.unparse(decorator).partition("(")[0] for decorator in function.decorator_list]
        if any(name.endswith((".command", ".group")) for name in names) and (
            text := ast.get_docstring(function)
        ):
            yield text
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            yield from (
                keyword.value.value
                for keyword in node.keywords
                if keyword.arg == "help"
                and isinstance(keyword.value, ast.Constant)
                and isinstance(keyword.value.value, str)
            )


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope, except those of functions in it."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, ast.FunctionDef):
            yield from _within(node)


def _assigned(scope: ast.AST) -> Mapping[str, list[ast.expr]]:
    """Return the values assigned to each variable of a scope."""
    assigned: dict[str, list[ast.expr]] = {}
    for node in _within(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    assigned.setdefault(target.id, []).append(node.value)
    return assigned


def _arguments(call: ast.Call, places: Mapping[int, str]) -> Iterator[ast.expr]:
    yield from (call.args[at] for at in places if at < len(call.args))
    yield from (keyword.value for keyword in call.keywords if keyword.arg in places.values())


def _literals(argument: ast.expr, assigned: Mapping[str, list[ast.expr]], path: str) -> Iterator[str]:
    match argument:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from _literals(body, assigned, path)
            yield from _literals(other, assigned, path)
        case ast.Name(id=name):
            # A variable that is assigned from a variable is not followed further.
            for value in assigned.get(name, ()):
                yield from _literals(value, {}, path)
        case ast.JoinedStr() if path:
            fault = f"{path}, line {argument.lineno}: a message is a literal; its values stand beside it"
            raise ValueError(fault)
        case _:
            pass


def _text(argument: ast.expr, path: Path) -> str:
    return next(_literals(argument, {}, str(path)))


def _is_translated(entry: Message) -> bool:
    return bool(entry.string) if isinstance(entry.string, str) else all(entry.string or [None])


def main(languages: list[str]) -> None:
    """Update the existing catalogues, and create those of the named languages."""
    extracted = extract()
    for language in sorted({*languages, *(entry.name for entry in LOCALES.iterdir() if entry.is_dir())}):
        catalog = update_language(language, extracted)
        missing = sum(entry.id != "" and not _is_translated(entry) for entry in catalog)
        print(f"{language}: {len(catalog)} messages, {missing} of them not translated")


if __name__ == "__main__":
    main(sys.argv[1:])
