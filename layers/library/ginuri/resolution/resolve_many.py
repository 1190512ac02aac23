"""The decisions about a list of requests, in as few calls as possible; the same as those of `resolve`."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.registry.clock import BEGINNING
from ginuri.registry.ports import ManyFinder
from ginuri.resolution.decision import Question, reconsider
from ginuri.resolution.fallbacks import fall_back_all
from ginuri.resolution.outcomes import Decision, NotRegistered
from ginuri.resolution.resolve import Resolution, decide_found, judge_writing, sought_identifier


def resolve_many(questions: Sequence[Question], finder: ManyFinder) -> list[Resolution]:
    """Decide several questions of one moment in as few calls as possible.

    Titles are not looked up, and query arguments are not read. Raises RegistryUnavailable.
    """
    sought = [sought_identifier(question) for question in questions]
    moment = questions[0].moment if questions else BEGINNING
    found = iter(finder.find_many([name for name in sought if name is not None], moment))
    resolutions = [
        Resolution(judge_writing(question)) if name is None else decide_found(next(found), question)
        for question, name in zip(questions, sought, strict=True)
    ]
    unknown = [
        (index, resolution.decision)
        for index, resolution in enumerate(resolutions)
        if isinstance(resolution.decision, NotRegistered)
    ]
    fallen = fall_back_all({index: decision.found for index, decision in unknown}, questions, finder)
    again: dict[int, Decision] = {**fallen}
    unknown = [(index, decision) for index, decision in unknown if index not in again]
    # An index cannot be read in batches: a call for each, at most a hundred and several at once, so that a
    # list never calls a name unknown that a GET finds.
    near = finder.near_many([decision.found.identifier for _, decision in unknown])
    again |= {index: reconsider(each, names) for (index, each), names in zip(unknown, near, strict=True)}
    return [
        resolution._replace(decision=again.get(index, resolution.decision))
        for index, resolution in enumerate(resolutions)
    ]
