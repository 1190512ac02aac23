"""A first run: goes through the checks, asks a person for the rest, and keeps the results after each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from botocore.exceptions import BotoCoreError, ClientError

from infra.first_run.probes import PROBES
from infra.first_run.results import Result, Results, Verdict
from infra.first_run.table import Check, Section
from infra.first_run.target import Found, Target
from infra.smoke.exchange import NoAnswer

Ask = Callable[[str], str]
"""Asks a person a question, and returns the answer: empty if nobody knows yet."""


@dataclass(frozen=True)
class Choice:
    """Which checks to make."""

    disruptive: bool = False
    again: bool = False
    """Also those that passed already."""
    only: Sequence[str] = ()
    """Their keys; all without any."""


def run(
    sections: Sequence[Section], target: Target, results: Results, ask: Ask, choice: Choice
) -> Iterator[Result]:
    """Make each check that is not settled; yield its result, once it is in the file."""
    for check in (check for section in sections for check in section.checks):
        if choice.only and check.key not in choice.only:
            continue
        if results.is_settled(check.key) and not choice.again:
            continue
        if check.disruptive and not choice.disruptive:
            if results.has_found(check.key):
                continue
            found = Found(Verdict.SKIPPED, "it disturbs clients: DISRUPTIVE=1 makes it")
        else:
            found = make(check, target, ask)
        yield results.add(check.key, check.name, check.expected, found.verdict, found.text)


def make(check: Check, target: Target, ask: Ask) -> Found:
    """Make one check: by its function, or by a person, or by both."""
    probe = PROBES.get(check.key)
    if probe is None:
        return _ask(f"{check.name}\n  {check.command}\n  as expected: {check.expected}?", ask)
    try:
        found = probe(target)
    except NoAnswer as error:
        return Found(Verdict.FAILED, str(error))
    except (BotoCoreError, ClientError) as error:
        return Found(Verdict.OPEN, f"AWS did not answer: {error}")
    except KeyError as missing:
        return Found(Verdict.FAILED, f"the stack has no {missing}")
    return _ask(check.question, ask) if check.question and found.verdict is Verdict.PASSED else found


def _ask(question: str, ask: Ask) -> Found:
    answer = ask(question).strip()
    match answer.lower():
        case "":
            return Found(Verdict.OPEN, "a person has to look")
        case "y" | "yes":
            return Found(Verdict.PASSED, "yes")
        case "n" | "no":
            return Found(Verdict.FAILED, "no")
        case _:
            return Found(Verdict.FAILED, answer)
