"""`python -m infra.claims` lists the tests whose names are no plain sentences of at most twelve words."""

import ast
import re
import sys

from infra.local import ROOT

_FAULTS = {
    "has more than twelve words": re.compile(r"test(_[^_]+){13}"),
    "does not begin with its subject": re.compile(
        r"test_(what|whatever|who|whoever|whose|where|how|of|on|in|at|there|nothing|so|and)_"
    ),
    "reads like a translation": re.compile(
        r"_(tells?|told|says?|said|stands?|stood|pays?|paid|whoever|whatever|ours|theirs|likewise|another_writing"
        r"|writings|of_ours|all_the_same|nothing_else|and_nothing|and_no_others?)(?=_|$)"
    ),
}


def find_faults(name: str) -> list[str]:
    """Return the rules of names that a test's breaks.

    >>> find_faults("test_what_is_new_here")
    ['does not begin with its subject']
    """
    return [fault for fault, pattern in _FAULTS.items() if pattern.search(name)]


def main() -> int:
    """Print each name that breaks a rule, with its place."""
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {node.name} {' and '.join(faults)}"
        for file in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and (faults := find_faults(node.name))
        if node.name.startswith("test_")
    ]
    sys.stdout.writelines(f"{line}\n" for line in found)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
