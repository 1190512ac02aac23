"""`python -m infra.emulator FOLDER`: compare, in the Python and layers of `infra/runtime_environment`."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from ginuri.aws.dynamodb.table_scan import DynamoTableScan
from ginuri.registry.record.grant_records import is_apart
from infra.emulator.comparison import Comparison, compare_answers, compare_publications, compare_reports
from infra.emulator.process import BuiltFunction, Emulated, emulated, find_emulator
from infra.emulator.requests import requests
from infra.local import EXAMPLES, ROOT
from infra.local.functions.plan import FunctionPlan, environment
from infra.local.stack import Stack, local_stack
from infra.local.uploads import upload_folder

_BUILT = ROOT / ".aws-sam" / "build"


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if all answers are the same or this machine has no emulator, else 1."""
    parser = argparse.ArgumentParser(prog="python -m infra.emulator", description=__doc__)
    parser.add_argument(
        "runtime", type=Path, help="virtual environment of the runtime's Python, with layers/"
    )
    parser.add_argument("--every", type=int, default=8, help="ask for every so many identifiers (8)")
    options = parser.parse_args(arguments)
    emulator = find_emulator(ROOT)
    if emulator is None or not _BUILT.is_dir():
        print("emulator: skipped, as nothing was built here: make build", file=sys.stderr)
        return 0
    comparison = Comparison()
    with local_stack() as stack, ExitStack() as down:
        upload_folder(stack, EXAMPLES, EXAMPLES, lambda _line: None)
        functions = {
            logical_id: down.enter_context(_start(emulator, function.plan, stack, options.runtime.resolve()))
            for logical_id, function in stack.functions.items()
        }
        compare_publications(stack, functions["PublishFunction"], comparison)
        scan = DynamoTableScan(stack.client("dynamodb"), stack.registry_table)
        identifiers = sorted(name for name, _, _ in scan.stored() if not is_apart(name))
        compare_answers(stack, functions, list(requests(identifiers, options.every)), comparison)
        compare_reports(stack, functions["IngestFunction"], comparison)
    _print(comparison, len(identifiers))
    return 1 if comparison.differences else 0


def _start(
    emulator: Path, plan: FunctionPlan, stack: Stack, runtime: Path
) -> AbstractContextManager[Emulated]:
    """Return the built function of `plan` under the emulator, with the local one's role and variables."""
    layers = [
        _BUILT / "LibraryLayer" if folder.name == "library" else runtime / "layers" / folder.name
        for folder in plan.python_path[1:]
    ]
    variables = environment(plan, stack.endpoint, stack.roles[plan.logical_id].credentials, "")
    log = runtime / f"{plan.logical_id}.log"
    log.write_bytes(b"")
    function = BuiltFunction(plan.handler, _BUILT / plan.logical_id, layers, variables)
    return emulated(emulator, function, python=runtime / "bin" / "python", log=log)


def _print(comparison: Comparison, registered: int) -> None:
    for difference in comparison.differences:
        print(difference)
    for label, count in sorted(comparison.equal.items()):
        print(f"{label:<30}{count:>6} equal")
    print(
        f"emulator: {comparison.equal.total()} answers equal, {len(comparison.differences)} different, "
        f"among {registered} registrations; {sum(os.times()[:4]):.0f} s of CPU"
    )


if __name__ == "__main__":
    sys.exit(main())
