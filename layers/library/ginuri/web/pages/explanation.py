"""An explanation as a path to follow: the request, its parts, the found records, the decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from urllib.parse import quote, urlencode

from ginuri.frozen import Frozen
from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import Words, message
from ginuri.identifiers.service_paths import description_path, explanation_path
from ginuri.resolution.explanations.alternatives import TRIED, Alternative
from ginuri.resolution.explanations.explanation import Explanation
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.web.answers.advice import titles_of
from ginuri.web.pages.environment import write_page
from ginuri.web.pages.explanation_steps import steps_of
from ginuri.web.response import Response


class Tried(Frozen):
    """The answer to a request that differs in one thing."""

    alternative: Alternative
    status: int
    location: str | None


def keep_different(tried: Iterable[Tried], status: int, location: str | None, own: str) -> list[Tried]:
    """Keep the first request for each answer, without the original answer and those that lead to `own`.

    `own` is the path of the original request.
    """
    kept, seen = [], {(status, location)}
    for other in tried:
        answer = other.status, other.location
        if answer not in seen and other.location != own:
            seen.add(answer)
            kept.append(other)
    return kept


def write_explanation(
    explanation: Explanation,
    answer: Response,
    tried: Sequence[Tried],
    here: str,
    languages: Languages = (),
) -> bytes:
    """Write an explanation as a page in UTF-8; the data of the steps are not translated.

    `answer` is that of the explained request, `here` the address of the page.
    """
    headers = dict(answer.headers)
    record = explanation.record
    return write_page(
        "explanation",
        languages,
        here=here,
        name=explanation.written,
        record=record,
        record_title=message("{title}", title=titles_of(record)) if record else None,
        record_href=description_path(record.identifier) if record else None,
        steps=steps_of(explanation),
        outcome=explanation.outcome,
        meaning=explanation.meaning,
        status=int(answer.status),
        phrase=HTTPStatus(answer.status).phrase,
        location=headers.get("Location"),
        kept=_kept(headers),
        tried=[(_label(other.alternative), _try(explanation, other), other) for other in tried],
    )


def _kept(headers: Mapping[str, str]) -> Words:
    seconds = headers["Cache-Control"].removeprefix("max-age=").partition(",")[0]
    vary = headers.get("Vary")
    if vary is None:
        return message("Caches keep it for {seconds} seconds.", seconds=seconds)
    return message(
        "Caches keep it for {seconds} seconds, separately for {headers}.", seconds=seconds, headers=vary
    )


def _label(alternative: Alternative) -> Words:
    if alternative.header:
        return message("{header}", header=f"{alternative.header}: {alternative.value}")
    has_slash = alternative.value.endswith("/")
    return message("a slash at its end") if has_slash else message("no slash at its end")


def _try(explanation: Explanation, tried: Tried) -> str:
    """Return the address of the explanation of another request, which keeps the changes of this one."""
    question, alternative = explanation.question, tried.alternative
    name = alternative.value
    if alternative.header:
        identifier = question.identifier
        name = identifier.normal_form if isinstance(identifier, Identifier) else explanation.written
    preferences = alternative.question.preferences
    sent = {header: getattr(preferences, field) for header, field in TRIED.items()}
    query = urlencode({header: value for header, value in sent.items() if value is not None}, quote_via=quote)
    asked = "&".join(filter(None, (question.query, query)))
    return f"{explanation_path(name)}?{asked}" if asked else explanation_path(name)
