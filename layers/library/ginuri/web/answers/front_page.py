"""The response to a browser's request for `/`."""

from __future__ import annotations

from http import HTTPStatus

from ginuri.i18n.translation import page_language
from ginuri.identifiers.service_paths import description_path
from ginuri.published.figures import Figures
from ginuri.resolution.descriptions.decision import FrontPage
from ginuri.resolution.descriptions.formats import COMMON_FORMATS, HTML
from ginuri.resolution.links import Link
from ginuri.web.headers import CORS, FRESH_SECONDS, cache
from ginuri.web.links import join_links
from ginuri.web.pages.frame import page_headers
from ginuri.web.pages.front import write_front
from ginuri.web.response import Headers, Response

_VARY: Headers = (("Vary", "Accept, Accept-Language"),)


def write_front_page(outcome: FrontPage, figures: Figures | None, *, is_empty: bool = False) -> Response:
    """Write the front page, without figures before the first publication; an empty one is never fresh.

    It is 200 on an unregistered host as well: it shows the registry, which answers on every host.
    """
    headers = (
        *page_headers(page_language(outcome.languages)),
        *_VARY,
        ("Link", join_links(_links(outcome))),
        *cache(0 if is_empty else FRESH_SECONDS),
        *CORS,
    )
    return Response(HTTPStatus.OK, headers, write_front(outcome, figures, is_empty=is_empty))


def _links(outcome: FrontPage) -> list[Link]:
    # The description of the host is the alternative, for clients that prefer one of its formats.
    name = outcome.identifier.normal_form
    return [
        Link("canonical", f"http://{outcome.canonical_host}/"),
        Link("describedby", description_path(name)),
        *(
            Link("alternate", description_path(name, extension=extension), form.media_type)
            for extension, form in COMMON_FORMATS.items()
            if extension != HTML
        ),
    ]
