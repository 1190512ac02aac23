"""Every message that a steward can get about a file: raised, and written in each language.

The messages come from the code, and each is raised by a file here or by the test that is named beside it: a
new message without either fails.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from ginuri.files.reports.verdict_lines import message_of
from ginuri.i18n.catalogue import spoken_languages
from ginuri.i18n.translation import as_html, translate
from ginuri.identifiers.messages import Message, from_data
from infra.catalogues import extract
from tests.foreign import untraced
from tests.functional.every_finding import LIMITS, UPLOADS
from tests.steward import recent

# Statuses, pages and questions have messages that are in no finding.
_ROOMS = re.compile(
    r"(?:registry/(?:metadata/|rules/|texts/plain_text)|(?:registration|files)/(?!reports/|undo|guesses/)|ingest/(?!templates/|reports/report_))"
)
_BRACE = re.compile(r"\{\w+\}")


def _within(message: Message) -> Iterator[Message]:
    yield message
    for value in message.values.values():
        if isinstance(value, Message):
            yield from _within(value)


@pytest.fixture(scope="module")
def raised() -> Mapping[str, Message]:
    """Upload every file, and return the messages of all reports by their templates."""
    found: dict[str, Message] = {}
    for uploads in UPLOADS:
        steward = recent()
        for key, content, *options in uploads:
            report = steward.upload(key, content, **(options[0] if options else {}))
            for verdict in report.verdicts:
                for finding in verdict.findings:
                    found |= {each.template: each for each in _within(message_of(finding))}
    return found


def test_every_message_of_the_code_is_raised(raised: Mapping[str, Message]) -> None:
    with untraced():
        extracted = extract()
    known = {
        each.id if isinstance(each.id, str) else each.id[0]
        for each in extracted
        if each.id and any(_ROOMS.match(place) for place, _ in each.locations)
    }

    assert known - raised.keys() - LIMITS == set()
    assert known - raised.keys() >= LIMITS


@pytest.mark.parametrize("language", spoken_languages())
def test_every_message_is_readable_in_each_language(language: str, raised: Mapping[str, Message]) -> None:
    for message in raised.values():
        text = translate(message, language)

        assert text == text.strip()
        assert set(_BRACE.findall(text)) <= set(_BRACE.findall(str(message)))
        assert 'lang="en"' not in as_html(
            from_data(json.loads(json.dumps(_data(message)))), ((language, 1.0),)
        )


def _data(message: Message) -> Mapping[str, Any]:
    values = {
        name: _data(value) if isinstance(value, Message) else value for name, value in message.values.items()
    }
    return {
        "template": message.template,
        "plural": message.plural,
        "number": message.number,
        "values": values,
    }
