"""The whole stack on one machine: template.yaml itself in moto, the real handlers, no Docker, no account.

Read `stack` first.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "layers/library/ginuri/examples"
"""The registrations and files of the package, laid out like the uploads."""
