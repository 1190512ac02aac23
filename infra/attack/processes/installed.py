"""The command with the packages of one extra only: `infra.attack.processes.installed EXTRA ARGUMENT…`.

All other packages of this environment cannot be imported, as after `pip install "ginuri[EXTRA]"`; `none`
means no extra. The process writes the peak of its memory, in bytes, to the file `peak.txt`.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from types import ModuleType

from infra.bench.workers.own_process import memory
from infra.local import ROOT

PEAK = "peak.txt"
_NAME = "ginuri"
_SEPARATORS = str.maketrans("_.", "--")


class Blocked(MetaPathFinder):
    """Refuses to import modules."""

    def __init__(self, modules: Iterable[str]) -> None:
        self._modules = frozenset(modules)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise ModuleNotFoundError for a blocked module."""
        del path, target
        if fullname.partition(".")[0] in self._modules:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


def find_required(name: str, extra: str = "", seen: set[tuple[str, str]] | None = None) -> set[str]:
    """Return a distribution and all that it requires, with one of its extras."""
    from packaging.requirements import Requirement

    seen = set() if seen is None else seen
    if (name, extra) in seen:
        return set()
    seen.add((name, extra))
    required = {name}
    for requirement in map(Requirement, _requirements(name, extra)):
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            for further in requirement.extras or {""}:
                required |= find_required(_normal(requirement.name), further, seen)
    return required


def _requirements(name: str, extra: str) -> Sequence[str]:
    if name == _NAME:  # the installed version may be older
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return [*project["dependencies"], *project["optional-dependencies"].get(extra, ())]
    try:
        return distribution(name).requires or ()
    except PackageNotFoundError:  # required on another system
        return ()


def find_blocked(extra: str) -> set[str]:
    """Return the modules that an installation with one extra lacks."""
    required = find_required(_NAME, extra)
    return {
        module
        for module, distributions in packages_distributions().items()
        if not {_normal(name) for name in distributions} & required
    }


def _normal(name: str) -> str:
    return name.lower().translate(_SEPARATORS)


def _main(extra: str) -> None:
    blocked = find_blocked("" if extra == "none" else extra)
    for name in [name for name in sys.modules if name.partition(".")[0] in blocked]:
        del sys.modules[name]
    sys.meta_path.insert(0, Blocked(blocked))
    try:
        from ginuri.cli.__main__ import run

        run()
    finally:
        Path(PEAK).write_text(str(memory("VmHWM")), encoding="ascii")


if __name__ == "__main__":
    installed = sys.argv.pop(1)
    sys.argv[0] = _NAME
    _main(installed)
