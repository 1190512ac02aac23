"""The functions that check by themselves, by the keys of their checks in checks.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from infra.first_run.probes import load, logs, requests
from infra.first_run.target import Found, Target

PROBES: Mapping[str, Callable[[Target], Found]] = {
    "smoke": requests.run_smoke,
    "hosts": requests.list_hosts,
    "drill": requests.run_drill,
    "gateway-closed": requests.ask_gateway,
    "gateway-refuses": requests.ask_broken_escapes,
    "strong-etags": requests.ask_compressed,
    "protocol-kept": requests.follow_both_protocols,
    "preferences-share": requests.ask_in_two_spellings,
    "first-publication": requests.ask_publication,
    "edge-function-share": load.read_function_share,
    "cold-start": load.time_cold_starts,
    "concurrency": load.compare_concurrency,
    "json-lines": logs.read_lines,
    "metrics-from-lines": logs.publish_and_list_metrics,
    "refused-counted": logs.count_refused,
    "alarm-sent": logs.set_off_alarm,
    "no-alarm-at-first": logs.list_alarms,
    "no-trace": logs.search_for_secret,
}
