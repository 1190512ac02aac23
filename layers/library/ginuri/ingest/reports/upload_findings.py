"""The findings on a whole upload: too many changes, tests that fail, identifiers that are not retired."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ginuri.answer_tests.results import TestSummary
from ginuri.files.options import UploadOptions
from ginuri.files.reports.digest import FAILING, STOPPED
from ginuri.identifiers.messages import counted, message
from ginuri.ingest.plan import FEW, Plan, is_too_much
from ginuri.ingest.reports.verdicts import VerdictSummary
from ginuri.registration.verdicts import Finding, Outcome, Verdict, is_refused, refuse, warn


def on_upload(finding: Finding) -> Verdict:
    """Return the verdict of a finding on the whole upload."""
    return Verdict(Outcome(finding.level), (), None, (finding,))


def judge_tests(tests: TestSummary, *, is_strict: bool) -> Iterator[Finding]:
    """Return the finding on the tests that fail, if any; a strict upload is refused for them."""
    if not tests.failed:
        return
    fails = counted(
        "{number} test that this upload affects fails (of {all}); the report lists it.",
        "{number} tests that this upload affects fail (of {all}); the report lists them.",
        tests.failed,
        all=f"{tests.number:,}",
    )
    if not is_strict:
        yield warn("", FAILING, tests.failed, fails)
        return
    refused = message(
        "{fails} With {option}, nothing is registered while tests fail. Correct the registrations or the "
        "tests, or upload the file without it.",
        fails=fails,
        option="--strict-tests",
    )
    yield refuse("", FAILING, tests.failed, refused)


def judge_upload(plan: Plan, summary: VerdictSummary, options: UploadOptions) -> Iterator[Finding]:
    """Return the findings on the whole upload: too many changes, or identifiers that are not retired."""
    changed, spared = summary.changed, summary.spared
    if is_too_much(plan, options, changed):
        make_finding = warn if options.is_dry_run else refuse
        many = message(
            "This upload would change or retire {number} identifiers: more than {few}, and more than a "
            "tenth of those under its prefix. If that is intended, upload it again with --many.",
            number=f"{changed:,}",
            few=str(FEW),
        )
        yield make_finding("", STOPPED, changed, many)
    if plan.unnamed is not None:
        yield refuse(
            "identifier",
            "snapshot",
            "",
            "Nothing is retired under {prefix}, as the identifier in line {line} cannot be read. Correct "
            "that line, and upload the whole file again.",
            prefix=options.snapshot,
            line=str(plan.unnamed),
        )
    yield from plan.remarks
    if options.snapshot and is_refused(plan.remarks):
        yield refuse(
            "",
            "snapshot",
            "",
            "Nothing is retired under {prefix}, as identifiers in other sheets were not read. If one sheet "
            "is complete for the prefix, upload the file again and name that sheet with {option}.",
            prefix=options.snapshot,
            option="--sheet",
        )
    if spared.number:
        names = ", ".join([*spared.names, *(["…"] if spared.number > len(spared.names) else [])])
        yield warn(
            "",
            "snapshot",
            spared.number,
            "These identifiers are not in the file, but were registered under {prefix} after it was "
            "uploaded, and are therefore not retired: {names}. A later snapshot retires what it does not "
            "contain.",
            prefix=options.snapshot,
            names=names,
        )


def stop(verdicts: Iterable[Verdict], why: Finding) -> Iterator[Verdict]:
    """Refuse all verdicts, and keep their intended changes for the report."""
    stopped = refuse(
        "", why.rule, "", "Nothing of this upload was registered; see the message about the whole upload."
    )
    for verdict in verdicts:
        why_refused = () if verdict.outcome is Outcome.REFUSED else (stopped,)
        yield replace(verdict, outcome=Outcome.REFUSED, findings=(*why_refused, *verdict.findings))
