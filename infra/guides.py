"""`make guides`: the guides and the interface as pieces of pages, for the frame of the describe function."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import quote

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown import Markdown
from markupsafe import Markup, escape

from ginuri.identifiers.service_paths import ABOUT
from ginuri.resolution.descriptions.formats import FORMATS
from infra.docs import FOLDER
from infra.openapi import WRITTEN

GUIDES = FOLDER.parent / "layers" / "library" / "ginuri" / "web" / "pages" / "guides"
SITE = "https://ginuri.github.io/ginuri/"
"""The address of pages that are no guides."""
HOST = "http://host.invalid"
"""A placeholder for the host that serves the pages."""
API = "api"
CONTENTS: Mapping[str, tuple[str, ...]] = {
    "stewards": (
        "tutorials/first-ten-rows",
        "how-to/install-the-command",
        "how-to/upload-a-file",
        "how-to/read-a-report",
        "how-to/repair-a-file",
        "how-to/attach-files",
        "how-to/change-registrations",
        "how-to/retire-identifiers",
        "how-to/withhold-an-identifier",
        "how-to/publish-versions",
        "how-to/redirect-a-prefix",
        "how-to/answer-dois",
        "how-to/upload-a-vocabulary",
        "how-to/undo-an-upload",
        "reference/registrations",
        "reference/file-formats",
        "reference/statuses",
        "reference/identifiers",
    ),
    "developers": (
        "how-to/look-up-an-identifier",
        "how-to/search",
        "tutorials/first-parse",
        "reference/answers",
        "reference/negotiation-and-caching",
        "reference/descriptions",
        "reference/lists-and-links",
        "reference/services",
        "reference/published",
        "reference/commands",
    ),
}
"""The guides for each kind of reader, in the order in which they are listed."""
_PAGES = {page: PurePosixPath(page).name for pages in CONTENTS.values() for page in pages}
_LINK = re.compile(r'(?<=<a href=")([^"]*)')
_TITLE = re.compile(r'^(```\w*) title="([^"]*)"$', re.MULTILINE)
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_CODE = re.compile("`([^`]*)`")
_SCROLLED = '<div class="scroll" tabindex="0">{}</div>'
# Values for parameters of a path or a query that have no example in the interface.
_EXAMPLES = {
    "identifier": "uri-gin/azgs/",
    "q": "map",
    "uri": "http://resources.usgin.org/uri-gin/azgs/",
    "file": "style.css",
    "guide": "upload-a-file/",
    "name": "1.xml.gz",
    "service": "N2L",
}
_CITED = "uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/"
_SPECIAL_EXAMPLES = {
    "/timemap": "www.legislation.gov.uk/ukpga/1985/67",
    **{f"/{ABOUT}.{row.extension}/": _CITED for row in FORMATS.values() if row.is_citation},
}
"""Identifiers for the paths that not every identifier has, by the beginning of the path."""

_PLACE = re.compile(r"\{(\w+)\}")
_SECURED_EXAMPLES = {
    "identifier": "uri-gin/azgs/doc/map/dgm-50",
    "key": "uri-gin/azgs/maps.csv",
    "version": "3HL4kqtJlcpXrof3vjVBH40Nrjfkd",
    "id": "84b2be94e2d26053",
}
_QUERIES = {
    ("post", "/api/uploads"): "?folder=uri-gin/azgs/&name=maps.csv",
    ("get", "/api/records"): "?under=uri-gin/azgs/doc/",
}
_BODIES = {
    "upload": "@maps.csv",
    "readRecords": '{"names": ["uri-gin/azgs/doc/map/dgm-50"]}',
    "replaceRecord": '{"title": "Geologic map of Yuma", "location": "https://maps.example.org/50"}',
    "changeRecord": '{"title": "Geologic map of Yuma and its surroundings"}',
    "mint": '{"prefix": "uri-gin/azgs/doc/", "registration": {"title": "Well log"}}',
    "createToken": '{"name": "nightly", "folders": ["uri-gin/azgs/doc/"], "days": 30}',
}
"""The bodies of requests with a token, by operation."""


class Guide(NamedTuple):
    """A guide: its name in the address, its title, its summary, and its piece of a page."""

    name: str
    title: str
    summary: str
    content: str
    headings: list[tuple[str, str]]


def render(page: str) -> Guide:
    """Render a page of the documentation, by its path in `docs` without the extension."""
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    markdown = Markdown(
        extensions=["tables", "toc", "fenced_code", "sane_lists"],
        extension_configs={
            "toc": {"slugify": _anchor},
        },
    )
    html = markdown.convert(_TITLE.sub(_head, text))
    html = _LINK.sub(lambda found: str(escape(_lead(page, found[1]))), html)
    html = _TABLE.sub(lambda found: _SCROLLED.format(found[0]), html)
    tokens = markdown.toc_tokens[0]
    opening = re.sub(r"\s+", " ", re.sub("<[^>]*>", "", html.partition("<p>")[2].partition("</p>")[0]))
    headings = [(child["id"], child["name"]) for child in tokens["children"]]
    return Guide(_PAGES[page], tokens["name"], _first_sentence(opening), html, headings)


def render_interface() -> Guide:
    """Render the interface: each operation with its answers, and a command that sends it."""
    document: Mapping[str, Any] = yaml.safe_load(WRITTEN.read_text(encoding="utf-8"))
    operations = list(_operations(document))
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["code"] = lambda text: Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704  escaped
    title = "HTTP API"
    content = environment.get_template("interface.html").render(
        title=title, description=document["info"]["description"].split("\n\n"), operations=operations
    )
    headings = [(operation["anchor"], operation["name"]) for operation in operations]
    return Guide(
        API,
        title,
        "Every path, what it takes and what it answers, each with a line to try.",
        content,
        headings,
    )


class Call(NamedTuple):
    """A request for an operation: its path in the interface, what to send, and the body as curl takes it."""

    path: str
    method: str
    target: str
    body: str
    is_with_token: bool

    def write_curl(self) -> str:
        """Write the command that sends it."""
        stated = [f"-X {self.method}"] if self.method not in {"GET", "POST"} else []
        if self.is_with_token:
            stated.append('-H "Authorization: Bearer $GINURI_TOKEN"')
        if self.body.startswith("@"):
            stated.append(f"--data-binary {self.body}")
        elif self.body:
            stated.append(f"-H 'Content-Type: application/json' -d '{self.body}'")
        elif self.method == "POST":
            stated.append("-X POST")
        return " ".join(("curl -i", *stated, f"'{HOST}{self.target}'"))


def calls(document: Mapping[str, Any]) -> Iterator[Call]:
    """Yield a request for each operation."""
    for path, operations in document["paths"].items():
        for method in ("get", "post", "put", "patch", "delete"):
            if method in operations:
                operation = operations[method]
                is_with_token = "security" in operation
                target = (
                    _secured_target(path, method) if is_with_token else _target(path, operations, operation)
                )
                body = _BODIES.get(operation["operationId"], "") if is_with_token else _looked_up(method)
                yield Call(path, method.upper(), target, body, is_with_token)


def _operations(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for call in calls(document):
        operation = document["paths"][call.path][call.method.lower()]
        yield {
            "anchor": operation["operationId"],
            "name": f"{call.method} {call.path}",
            "summary": operation["summary"],
            "description": operation.get("description", "").split("\n\n"),
            "call": call.write_curl(),
            "answers": [
                _answer(document, status, answer) for status, answer in operation["responses"].items()
            ],
        }


def _answer(document: Mapping[str, Any], status: str, answer: Mapping[str, Any]) -> tuple[str, str, str]:
    if "$ref" in answer:
        answer = document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    return status, answer["description"], ", ".join(answer.get("content", {}))


def _target(path: str, operations: Mapping[str, Any], operation: Mapping[str, Any]) -> str:
    name = path.partition("{")[2].partition("}")[0]
    special = (example for beginning, example in _SPECIAL_EXAMPLES.items() if path.startswith(beginning))
    example = next(special, _EXAMPLES.get(name, ""))
    target = path.replace(f"{{{name}}}", example)
    stated = (*operations.get("parameters", ()), *operation.get("parameters", ()))
    names = [parameter.get("name") or parameter["$ref"].rpartition("/")[2] for parameter in stated]
    asked = next((name for name in names if name in {"q", "uri"}), None)
    if path.startswith("/uri-res"):
        return f"{target}?{_EXAMPLES['identifier']}"
    return f"{target}?{asked}={quote(_EXAMPLES[asked], safe='')}" if asked else target


def _secured_target(path: str, method: str) -> str:
    """Return the target of a request with a token: a name in a path is one escaped segment."""
    target = _PLACE.sub(lambda found: quote(_SECURED_EXAMPLES[found[1]], safe=""), path)
    return f"{target}{_QUERIES.get((method, path), '')}"


def _looked_up(method: str) -> str:
    return '["uri-gin/azgs/"]' if method == "post" else ""


def _anchor(heading: str, separator: str) -> str:
    # The same anchors as on the site.
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def _head(fence: re.Match[str]) -> str:
    # The title of commands is for `make docs`; the title of a file is its name.
    return fence[1] if fence[1].endswith("console") else f"**`{fence[2]}`**\n\n{fence[1]}"


def _lead(page: str, target: str) -> str:
    """Return the target of a link: a guide, or a page on the site of the documentation."""
    address, hash_, anchor = target.partition("#")
    if not address or re.match(r"[a-z]+:", address):
        return target
    found = (FOLDER / f"{page}.md").parent.joinpath(address).resolve().relative_to(FOLDER)
    name = _PAGES.get(str(found.with_suffix("")))
    if name:
        return f"/docs/{name}/{hash_}{anchor}"
    return f"{SITE}{found.with_suffix('')}/{hash_}{anchor}" if found.suffix == ".md" else f"{SITE}{found}"


def _first_sentence(paragraph: str) -> str:
    sentence, stop, _ = paragraph.partition(". ")
    return sentence + stop.rstrip()


def files() -> dict[Path, str]:
    """Return the served files, each with its content."""
    guides = {kind: [render(page) for page in pages] for kind, pages in CONTENTS.items()}
    guides["developers"].insert(0, render_interface())
    contents = {
        kind: [
            {"name": g.name, "title": g.title, "summary": g.summary, "headings": g.headings} for g in listed
        ]
        for kind, listed in guides.items()
    }
    written = {GUIDES / "contents.json": json.dumps(contents, ensure_ascii=False, indent=1) + "\n"}
    written |= {GUIDES / f"{g.name}.html": f"{g.content}\n" for listed in guides.values() for g in listed}
    return written


def main() -> None:
    """Write the files, and remove all others."""
    GUIDES.mkdir(exist_ok=True)
    written = files()
    for file in set(GUIDES.iterdir()) - set(written):
        file.unlink()
    for file, content in written.items():
        file.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
