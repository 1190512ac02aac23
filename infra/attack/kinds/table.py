"""Every kind of attack by name, with its constructor."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from infra.attack.kinds.commands import Commands
from infra.attack.kinds.deployments import Deployments
from infra.attack.kinds.edge import EdgeTriples
from infra.attack.kinds.faults import Faults
from infra.attack.kinds.kills import Kills
from infra.attack.kinds.memory import Memory
from infra.attack.kinds.promises import Promises
from infra.attack.kinds.requests import Requests
from infra.attack.kinds.uploads import Uploads
from infra.attack.kinds.vary import Vary
from infra.attack.targets.edge_client import EdgeClient
from infra.attack.targets.hostile_registry import fresh_service
from infra.attack.targets.service import SECRET
from infra.attack.trials import Kind
from infra.attack.world import World


def _requests(world: World) -> Kind:
    return Requests(world.service.ask, world.drawing, world.hosts)


def _vary(world: World) -> Kind:
    return Vary(world.service.ask, world.drawing)


def _edge(world: World) -> Kind:
    return EdgeTriples(EdgeClient(world.service.answer, SECRET), world.service.ask, world.drawing)


def _promises(world: World) -> Kind:
    return Promises(world.service.ask, fresh_service(world.folder / "fresh").ask)


KINDS: Mapping[str, Callable[[World], Kind]] = {
    "requests": _requests,
    "vary": _vary,
    "edge": _edge,
    "promises": _promises,
    "uploads": lambda _: Uploads(),
    "kills": lambda _: Kills(),
    "faults": lambda _: Faults(),
    "commands": lambda _: Commands(),
    "deployments": lambda world: Deployments(world.folder / "built"),
    "memory": lambda world: Memory(world.folder / "memory"),
}
