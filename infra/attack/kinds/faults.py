"""Functions in separate processes, whose DynamoDB is slow, silent, throttled or broken."""

from __future__ import annotations

import json
import select
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import IO, Any

from infra.attack.answer import Answer, failed, read_event
from infra.attack.invariants import is_ours
from infra.attack.targets.faulty_dynamodb import Behaviour, Meeting, Plan, running
from infra.attack.trials import Fault, Trial, trial
from infra.bench.records import registered, unregistered
from infra.bench.workers import events
from infra.bench.workers.processes import DESCRIBE, OURS, PYTHON, Stub, lambda_environment

AT_ONCE = 6
"""The number of processes in one case; they are mostly idle."""
TIMEOUTS: Mapping[str, float] = {OURS: 10.0, DESCRIBE: 12.0}
"""The seconds that an answer may take: the timeout of the function, or of the edge if that is less."""
SILENCE_SECONDS = 3.5
"""The seconds that an answer may take if only the kept connections are silent."""
_GRACE = 3.0
_MIXED = tuple(Behaviour)[1:]


@dataclass(frozen=True)
class Scenario:
    """A fault, and the requests during it."""

    name: str
    plan: Plan
    seconds: float | None = None
    """The seconds that the second answer may take; None for the timeout of the function."""


class Faults:
    """The kind."""

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Send requests to several functions at once, each with its own fault."""
        drawn = [(draw_scenario(chance), *_draw_events(chance)) for _ in range(AT_ONCE)]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for trials in pool.map(lambda each: list(_try(*each)), drawn):
                yield from trials


def draw_scenario(chance: Random) -> Scenario:
    """Draw a fault."""
    seed = chance.random()
    seconds = chance.choice((0.3, 1.0, 2.0, 2.0, 4.0))
    sort = chance.choice(("slow", "slow", "mixed", "mixed", "always", "silent"))
    if sort == "slow":
        return Scenario(f"every call after {seconds} s", lambda *_: Meeting(seconds=seconds))
    if sort == "always":
        behaviour = chance.choice(_MIXED)
        return Scenario(f"always {behaviour}", lambda *_: Meeting(behaviour))
    if sort == "silent":
        return Scenario("kept connections fall silent", _fall_silent, SILENCE_SECONDS)
    share = chance.choice((0.1, 0.5, 0.9))
    return Scenario(f"{share:.0%} of the calls fail, drawn by {seed}", _mix(share, seed))


def _mix(share: float, seed: float) -> Plan:
    def plan(call: int, _: int) -> Meeting:
        chance = Random(f"{seed}/{call}")  # noqa: S311  repeatable
        if chance.random() > share:
            return Meeting()
        return Meeting(chance.choice(_MIXED), chance.choice((0.0, 0.0, 0.5)))

    return plan


def _fall_silent(call: int, connection: int) -> Meeting:
    return Meeting(Behaviour.SILENCE) if connection == 0 and call > 0 else Meeting()


def _draw_events(chance: Random) -> tuple[str, Sequence[dict[str, Any]]]:
    number = chance.randrange(1000)
    resolved = [registered(number), f"{registered(number)}mapImageFile.pdf", unregistered(number)]
    names = [registered(each) for each in range(number, number + 30)]
    listed = {"body": json.dumps(names), "httpMethod": "POST"}
    described: Sequence[dict[str, Any]] = [
        *(events.get(f"about.{extension}/{registered(number)}") for extension in ("html", "json", "ttl")),
        *(events.get(f"{service}/{registered(number)}") for service in ("explain", "timemap")),
        events.get("members/uri-gin/azgs/"),
        events.get("search") | {"queryStringParameters": {"q": "map"}},
        events.get("resolve", method="POST") | listed,
    ]
    if chance.random() < 0.5:  # noqa: PLR2004  both functions
        return OURS, [events.get(name) for name in chance.sample(resolved, 2)]
    return DESCRIBE, chance.sample(described, 2)


def _try(scenario: Scenario, function: str, asked: Sequence[dict[str, Any]]) -> Iterator[Trial]:
    with running(scenario.plan) as port:
        for number, (event, answer, seconds) in enumerate(_invoke(function, asked, port)):
            attempt = f"{function} {event['httpMethod']} {event['path']}, {scenario.name}"
            limit = scenario.seconds if number and scenario.seconds else TIMEOUTS[function]
            yield trial(attempt, judge(answer, seconds, limit))


def judge(answer: Answer, seconds: float, limit: float) -> Iterator[Fault]:
    """Yield the faults of an answer that took so long."""
    if not is_ours(answer):
        yield Fault("faults-are-answered", f"{answer.status} {answer.failure} after {seconds:.1f} s")
    elif seconds > limit:
        yield Fault("faults-cost-little-time", f"{answer.status} after {seconds:.1f} s of {limit:g}")


def _invoke(
    function: str, asked: Sequence[dict[str, Any]], port: int
) -> Iterator[tuple[dict[str, Any], Answer, float]]:
    stub = Stub(port)
    environment = {**lambda_environment(function, stub), "AWS_ENDPOINT_URL_S3": stub.endpoint}
    timeout = TIMEOUTS[function]
    command = [PYTHON, "-m", "infra.attack.processes.invoked", function, str(timeout)]
    with subprocess.Popen(  # noqa: S603  our own module
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both are pipes")
        try:
            for event in asked:
                process.stdin.write(f"{json.dumps(event)}\n")
                process.stdin.flush()
                line = _read_line(process.stdout, timeout + _GRACE)
                if not line:
                    yield event, Answer(504, (), failure="no answer"), timeout + _GRACE
                    return
                result = json.loads(line)
                yield event, _read(result), result["seconds"]
        finally:
            process.kill()


def _read_line(output: IO[str], seconds: float) -> str:
    ready, _, _ = select.select([output], [], [], seconds)
    return output.readline() if ready else ""


def _read(result: Mapping[str, Any]) -> Answer:
    return read_event(result["answer"]) if "answer" in result else failed(RuntimeError(result["error"]))
