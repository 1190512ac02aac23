"""The commands after an upload, and the line to paste for a finding that applies to every row."""

from __future__ import annotations

import json
import shlex

from ginuri.files.options import READING, UploadOptions
from ginuri.files.reports.digest import Reach, ReportDigest
from ginuri.files.reports.entries import Entry
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import folder_to_prefix, printable_name


def line_to_paste(entry: Entry, digest: ReportDigest, reach: Reach, folder: str) -> str:
    """Return the line; empty without one. `folder` is that of the upload.

    A correction that is the same for all rows is itself the text to paste into the cells.
    """
    if reach is Reach.SOME or entry.corrections:
        return ""
    findings = [entry.finding, *(each.finding for each in entry.occurrences)]
    match entry.finding.rule:
        case "folder":
            folders = {str(finding.message.values.get("folder", "")) for finding in findings}
            return f"--under {shlex.quote(folders.pop())}" if len(folders) == 1 and folders != {""} else ""
        case "URIscheme" if entry.column and not any("/" in finding.value for finding in findings):
            template = f"identifier={folder}{{{entry.column}}}"
            return f"--map {shlex.quote(template)}"
        case "resource type":
            type_ = _up_to_slash(digest.folder or "")
            is_below = len(type_) > len(folder_to_prefix(folder))
            title = type_.rstrip("/").rpartition("/")[2]
            record = {"record": "resource-type", "identifier": printable_name(type_), "title": title}
            return json.dumps(record, ensure_ascii=False) if is_below else ""
        case _:
            return ""


def name_upload(key: str, version: str) -> str:
    """Write the name of an upload for a shell."""
    return shlex.quote(f"{key}#{version}")


def rollback_command(key: str, version: str, option: str) -> str:
    """Write the command that undoes an upload; `option` names the stack, after a space."""
    return f"ginuri rollback {name_upload(key, version)}{option}"


def _up_to_slash(text: str) -> str:
    return text[: text.rfind("/") + 1]


def not_rewritten(file: str) -> Message:
    """Return the advice on the corrections of an RDF file."""
    return message(
        "Corrections are not written into RDF: correct {file} where it is made, or the refused resources, "
        "which {refused} fetches as JSON lines, with {repair}.",
        file=file,
        refused="`ginuri refused`",
        repair="`ginuri repair`",
    )


def repair_command(key: str, options: UploadOptions) -> str:
    """Write the command that corrects an uploaded file, which is read with these options.

    >>> repair_command("uri-gin/azgs/wells.xlsx", UploadOptions(sheet="*"))
    "ginuri repair wells.xlsx --under uri-gin/azgs/ --sheet '*'"
    """
    folder, slash, file = key.rpartition("/")
    texts = {"under": f"{folder}{slash}", **{READING[name]: getattr(options, name) for name in READING}}
    written = (f"--{name} {shlex.quote(text)}" for name, text in texts.items() if text)
    return " ".join(["ginuri repair", shlex.quote(file), *written])
