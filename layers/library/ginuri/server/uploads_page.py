"""The page that lists the last uploads with their states, results and reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from markupsafe import Markup

from ginuri.files.reports.listed_uploads import (
    ListedUpload,
    Mapper,
    ReportedUploads,
    UploadState,
    read_newest,
    read_reported,
)
from ginuri.files.reports.progress import describe_progress, progress_key, read_progress
from ginuri.files.reports.report import page_key, refused_key, report_key
from ginuri.files.reports.wording import write_counts, write_uploaders
from ginuri.i18n.translation import page_language
from ginuri.identifiers.messages import Words, message, translatable
from ginuri.identifiers.service_paths import REPORTS, report_path
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.web.pages.environment import make_environment
from ginuri.web.pages.frame import policy_in_page, style_in_page
from ginuri.web.query import LANGUAGE
from ginuri.web.response import Headers

if TYPE_CHECKING:
    from jinja2 import Template

MOST_LISTED = 50
"""The number of uploads on a page."""
MOST_SEARCHED = 200
"""The number of uploads among which a page lists those in a state."""
_STATES: Mapping[UploadState, str] = {
    "complete": translatable("complete"),
    "waiting": translatable("waiting"),
    "unfinished": translatable("unfinished"),
    "given up": translatable("given up"),
}


@dataclass(frozen=True, slots=True)
class Filter:
    """The query of the page: the uploads to list are all, or those of a folder or in a state."""

    folder: str = ""
    state: str = ""
    lang: str = ""
    """The language of the page, if it was chosen."""
    page: int = 1

    @property
    def size(self) -> int:
        """The number of uploads that a page goes through."""
        return MOST_SEARCHED if self.state else MOST_LISTED

    def path(self, page: int, lang: str = "") -> str:
        """Return the path of a page, in any language without one."""
        values = {
            "folder": self.folder,
            "state": self.state,
            "page": str(page) if page > 1 else "",
            LANGUAGE: lang,
        }
        stated = {name: value for name, value in values.items() if value}
        return f"/{REPORTS}/{'?' if stated else ''}{urlencode(stated)}"


@dataclass(frozen=True, slots=True)
class UploadsPage:
    """Writes the page about the uploads of a stack."""

    uploads: ReportedUploads
    mapper: Mapper
    service: str = ""
    """The address of the service, for links; without it, there are none."""

    def write(self, chosen: Filter, languages: Languages) -> tuple[Headers, bytes]:
        """Write the page in the first of these languages that has a catalogue. Raises RegistryUnavailable."""
        language = page_language(languages)
        before = (chosen.page - 1) * chosen.size
        # One more than is shown tells whether there is a further page.
        listed = read_newest(self.uploads, chosen.folder, chosen.size + 1, self.mapper, before)
        has_more, listed = len(listed) > chosen.size, listed[: chosen.size]
        rows = [self._row(upload, language) for upload in listed if chosen.state in {"", upload.state}]
        sections = [
            (title, of_kind)
            for title, is_dry_run in ((message("Uploads"), False), (message("Dry runs"), True))
            if (of_kind := [row for row in rows if row["is_dry_run"] is is_dry_run])
        ]
        page = _template(language).render(
            languages=languages,
            sections=sections,
            chosen=chosen,
            states=_STATES,
            newer=chosen.path(chosen.page - 1, chosen.lang) if chosen.page > 1 else "",
            older=chosen.path(chosen.page + 1, chosen.lang) if has_more else "",
            first=f"{before + 1:,}",
            last=f"{before + len(listed):,}",
            here=chosen.path(chosen.page),
            service=self.service,
        )
        return _headers(language), page.encode()

    def _row(self, upload: ListedUpload, language: str) -> Mapping[str, object]:
        summary = upload.summary
        has_page = upload.is_counted and not summary.is_stored
        other = "" if language == summary.language else language
        return {
            "put": f"{summary.put[:10]} {summary.put[11:19]}",
            "key": upload.key,
            "uploaders": write_uploaders(summary.uploader.principal, summary.submitter),
            "reason": summary.reason,
            "is_dry_run": summary.is_dry_run,
            "state": _STATES[upload.state],
            "result": self._result(upload),
            "page": report_path(page_key(upload.key, upload.version, other)) if has_page else "",
            "links": [(words, report_path(key)) for words, key in self._links(upload)],
        }

    def _links(self, upload: ListedUpload) -> Iterator[tuple[str, str]]:
        key, version, summary = upload.key, upload.version, upload.summary
        if upload.is_reported:
            yield "JSON", report_key(key, version)
        refused = refused_key(key, version)
        if summary.counts.get("refused") and any(self.uploads.report(refused) or ()):
            yield translatable("refused rows"), refused

    def _result(self, upload: ListedUpload) -> Words:
        match upload.state:
            case "complete" if upload.summary.is_stored:
                return message("stored, for registrations to name")
            case "complete":
                return write_counts(upload.summary.counts, upload.summary.scope)
            case "waiting":
                progress = read_reported(self.uploads, progress_key(upload.key, upload.version))
                return describe_progress(read_progress(progress or {})) or ""
            case "unfinished" | "given up":
                return message("{reason}", reason=str((upload.unfinished or {}).get("reason", "")))


def _headers(language: str) -> Headers:
    return (
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Language", language),
        ("Content-Security-Policy", f"{policy_in_page(has_form=True)}; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", "no-store"),
        ("Vary", "Accept-Language"),
    )


@cache
def _template(language: str) -> Template:
    environment = make_environment(language, "ginuri.server")
    style = Markup(style_in_page())  # noqa: S704  a constant style
    return environment.get_template("uploads.html", globals={"style": style})
