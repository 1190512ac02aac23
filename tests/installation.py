"""A package of the project in an environment of its own, with the distributions of one extra."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email import message_from_bytes
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement

NAME = "ginuri"
_PACKAGED = ("pyproject.toml", "README.md", "LICENSE", "layers/library")


@dataclass(frozen=True)
class Environment:
    """A virtual environment with the installed packages only."""

    folder: Path

    def run(self, program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run one of its programs, without the user's variables."""
        return subprocess.run(  # noqa: S603  our own programs
            [self.folder / "bin" / program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": str(self.folder / "bin"), "PYTHONWARNINGS": "error", **variables},
            cwd=self.folder,
        )


def build_wheel(root: Path, folder: Path) -> Path:
    """Build the wheel from a copy, because it would include files of an earlier build in the tree."""
    source = folder / "source"
    for name in _PACKAGED:
        whence, whither = root / name, source / name
        whither.parent.mkdir(parents=True, exist_ok=True)
        if whence.is_dir():
            shutil.copytree(whence, whither, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copyfile(whence, whither)
    _pip("wheel", "--no-build-isolation", "--wheel-dir", str(folder), str(source))
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path, extra: str = "") -> Environment:
    """Install the wheel like `pip install ginuri[extra]`, with the versions of the tests.

    Nothing is downloaded: the distributions in the metadata of the wheel are linked from the environment of
    the tests. All other packages cannot be imported.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    python = str(folder / "bin" / "python")
    _pip("--python", python, "install", "--no-index", "--no-compile", str(wheel))  # an import compiles
    (metadata,) = packages.glob(f"{NAME}-*.dist-info")
    for required in _closure(Distribution.at(metadata), {extra} if extra else set()):
        for entry in _top_level(required):
            if not (packages / entry.name).exists():
                (packages / entry.name).symlink_to(entry)
    return Environment(folder)


def download(wheel: Path, folder: Path, python: Path, extra: str, *, has_oldest: bool = False) -> Environment:
    """Run `pip install ginuri[extra]` in a new environment of that Python, from the package index.

    With `has_oldest`, the libraries have the oldest versions that the metadata of the wheel allows.
    """
    subprocess.run([python, "-m", "venv", folder], check=True)  # noqa: S603  an interpreter of this machine
    required = f"{NAME}[{extra}] @ {wheel.as_uri()}"
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(_oldest(wheel, extra)) if has_oldest else "", encoding="utf-8")
    options = ("--quiet", "--disable-pip-version-check", "--constraint", constraints)
    subprocess.run([folder / "bin" / "pip", "install", *options, required], check=True)  # noqa: S603  its own pip
    return Environment(folder)


def _oldest(wheel: Path, extra: str) -> Iterator[str]:
    with ZipFile(wheel) as packed:
        [name] = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(packed.read(name))
    for requirement in map(Requirement, metadata.get_all("Requires-Dist", ())):
        if _applies(requirement, frozenset({extra})):
            [bound] = requirement.specifier
            yield f"{requirement.name}=={bound.version}"


def _pip(*arguments: str) -> None:
    # `--python` comes before the command.
    at = next(place for place, word in enumerate(arguments) if word in {"wheel", "install"})
    options = ("--no-deps", "--quiet", "--disable-pip-version-check")
    subprocess.run(  # noqa: S603  pip of the tests' own environment
        [sys.executable, "-m", "pip", *arguments[: at + 1], *options, *arguments[at + 1 :]], check=True
    )


def _closure(of: Distribution, extras: Iterable[str]) -> Iterator[Distribution]:
    """Return the requirements of a distribution, and their requirements."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(of, frozenset(extras))]
    while waiting:
        requiring, chosen = waiting.pop()
        for requirement in map(Requirement, requiring.requires or ()):
            if not _applies(requirement, chosen):
                continue
            name, further = _normal(requirement.name), frozenset(requirement.extras)
            if (name, further) in seen:
                continue
            seen.add((name, further))
            required = of if name == NAME else distribution(name)
            waiting.append((required, further))
            if required is not of:
                yield required


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in (extras or {""}))


def _top_level(installed: Distribution) -> Iterator[Path]:
    root = Path(str(installed.locate_file("")))
    names = {file.parts[0] for file in installed.files or ()}
    return (root / name for name in sorted(names) if name not in {"..", "__pycache__"})


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
