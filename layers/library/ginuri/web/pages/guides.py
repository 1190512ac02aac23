"""The guides for stewards and developers: pieces of pages from `make guides`, in the frame."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode

from markupsafe import Markup

from ginuri.frozen import Frozen
from ginuri.identifiers.messages import translatable
from ginuri.identifiers.service_paths import DOCS
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.web.pages.environment import write_page

_FOLDER = files("ginuri.web.pages").joinpath("guides")
_READERS = {"stewards": translatable("For stewards"), "developers": translatable("For developers")}
_ANY_HOST = "http://host.invalid"
"""The placeholder for the host in a guide."""


class Guide(Frozen):
    """A guide, without its text."""

    name: str
    title: str
    summary: str
    headings: Sequence[Sequence[str]]
    """The anchor and the text of each section."""
    reader: str
    """Its readers: `stewards` or `developers`."""

    @property
    def path(self) -> str:
        """The address of the guide."""
        return f"/{DOCS}/{self.name}/"


@cache
def list_guides() -> Mapping[str, Guide]:
    """List the guides by name, in reading order."""
    contents: Mapping[str, Sequence[Mapping[str, object]]] = json.loads(
        _FOLDER.joinpath("contents.json").read_bytes()
    )
    guides = (Guide(**stated, reader=reader) for reader, listed in contents.items() for stated in listed)  # type: ignore[arg-type]  # as `make guides` wrote it
    return {guide.name: guide for guide in guides}


def write_contents(languages: Languages = ()) -> bytes:
    """Write the page that lists the guides, in UTF-8."""
    readers = [
        (name, words, [guide for guide in list_guides().values() if guide.reader == name])
        for name, words in _READERS.items()
    ]
    return write_page("guides", languages, here=f"/{DOCS}/", readers=readers)


def write_found(text: str, languages: Languages = ()) -> bytes:
    """Write the page of the sections of guides with the words of a text, in UTF-8."""
    from ginuri.web.pages.guide_search import search_guides

    here = f"/{DOCS}/?{urlencode({'q': text}, errors='replace')}"
    return write_page("guides_found", languages, here=here, text=text, matches=search_guides(text))


def write_guide(name: str, host: str, languages: Languages = ()) -> bytes:
    """Write the page of a guide, in UTF-8; its calls name a host. Raises KeyError."""
    guide = list_guides()[name]
    same = [other for other in list_guides().values() if other.reader == guide.reader]
    at = same.index(guide)
    text = _FOLDER.joinpath(f"{name}.html").read_text(encoding="utf-8")
    return write_page(
        "guide",
        languages,
        here=guide.path,
        guide=guide,
        readers=_READERS[guide.reader],
        text=Markup(text.replace(_ANY_HOST, f"http://{host}")),  # noqa: S704  written by `make guides`
        previous=same[at - 1] if at else None,
        next=same[at + 1] if at + 1 < len(same) else None,
    )
