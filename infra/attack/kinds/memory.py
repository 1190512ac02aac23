"""Memory and time for large records: cached names, and an authority with many rules."""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from infra.attack.targets.hostile_registry import store_older
from infra.attack.targets.service import Service
from infra.attack.targets.stores import Stores, write_lines
from infra.attack.trials import Fault, Trial, trial
from infra.emulator.requests import Sent

NAMES, LISTED = 700, 100
TITLE = 60_000
MOST_REMEMBERED = 24 * 1024 * 1024
"""The bytes that a function may cache of these names; all of them have more."""
RULES = 250
MOST_RULE_SECONDS = 0.001
"""The CPU that the rules of an authority may add to its first hit."""
_REPEATED = 15
_RULED, _PLAIN = "uri-gin/azgs/", "uri-gin/usgin/"


@dataclass(frozen=True)
class Memory:
    """The kind; `folder` is for published files."""

    folder: Path

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Look up many large names, then compare a hit below many rules with one below none."""
        prefix = f"{_PLAIN}large{chance.randrange(1000)}-"
        service = Service(self._large(prefix), self.folder / "large")
        yield trial(f"{NAMES} names of {TITLE:,} characters", judge_memory(look_up(service, prefix)))
        rules = chance.randrange(RULES - 20, RULES)
        ruled = Service(_ruled(rules), self.folder / "ruled")
        yield trial(f"a hit below {rules} rules", judge_rules(_time(ruled, _PLAIN), _time(ruled, _RULED)))

    @staticmethod
    def _large(prefix: str) -> Stores:
        stores = Stores()
        for number in range(NAMES):
            store_older(stores.registry, f"{prefix}{number}/", f"{number} " + "&" * TITLE)
        return stores


def look_up(service: Service, prefix: str) -> int:
    """Look up the names in lists; return the bytes that stay in memory."""
    gc.collect()
    tracemalloc.start()
    for start in range(0, NAMES, LISTED):
        names = [f"{prefix}{number}/" for number in range(start, start + LISTED)]
        service.ask(
            Sent("/resolve", "POST", (("content-type", "application/json"),), body=json.dumps(names).encode())
        )
    gc.collect()
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return kept


def judge_memory(kept: int) -> Iterator[Fault]:
    """Yield a fault if the cache is too large."""
    if kept > MOST_REMEMBERED:
        yield Fault("memory-is-bounded", f"{kept:,} bytes stay in memory")


def judge_rules(plain: float, ruled: float) -> Iterator[Fault]:
    """Yield a fault if unneeded rules make a hit too slow."""
    if ruled - plain > MOST_RULE_SECONDS:
        yield Fault("rules-cost-nothing-unless-needed", f"{ruled * 1e3:.2f} ms instead of {plain * 1e3:.2f}")


def _ruled(number: int) -> Stores:
    stores = Stores()
    authorities = [{"record": "authority", "identifier": each, "title": "A"} for each in (_RULED, _PLAIN)]
    stores.upload("_host/all.jsonl", write_lines(authorities))
    rules = [
        {
            "record": "rule",
            "identifier": _RULED,
            "pattern": f"old{place}/{{id}}",
            "location": f"https://a.example/{place}/{{id}}",
        }
        for place in range(number)
    ]
    stores.upload(f"{_RULED}rules.jsonl", write_lines(rules))
    for authority in (_RULED, _PLAIN):
        hit = {"identifier": f"{authority}hit", "title": "H", "location": "https://a.example/"}
        stores.upload(f"{authority}hit.jsonl", write_lines([hit]))
    return stores


def _time(service: Service, authority: str) -> float:
    """Return the shortest CPU time of a hit whose authority is not in memory."""

    def hit() -> None:
        service.ask(Sent(f"/{authority}hit"))

    return min(_measure(service.forget, hit) for _ in range(_REPEATED))


def _measure(before: Callable[[], None], work: Callable[[], None]) -> float:
    before()
    started = time.process_time()
    work()
    return time.process_time() - started
