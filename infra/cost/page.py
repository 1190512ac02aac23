"""docs/explanation/cost.md: its tables between markers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill

from infra.bench.table import write_rows
from infra.cost.counts import Counts, Kind, count
from infra.cost.figures import (
    HIT_RATES,
    Amounts,
    edge_costs,
    idle_costs,
    measured,
    most_costs,
    own_share,
    prices,
    read_global_template,
    read_template,
    registration_costs,
    request_costs,
    watching_costs,
)
from infra.cost.writes import Units, count_writes
from infra.docs import WIDTH
from infra.local import ROOT

PAGE = ROOT / "docs" / "explanation" / "cost.md"


def write_page(text: str, root: Path = ROOT) -> str:
    """Return the page with new tables."""
    template, counts = read_template(root), count()
    requests = {kind: request_costs(kind, counts[kind], template) for kind in Kind}
    most = most_costs(template, counts[Kind.HIT])
    new, changed = count_writes()
    tables = {
        "requests": _write_requests(requests, counts),
        "edge": _write_edge(requests, counts),
        "most": write_rows(
            [("", "USD"), *((name, _dollars(amount)) for name, amount in most.items())],
        ),
        "registrations": _write_registrations(
            {
                "new": (new, registration_costs(template, new)),
                "changed": (changed, registration_costs(template, changed)),
            }
        ),
        "idle": _write_sum(idle_costs(template)),
        "watching": _write_sum(
            watching_costs(template, read_global_template(root), counts[Kind.HIT]),
        ),
        "measured": _write_measured(),
        "prices": _write_prices(),
    }
    for name, table in tables.items():
        before, begins, rest = text.partition(f"<!-- {name} -->\n")
        _, ends, after = rest.partition(f"<!-- /{name} -->")
        text = f"{before}{begins}\n{table}\n\n{ends}{after}"
    return text


def _write_requests(requests: Mapping[Kind, Amounts], counts: Mapping[Kind, Counts]) -> str:
    names = list(next(iter(requests.values())))
    rows = [("", "calls", "read units", *names, "sum", "of it ours")]
    for kind, amounts in requests.items():
        rows.append(
            (
                kind,
                str(counts[kind].calls),
                f"{counts[kind].read_units:g}",
                *(_dollars(amounts[name]) for name in names),
                _dollars(sum(amounts.values())),
                _dollars(own_share(amounts)),
            )
        )
    return write_rows(rows)


def _write_edge(requests: Mapping[Kind, Amounts], counts: Mapping[Kind, Counts]) -> str:
    rows = [("", "without", *(f"{rate:.0%} hits" for rate in HIT_RATES))]
    for kind, amounts in requests.items():
        through = (edge_costs(amounts, counts[kind], rate) for rate in HIT_RATES)
        rows.append((kind, _dollars(sum(amounts.values())), *map(_dollars, through)))
    return write_rows(rows)


def _write_sum(amounts: Amounts) -> str:
    rows = [("", "USD"), *((name, _dollars(amount)) for name, amount in amounts.items())]
    return write_rows([*rows, ("sum", _dollars(sum(amounts.values())))])


def _write_registrations(registrations: Mapping[str, tuple[Units, Amounts]]) -> str:
    names = list(next(iter(registrations.values()))[1])
    rows = [("", "bytes", "write units", *names, "sum")]
    for name, (units, amounts) in registrations.items():
        dollars = (_dollars(amounts[each]) for each in names)
        counted = (f"{units.bytes:,.0f}", f"{units.writes:.2f}")
        rows.append((name, *counted, *dollars, _dollars(sum(amounts.values()))))
    return write_rows(rows)


def _write_measured() -> str:
    figures = measured()
    registration = figures["registration"]
    rows: Sequence[tuple[str, str, str, str]] = [
        ("", "µs of CPU", "date", "how"),
        *(
            (kind, str(figures["microseconds"][kind.case]), figures["date"], f"`{figures['how']}`")
            for kind in Kind
            if kind is not Kind.LATE
        ),
        (
            "a new registration",
            str(registration["microseconds"]),
            registration["date"],
            f"`{registration['how']}`",
        ),
    ]
    return write_rows(rows)


def _write_prices() -> str:
    listed = prices()
    rows = [("USD", "for", "source")]
    for entry in listed["prices"].values():
        number = f"{entry['per']:,} × " if entry["per"] > 1 else "one "
        rows.append((f"{entry['usd']:g}", number + entry["unit"], f"<{entry['source']}>"))
    read = f"In {listed['region']}, compared on {listed['date']}: {listed['compared']}."
    return f"{fill(read, WIDTH, break_on_hyphens=False)}\n\n{write_rows(rows)}"


def _dollars(amount: float) -> str:
    return f"{amount:.2f}"
