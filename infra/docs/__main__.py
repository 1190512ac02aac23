"""`make docs`: checks generated pages, links, and the output of commands."""

from __future__ import annotations

import argparse
import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from infra.docs import PAGES
from infra.docs.blocks import SKIPPED, Block, Command, is_like, read_blocks, read_commands
from infra.docs.links import broken
from infra.docs.reference import pages
from infra.local import EXAMPLES, ROOT
from infra.local.coordinates import published
from infra.local.schedule import publish
from infra.local.stack import Options, Stack, local_stack
from infra.local.uploads import upload_folder

_DOCUMENTED = "http://127.0.0.1:8000"
_VERSION = re.compile(r"(?P<key>[^\s'#]+)#(?P<version>[0-9a-f]{8}-[0-9a-f-]{27})")
_SECONDS = 120
"""The timeout of a command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the documentation; print the faults and return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m infra.docs", description=__doc__)
    parser.add_argument("--only", action="append", default=[], help="run the commands of this page only")
    parser.add_argument("--without-commands", action="store_true", help="run no command")
    options = parser.parse_args(arguments)
    faults = [*_outdated(), *_broken_links()]
    if not options.without_commands:
        run = [page for page in PAGES if not options.only or any(map(str(page).endswith, options.only))]
        faults.extend(_commands(run))
    for line in faults:
        print(line, file=sys.stderr)
    return 1 if faults else 0


def _outdated() -> Iterator[str]:
    for page, content in pages().items():
        if page.read_text(encoding="utf-8") != content:
            yield f"{_name(page)}: is not what the code says; write it anew with `make reference`"


def _broken_links() -> Iterator[str]:
    for page in PAGES:
        yield from (f"{_name(page)}: leads nowhere: {target}" for target in broken(page))


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


# The commands


def _commands(run: Sequence[Path]) -> Iterator[str]:
    """Run the blocks of each page, in a folder of its own, against one stack with the examples."""
    with TemporaryDirectory() as folder, local_stack(Options()) as stack:
        coordinates = Path(folder) / "stack.json"
        with published(stack, coordinates):
            upload_folder(stack, EXAMPLES, EXAMPLES, lambda _: None)
            publish(stack, lambda _: None)
            for page in run:
                working_folder = Path(folder) / "-".join(page.relative_to(ROOT).parts)
                working_folder.mkdir()
                yield from _Session(stack, working_folder, coordinates).run(page)


class _Session:
    """A reader who follows a page in a folder."""

    def __init__(self, stack: Stack, folder: Path, coordinates: Path) -> None:
        self._service = stack.service
        self._folder = folder
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        self._environment = os.environ | {LOCAL_STACK_VARIABLE: str(coordinates), "PATH": path}
        (folder / "tests").symlink_to(ROOT / "tests")  # the data that pages use
        (folder / ".venv").symlink_to(Path(sys.prefix))

    def run(self, page: Path) -> Iterator[str]:
        """Write the files and run the commands of a page, in their order; return the differences."""
        python = []
        for block in read_blocks(page):
            if block.is_file:
                (self._folder / Path(block.title).name).write_text(block.body, encoding="utf-8")
            elif block.is_session:
                for command in read_commands(block):
                    yield from self._wrong(block, command)
            elif block.language == "console":
                if block.title not in SKIPPED:
                    yield f"{_name(page)}:{block.line}: {block.title!r} is no reason not to run a block"
                print(f"not run: {_name(page)}:{block.line}: {block.title}")
            elif block.language == "python" and ">>>" in block.body:
                python.append(block.body)
        yield from self._python(page, "".join(python))

    def _wrong(self, block: Block, command: Command) -> Iterator[str]:
        text = command.text.replace(_DOCUMENTED, self._service)
        text = _VERSION.sub(lambda found: self._last(found["key"]), text)
        done = self._bash(text)
        printed = self._as_documented(done.stdout)
        expected = self._as_documented("\n".join(command.printed))
        where = f"{_name(block.page)}:{command.line}: {command.text}"
        if command.printed and not is_like(printed, expected):
            yield "\n".join([f"{where}\n  prints", *printed, "  and not", *expected])
        elif not command.printed and done.returncode:
            yield "\n".join([f"{where}\n  fails with {done.returncode}", *printed])

    def _bash(self, text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - the commands of our own pages
            ["/bin/bash", "-c", text],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            text=True,
            check=False,
        )

    def _as_documented(self, text: str) -> list[str]:
        text = text.replace(self._service, _DOCUMENTED).replace("\r", "")
        text = re.sub(r"#[0-9a-f]{8}-[0-9a-f-]{27}", "#…", text)
        return re.sub(r"20[2]\d-\d\d-\d\dT[0-9:.]+Z", "…", text).splitlines()

    def _last(self, key: str) -> str:
        """Name the last upload of a key: a page cannot contain its version."""
        ran = self._bash(f"ginuri uploads --under {key.rpartition('/')[0]}/ --last 200 --json")
        found = re.search(rf'"key": "{re.escape(key)}", "version": "([^"]+)"', ran.stdout)
        return f"{key}#{found[1] if found else 'none'}"

    def _python(self, page: Path, text: str) -> Iterator[str]:
        test = doctest.DocTestParser().get_doctest(text, {}, _name(page), str(page), 0)
        failures: list[str] = []
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=failures.append)
        if failures:
            yield "".join(failures)


if __name__ == "__main__":
    sys.exit(main())
