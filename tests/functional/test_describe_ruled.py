"""Names under a rule are described at the address in their answers."""

from __future__ import annotations

import json
import time
from typing import Any

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import rest_event
from tests.steward import line, settled

HOST = "resources.usgin.org"
OLD = "uri-gin/azgs/old/"


def _registered(**rule: Any) -> MemoryRegistry:
    steward = settled()
    steward.upload("uri-gin/azgs/rules.jsonl", line(OLD, record="rule", **rule))
    return steward.memory


def _resolve(registry: MemoryRegistry, path: str) -> Answer:
    finder = RememberingFinder(registry, time.monotonic)
    answered = resolve(
        read_request(rest_event(path)), finder, IdentifierResponses(MemoryContentStore(), HOST)
    )
    return Answer(write_gateway(answered.response, "GET"))


def _describe(registry: MemoryRegistry, path: str) -> Answer:
    using = Collaborators(
        RememberingFinder(registry, time.monotonic),
        registry,
        registry,
        DescriptionResponses(DescriptionWriter().write),
        HOST,
    )
    address, _, after = path.partition("?after=")
    query = {"after": after} if after else None
    event = rest_event(address, headers={"Accept": "application/json"}, query=query)
    answered = Answer(write_gateway(describe(read_request(event), using).response, "GET"))
    # The description may be that of the prefix, with a note.
    return _describe(registry, answered.headers["Location"]) if answered.status == 303 else answered


def test_the_description_linked_by_an_answer_of_a_rule_exists() -> None:
    registry = _registered(title="Old maps", location="https://a.example/{+rest}")
    answered = _resolve(registry, f"/{OLD}17")

    [where] = answered.linked("describedby")

    assert answered.status == 302
    assert _describe(registry, where).status == 200


def test_the_description_advised_by_a_rule_with_status_410_exists() -> None:
    registry = _registered(title="Old maps", status_code=410)
    answered = _resolve(registry, f"/{OLD}17")

    [where] = [each["href"] for each in answered.problem["advice"] if each["rel"] == "describedby"]

    assert answered.status == 410
    assert _describe(registry, where).status == 200


def test_a_prefix_and_its_rules_are_described() -> None:
    registry = _registered(title="Old maps", location="https://a.example/{+rest}", kind="document")

    answered = _describe(registry, f"/about/{OLD}")

    [rule] = json.loads(answered.content)["rules"]
    assert answered.status == 200
    assert (rule["title"], rule["kind"]) == ("Old maps", "document")


def test_a_name_under_a_rule_is_described_with_the_rules_location() -> None:
    steward = settled()
    steward.upload(
        "uri-gin/azgs/rules.jsonl",
        line(OLD, title="The old maps") + line(OLD, record="rule", location="https://a.example/{+rest}"),
    )

    described = json.loads(_describe(steward.memory, f"/about.json/{OLD}17").content)

    assert described["representations"] == [{"location": "https://a.example/17"}]


def test_the_description_of_a_prefix_lists_rules_in_pages() -> None:
    steward = settled()
    rules = [
        line(OLD, record="rule", pattern=f"X{number:03d}_{{id}}", location="https://a.example/{id}")
        for number in range(130)
    ]
    steward.upload("uri-gin/azgs/rules.jsonl", "".join(rules) + line(OLD, record="rule", status_code=410))

    first = json.loads(_describe(steward.memory, f"/about.json/{OLD}").content)
    second = json.loads(_describe(steward.memory, first["next_rules"]).content)

    assert (first["record"], second["record"]) == ("rule", "rule")
    assert first["next_rules"] == f"/about.json/{OLD}?after=x099_"
    assert [rule["pattern"] for rule in first["rules"]][-1] == ""
    assert len(first["rules"]) == 101
    assert {rule["pattern"] for rule in second["rules"]} == {f"X{each}_{{id}}" for each in range(100, 130)}
    assert "next_rules" not in second


def test_the_page_of_a_prefix_leads_to_further_rules() -> None:
    steward = settled()
    rules = [line(OLD, record="rule", pattern=f"X{number}_{{id}}", status_code=410) for number in range(110)]
    steward.upload("uri-gin/azgs/rules.jsonl", "".join(rules))

    page = _describe(steward.memory, f"/about.html/{OLD}").content.decode()

    assert f'<a href="/about.html/{OLD}?after=' in page
    assert page.count("<dt>X") == 100
