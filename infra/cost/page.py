"""docs/explanation/cost.md: its tables between markers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill

from infra.bench.cases import Case
from infra.bench.table import write_rows
from infra.cost.counts import Counts, count
from infra.cost.figures import (
    HIT_RATES,
    Amounts,
    edge_costs,
    idle_costs,
    measured,
    own_share,
    prices,
    read_template,
    registration_costs,
    request_costs,
)
from infra.docs import WIDTH
from infra.local import ROOT

PAGE = ROOT / "docs" / "explanation" / "cost.md"
NAMES = {
    Case.MEMORY: "a hit from memory",
    Case.HIT: "a hit from the table",
    Case.MISS: "a miss, as a page",
    Case.PAGE: "a description, as a page",
}


def write_page(text: str, root: Path = ROOT) -> str:
    """Return the page with new tables."""
    template, counts = read_template(root), count()
    requests = {case: request_costs(case, counts[case], template) for case in NAMES}
    tables = {
        "requests": _write_requests(requests, counts),
        "edge": _write_edge(requests, counts),
        "registrations": _write_sum(registration_costs(template)),
        "idle": _write_sum(idle_costs(template)),
        "measured": _write_measured(),
        "prices": _write_prices(),
    }
    for name, table in tables.items():
        before, begins, rest = text.partition(f"<!-- {name} -->\n")
        _, ends, after = rest.partition(f"<!-- /{name} -->")
        text = f"{before}{begins}\n{table}\n\n{ends}{after}"
    return text


def _write_requests(requests: Mapping[Case, Amounts], counts: Mapping[Case, Counts]) -> str:
    names = list(next(iter(requests.values())))
    rows = [("", "calls", "read units", *names, "sum", "of it ours")]
    for case, amounts in requests.items():
        rows.append(
            (
                NAMES[case],
                str(counts[case].calls),
                f"{counts[case].read_units:g}",
                *(_dollars(amounts[name]) for name in names),
                _dollars(sum(amounts.values())),
                _dollars(own_share(amounts)),
            )
        )
    return write_rows(rows)


def _write_edge(requests: Mapping[Case, Amounts], counts: Mapping[Case, Counts]) -> str:
    rows = [("", "without", *(f"{rate:.0%} hits" for rate in HIT_RATES))]
    for case, amounts in requests.items():
        through = (edge_costs(amounts, counts[case], rate) for rate in HIT_RATES)
        rows.append((NAMES[case], _dollars(sum(amounts.values())), *map(_dollars, through)))
    return write_rows(rows)


def _write_sum(amounts: Amounts) -> str:
    rows = [("", "USD"), *((name, _dollars(amount)) for name, amount in amounts.items())]
    return write_rows([*rows, ("sum", _dollars(sum(amounts.values())))])


def _write_measured() -> str:
    figures = measured()
    registration = figures["registration"]
    rows: Sequence[tuple[str, str, str, str]] = [
        ("", "µs of CPU", "date", "how"),
        *(
            (NAMES[case], str(figures["microseconds"][case]), figures["date"], f"`{figures['how']}`")
            for case in NAMES
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
