"""The result of `ginuri verify` for people: a table by prefix and cause, and examples of each cause."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

from ginuri.cli.migration.identifier_lists import SkippedLine
from ginuri.cli.terminal import format_value, localize, localize_all
from ginuri.identifiers.messages import Message, Words, counted, message, translatable
from ginuri.migration.verification.answers import ResolverAnswer
from ginuri.migration.verification.causes import Comparison
from ginuri.migration.verification.prefixes import ALL
from ginuri.migration.verification.requests import Resolvers
from ginuri.migration.verification.summary import ComparedUse, Counts, Summary

_NAMES = {
    Comparison.SAME: translatable("same"),
    Comparison.KNOWN_TO_NEITHER: translatable("known to neither"),
    Comparison.OTHER_TARGET: translatable("other target"),
    Comparison.OTHER_FORM: translatable("other form"),
    Comparison.LOST_QUERY: translatable("lost query"),
    Comparison.ADDED_QUERY: translatable("added query"),
    Comparison.OTHER_QUERY: translatable("other query"),
    Comparison.OTHER_FRAGMENT: translatable("other fragment"),
    Comparison.OTHER_SCHEME: translatable("scheme of the target"),
    Comparison.FINAL_SLASH: translatable("final slash"),
    Comparison.LETTER_CASE: translatable("letter case"),
    Comparison.ESCAPES: translatable("escapes"),
    Comparison.DETOUR_HERE: translatable("one more redirect here"),
    Comparison.DETOUR_THERE: translatable("one more redirect there"),
    Comparison.TO_ITSELF: translatable("redirects to itself"),
    Comparison.FALLS_BACK: translatable("falls back"),
    Comparison.OTHER_KIND: translatable("other kind of answer"),
    Comparison.OTHER_MEDIA_TYPE: translatable("other media type"),
    Comparison.OTHER_STATUS: translatable("other status"),
    Comparison.NOT_ACCEPTABLE_HERE: translatable("not acceptable here"),
    Comparison.NOT_ACCEPTABLE_THERE: translatable("not acceptable there"),
    Comparison.ONLY_THERE: translatable("only there"),
    Comparison.ONLY_HERE: translatable("only here"),
    Comparison.ERROR_HERE: translatable("error here"),
    Comparison.ERROR_THERE: translatable("error there"),
    Comparison.ERROR_AT_BOTH: translatable("error at both"),
}
_HEADING = (
    translatable("requests"),
    translatable("agree"),
    translatable("prefix"),
    translatable("differences"),
)


@dataclass(slots=True)
class SkippedLines:
    """The lines that were passed over, by their reason."""

    count: int = 0
    examples: dict[str, tuple[SkippedLine, int]] = field(default_factory=dict)
    """The first line with each reason, and the number of lines with it."""

    def add(self, skipped: SkippedLine) -> None:
        """Count a line."""
        self.count += 1
        for reason in skipped.reasons:
            kind = reason.template if isinstance(reason, Message) else reason
            first, number = self.examples.get(kind, (SkippedLine(skipped.line, [reason]), 0))
            self.examples[kind] = first, number + 1


def write_report(summary: Summary, skipped: SkippedLines, resolvers: Resolvers) -> Iterator[str]:
    """Write the table by prefix and cause, examples, what was passed over, and the share that agrees."""
    counts = summary.counts
    if counts.differing:
        yield from _write_table(summary)
        for cause, count in counts.differing.items():
            yield ""
            yield from _write_examples(summary, cause, count, resolvers)
        yield ""
    for first, number in skipped.examples.values():
        yield localize(_describe_skipped(first, number))
    totals = [(Comparison.SAME, counts.by_comparison.get(Comparison.SAME, 0))]
    totals += [each for each in counts.by_comparison.items() if each[0] is Comparison.KNOWN_TO_NEITHER]
    named = [_name_count(*each) for each in (*totals, *counts.differing.items())]
    passed = [message("{number} passed over", number=f"{skipped.count:,}")] if skipped.count else []
    yield localize_all((*named, *passed))
    yield localize(describe_share(counts))


def describe_share(counts: Counts) -> Words:
    """Describe the share of the requests that agree."""
    if counts.share is None:
        return message("Neither resolver knows any of them.")
    return message(
        "{share} of the requests agree: {same} of {requests}.",
        share=format_share(counts.share),
        same=format_count(counts.by_comparison.get(Comparison.SAME, 0)),
        requests=format_count(counts.compared),
    )


def format_share(share: float | None) -> str:
    """Write a share in per cent, rounded down: 99.999 % is not 100 %."""
    return "–" if share is None else f"{math.floor(share * 10_000) / 100:.2f} %"


def format_count(count: float) -> str:
    """Write a number of requests, which may be a fraction."""
    return f"{count:,.0f}" if math.isclose(count, round(count)) else f"{count:,.1f}"


def _write_table(summary: Summary) -> Iterator[str]:
    rows = [
        (
            format_count(counts.total),
            format_share(counts.share),
            format_value(prefix) if prefix != ALL else localize(message("all others")),
            localize_all(_name_count(*each) for each in counts.differing.items()),
        )
        for prefix, counts in summary.rows().items()
    ]
    lines = [tuple(localize(Message(title)) for title in _HEADING), *rows]
    first, second, third = (max(len(line[at]) for line in lines) for at in range(3))
    for count, share, prefix, causes in lines:
        yield f"{count:>{first}}  {share:>{second}}  {prefix:<{third}}  {causes}".rstrip()


def _name_count(comparison: Comparison, count: float) -> Words:
    return message("{number} {verdict}", number=format_count(count), verdict=Message(_NAMES[comparison]))


def _write_examples(summary: Summary, cause: Comparison, count: float, resolvers: Resolvers) -> Iterator[str]:
    heading = message(
        "{cause} (requests: {requests}, identifiers: {identifiers})",
        cause=Message(_NAMES[cause]),
        requests=format_count(count),
        identifiers=f"{summary.identifiers[cause]:,}",
    )
    yield localize(heading)
    for example in summary.examples[cause]:
        here, there = example.answers.here.answer, example.answers.there.answer
        yield f"  {_describe_request(example)}"
        yield f"    {localize(message('here: {answer}', answer=_describe(here)))}"
        yield f"    {localize(message('there: {answer}', answer=_describe(there)))}"
        yield f"    {write_curl(example, resolvers)}"


def _describe_request(example: ComparedUse) -> str:
    line, accept = example.identifier.line, example.use.accept
    subject: Words = format_value(example.identifier.uri)
    if line is not None:
        subject = message("line {line}: {identifier}", line=str(line), identifier=subject)
    return localize(subject) if accept is None else f"{localize(subject)}  Accept: {format_value(accept)}"


def _describe(answer: ResolverAnswer) -> str:
    if answer.error:
        return format_value(localize(answer.error))
    if answer.location:
        return f"{answer.status} → {format_value(answer.location)}"
    return f"{answer.status} {format_value(answer.media_type)}" if answer.media_type else str(answer.status)


def _describe_skipped(first: SkippedLine, number: int) -> Words:
    line, reason = str(first.line), format_value(localize_all(first.reasons))
    if number == 1:
        return message("line {line} passed over: {reason}", line=line, reason=reason)
    return counted(
        "line {line} and {number} other passed over: {reason}",
        "line {line} and {number} others passed over: {reason}",
        number - 1,
        line=line,
        reason=reason,
    )


def write_curl(example: ComparedUse, resolvers: Resolvers) -> str:
    """Write the command that sends a request to both resolvers again, and prints the heads of the answers."""
    accept, host = example.use.accept, example.identifier.host
    headers = ["Accept:" if accept is None else f"Accept: {accept}", *([f"Host: {host}"] if host else [])]
    addresses = (
        f"{resolver.address}{example.identifier.target}" for resolver in (resolvers.here, resolvers.there)
    )
    options = [word for header in headers for word in ("-H", header)]
    # GET as in the comparison, of which curl shows only the head; the path byte for byte.
    return shlex.join(["curl", "-gsIX", "GET", "--path-as-is", *options, *addresses])
