"""Writes the answers of other resolvers to names of their entries, as JSON lines, without the importers.

    python -m infra.migration.expected obo config > obo.expected

`agldwg`, `obo`: the requests of their own tests. `n2t`: a name of each NAAN and shoulder. `geoconnex`: each
name, and names that each regular expression matches. `uriresolve`: names that its rules match.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit

import yaml

_STATUSES = {"permanent": 301, "temporary": 302, "see other": 303}
_OBO = "purl.obolibrary.org"
_BROWSERS = {
    "ontobee": "http://www.ontobee.org/browser/rdf.php?o={idspace}&iri=http://purl.obolibrary.org/obo/{term}",
    "ols": "https://www.ebi.ac.uk/ols4/ontologies/{lower}/entities/"
    "http%253A%252F%252Fpurl.obolibrary.org%252Fobo%252F{term}",
}
_NAMES = (
    "17",
    "0042",
    "8675309",
    "a-B_9",
    "12.5",
    "x/y",
    "00123/more",
    "abc",
    "2010/comid/7/block/3",
    "dam_1",
    "plant_9",
)
"""Ends of names that some regular expression of geoconnex matches."""


_WELLS = (
    *(
        "azgs/well/02-105/",
        "azgs/well/a/b/",
        "azgs/welllog/02-105/",
        "azgs/welllog/02105/",
        "azgs/welllog/aXb-7/",
    ),
    *("usgin/garbage/", "usgin/garbage/x", "usgin/garbage/x/y.pdf"),
)
"""Names below the scheme of uriresolve."""


def expect_obo(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the requests of OBO's own tools/test.py."""
    for file in sorted(folder.glob("*.yml")):
        said = yaml.safe_load(file.read_text(encoding="utf-8"))
        base, idspace = said["base_url"], said["idspace"]
        if "base_redirect" in said:
            yield _line(_OBO, base, 302, said["base_redirect"])
        for product in said.get("products") or ():
            for name, location in product.items():
                yield _line(_OBO, f"/obo/{name}", 302, location)
        browser = _BROWSERS.get(str(said.get("term_browser", "")).strip().lower())
        for term in said.get("example_terms") or () if browser else ():
            location = str(browser).format(idspace=idspace, lower=idspace.lower(), term=term)
            yield _line(_OBO, f"/obo/{term}", 303, location)
        for test in said.get("tests") or ():
            yield _line(_OBO, f"{base}{test['from']}", 302, test["to"])
        for entry in said.get("entries") or ():
            status = _STATUSES[entry.get("status", "temporary")]
            if start := entry.get("exact") or entry.get("prefix"):
                yield _line(_OBO, f"{base}{start}", status, entry["replacement"])
            for test in entry.get("tests") or ():
                yield _line(_OBO, f"{base}{test['from']}", status, test["to"])


def expect_n2t(file: Path) -> Iterator[dict[str, Any]]:
    """Yield a name of each NAAN and shoulder: an ARK belongs to its longest shoulder, else to its NAAN."""
    records = json.loads(file.read_text(encoding="utf-8"))["data"]
    by_name = {record["what"]: record for record in records}
    for what in by_name:
        naan, _, shoulder = what.partition("/")
        value = f"{shoulder}7tz9"
        longest = max(
            (length for length in range(2, len(value) + 1) if f"{naan}/{value[:length]}" in by_name),
            default=0,
        )
        record = by_name.get(f"{naan}/{value[:longest]}" if longest else naan)
        if record is None:
            continue
        content = f"{naan}/{value}"
        values = {"content": content, "value": value, "pid": f"ark:{content}", "suffix": value[longest:]}
        location = Template(record["target"]["url"]).substitute(values)
        yield _line("n2t.net", f"/ark:{content}", record["target"]["http_code"], location)


def expect_geoconnex(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield each name, and names that an expression matches, as its server substitutes them."""
    for file in sorted(folder.rglob("*.csv")):
        with file.open(encoding="utf-8", newline="") as opened:
            for row in csv.DictReader(opened):
                host, path = urlsplit(row["id"])[1:3]
                target = row["target"].strip()
                if not (path.startswith("//") and row["id"].strip().endswith("$")):
                    yield _line(host, path, 302, target)
                    continue
                expression = row["id"].strip().partition(f"{host}/")[2]
                start = re.split(r"[(\[]", expression, maxsplit=1)[0]
                for name in _NAMES:
                    if found := re.search(f"^{expression}", f"{start}{name}"):
                        location = target
                        for number, group in enumerate(found.groups(), 1):
                            location = location.replace(f"${number}", group or "")
                        yield _line(host, f"{start}{name}", 302, location)


def expect_uriresolve(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield names that its rewrite rules match, which are tried in the order of their labels."""
    rows = json.loads((folder / "rewrite_rule.json").read_text(encoding="utf-8"))
    rules = sorted((row["fields"] for row in rows), key=lambda fields: fields["label"])
    for name in _WELLS:
        for rule in rules:
            if found := re.match(rule["uri_expression"], name):
                location = rule["url_string"]
                for number, group in enumerate(found.groups(), 1):
                    location = location.replace(f"${number}", group)
                yield _line("resources.usgin.org", f"/uri-gin/{name}", 303, location)
                break


def expect_agldwg(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the requests of AGLDWG's own tests, which compare the location only."""
    for file in sorted(folder.rglob("*.json")):
        read = json.loads(file.read_text(encoding="utf-8"))
        for test in chain(*(read.values() if isinstance(read, dict) else [read])):
            url = urlsplit(test["from"])
            target = f"{url.path}?{url.query}" if url.query else url.path
            headers = {"Accept": "*/*", **(test.get("headers") or {})}
            yield {
                "host": url.netloc,
                "target": target,
                "status": None,
                "location": test["to"],
                "headers": headers,
            }


def _line(host: str, target: str, status: int, location: str) -> dict[str, Any]:
    return {"host": host, "target": target, "status": status, "location": location}


if __name__ == "__main__":
    source, path = sys.argv[1:]
    expect = {
        "agldwg": expect_agldwg,
        "obo": expect_obo,
        "n2t": expect_n2t,
        "geoconnex": expect_geoconnex,
        "uriresolve": expect_uriresolve,
    }[source]
    for line in expect(Path(path)):
        print(json.dumps(line))
