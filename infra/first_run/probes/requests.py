"""Checks by requests: what gateway and edge do to them."""

from __future__ import annotations

import subprocess
import sys

from infra.first_run.results import Verdict
from infra.first_run.target import Found, Target, judge
from infra.smoke.exchange import NoAnswer

_NAME = "/uri-gin/smoke/"
_ELSEWHERE = "/uri-gin/smoke/map/elsewhere"
_OK, _BAD_REQUEST, _FORBIDDEN = 200, 400, 403
_SPELLINGS = ("text/html,application/json;q=0.5", "application/json;q=0.50, text/html")


def run_smoke(target: Target) -> Found:
    """Register and send the requests of the smoke test."""
    return _run(target, ["-m", "infra.smoke", "--stack", target.stack])


def list_hosts(target: Target) -> Found:
    """Ask which registered hosts the edge does not serve yet."""
    return _run(target, ["-m", "ginuri.cli", "hosts", "--stack", target.stack])


def run_drill(target: Target) -> Found:
    """Replay all uploads into an empty table."""
    return _run(target, ["-m", "ginuri.cli", "replay", "--drill", "--stack", target.stack])


def _run(target: Target, arguments: list[str]) -> Found:
    done = subprocess.run(  # noqa: S603  our own commands
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=dict(target.environment),
    )
    lines = (done.stdout.strip() or done.stderr.strip()).splitlines()
    return judge("; ".join(lines[-5:]) or f"exit code {done.returncode}", passed=done.returncode == 0)


def ask_gateway(target: Target) -> Found:
    """Ask the gateway without the secret of the edge."""
    status = target.get(_NAME, url=target.outputs["GatewayUrl"]).status
    return judge(str(status), passed=status == _FORBIDDEN)


def ask_broken_escapes(target: Target) -> Found:
    """Send a broken escape and a raw byte; look whether the function has seen them."""
    statuses = [target.get(each).status for each in (f"{_NAME}%zz", f"{_NAME}\u00ff")]
    target.pause(15)
    seen = target.log_lines("resolve", pattern='"%zz"')
    text = f"{statuses[0]} and {statuses[1]}; {len(seen)} lines in the log"
    return judge(text, passed=statuses == [_BAD_REQUEST] * 2 and not seen)


def ask_compressed(target: Target) -> Found:
    """Ask for a compressed page, whose entity tag must stay strong."""
    reply = target.get(f"/about.html{_NAME}", {"Accept-Encoding": "gzip, br"})
    tag = reply.headers.get("etag", "")
    return judge(f"ETag: {tag}" if tag else f"{reply.status} without an ETag", passed=tag.startswith('"'))


def follow_both_protocols(target: Target) -> Found:
    """Ask over http and https for a name that redirects to another host."""
    locations = [_location(target, scheme) for scheme in ("http", "https")]
    expected = [f"{scheme}://smoke.example.org/map/" for scheme in ("http", "https")]
    return judge(", ".join(locations), passed=locations == expected)


def _location(target: Target, scheme: str) -> str:
    try:
        return target.get(_ELSEWHERE, over=scheme).headers.get("location", "no Location")
    except NoAnswer as error:
        return str(error)


def ask_in_two_spellings(target: Target) -> Found:
    """Ask with one preference in two spellings: the second one must hit the entry of the first."""
    replies = [target.get(_NAME, {"Accept": each}) for each in (_SPELLINGS[0], *_SPELLINGS)]
    caches = [each.headers.get("x-cache", "no X-Cache") for each in replies]
    return judge(", ".join(caches), passed=all(each.startswith("Hit") for each in caches[1:]))


def ask_publication(target: Target) -> Found:
    """Ask for the data set, which the first deployment publishes."""
    status = target.get("/registry.jsonl.gz").status
    verdict = Verdict.PASSED if status == _OK else Verdict.FAILED
    return Found(verdict, str(status))
