"""The tables of `make bench-api`, and the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from infra.bench.api.sending import Sent, Share
from infra.bench.machine import Machine
from infra.bench.table import write_rows

_NONE = "-"
_HEADINGS = ("", "clients", "requests", "seconds", "a second", "median", "p95", "client", "server")


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a run."""

    machine: Machine
    served: Sequence[Sent]
    """Those of one machine."""
    stacked: Sequence[Sent] = ()
    """Those of the local stack."""


def write_figures(figures: Figures) -> str:
    """Write Markdown tables."""
    tables = [f"`ginuri serve`:\n\n{_write_sent(figures.served)}"]
    if figures.stacked:
        tables.append(f"The local stack:\n\n{_write_sent(figures.stacked)}")
    tables += [f"{sent.name}, by function:\n\n{_write_shares(sent.shares)}" for sent in figures.stacked]
    return "\n\n".join(tables)


def write_json(figures: Figures) -> dict[str, Any]:
    """Write everything as JSON values."""
    written = asdict(figures)
    for name, sent in (("served", figures.served), ("stacked", figures.stacked)):
        written[name] = [{**asdict(each), "server_cpu": each.server_cpu} for each in sent]
    return written


def _write_sent(sent: Sequence[Sent]) -> str:
    return write_rows([_HEADINGS, *map(_row, sent)])


def _row(sent: Sent) -> tuple[str, ...]:
    return (
        sent.name,
        str(sent.clients),
        f"{sent.number:,}",
        f"{sent.seconds:.2f}",
        f"{sent.per_second:,.0f}" if sent.per_second >= 10 else f"{sent.per_second:.1f}",  # noqa: PLR2004  two digits
        _NONE if sent.median is None else f"{sent.median:.1f} ms",
        _NONE if sent.p95 is None else f"{sent.p95:.1f} ms",
        _NONE if sent.client_cpu is None else _milliseconds(sent.client_cpu),
        _milliseconds(sent.server_cpu),
    )


def _write_shares(shares: Mapping[str, Share]) -> str:
    calls = sorted({call for share in shares.values() for call in share.calls})
    rows = [
        ("CPU", *(_milliseconds(share.cpu) for share in shares.values())),
        *((call, *(f"{share.calls.get(call, 0):.3g}" for share in shares.values())) for call in calls),
    ]
    return write_rows([("", *shares), *rows])


def _milliseconds(microseconds: float) -> str:
    return f"{microseconds / 1000:.2f} ms"
