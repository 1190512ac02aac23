"""A description as a page; the templates stand beside this and are compiled once."""

from __future__ import annotations

from typing import Protocol

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from ginuri.core.description_paths import FORMATS, address
from ginuri.core.model import Status
from ginuri.core.service_paths import LINKSET_TYPES
from ginuri.core.version_names import version_path
from ginuri.descriptions import words
from ginuri.descriptions.description import Description
from ginuri.descriptions.naming import others, refer_elsewhere, refer_to_contact
from ginuri.descriptions.registration_json import record_type
from ginuri.descriptions.ruler import measure, step_up
from ginuri.descriptions.schema_org import write_schema_org
from ginuri.web import plain_words

_FORMAT_NAMES = {
    "html": "Web page",
    "jsonld": "JSON-LD",
    "ttl": "Turtle",
    "rdf": "RDF/XML",
    "nt": "N-Triples",
    "json": "JSON",
    "linkset": "Linkset",
    "links": "Linkset as text",
}


class Frame(Protocol):
    """What puts a body into a whole page: `ginuri.web.pages.write_page`."""

    def __call__(self, title: str, body: str, *, head: str, banner: str, footer: str) -> bytes:
        """Put HTML into the frame; the title is text."""
        ...


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ginuri.descriptions", "templates"),
        autoescape=select_autoescape(default=True),
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    told = vars(plain_words) | vars(words)
    environment.filters |= {name: it for name, it in told.items() if name.startswith("tell_")}
    environment.filters |= {
        "contact": refer_to_contact,
        "elsewhere": refer_elsewhere,
        "version_path": version_path,
    }
    environment.globals |= {"others": others, "Status": Status, "format_names": _FORMAT_NAMES}
    return environment


class PageWriter:
    """Writes pages into a frame that they share with all other pages of the host."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        environment = _environment()
        self._head = environment.get_template("head.html")
        self._banner = environment.get_template("banner.html")
        self._footer = environment.get_template("footer.html")
        self._bodies = {
            name: environment.get_template(f"{name}.html")
            for name in (
                "host",
                "scheme",
                "authority",
                "resource-type",
                "resource",
                "alias",
                "rule",
                "delegation",
            )
        }

    def write(self, description: Description) -> bytes:
        """Write a description as a page, in UTF-8."""
        told = {
            "it": description,
            "record": description.record,
            "ruler": measure(description),
            "above": step_up(description),
            "addresses": {each: address(description.identifier, each) for each in FORMATS},
            "formats": FORMATS,
            "linksets": LINKSET_TYPES,
            "schema_org": write_schema_org(description),
        }
        status = description.record.status
        said_first = "" if status is Status.VALID else f"{status.capitalize()}: "
        return self._frame(
            said_first + description.title.text,
            self._bodies[record_type(description.record)].render(told),
            head=self._head.render(told),
            banner=self._banner.render(told),
            footer=self._footer.render(told),
        )
