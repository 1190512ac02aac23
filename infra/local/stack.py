"""The whole stack, from the template to the front door: started, used, stopped."""

import asyncio
import itertools
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ginuri.identifiers.service_paths import REPORTS
from ginuri.server.asgi import Application
from ginuri.server.sockets import address, listen, listen_near
from infra.local import ROOT
from infra.local.aws.clients import Account
from infra.local.aws.guard import RoleGuard
from infra.local.aws.moto_server import MotoServer
from infra.local.cloudformation.completion import TemplateRefused, Tools
from infra.local.cloudformation.creation import create
from infra.local.cloudformation.resources import Resources, function_name
from infra.local.edge.distribution import read_distribution
from infra.local.edge.edge import Edge
from infra.local.functions.event_source import EventSource, read_mapping
from infra.local.functions.log_file import LogFile
from infra.local.functions.plan import FunctionPlan, assume, plan_functions, polls, statements_of
from infra.local.functions.process import Function
from infra.local.functions.runtime_api import Outcome
from infra.local.gateway.front_door import Gateway
from infra.local.gateway.reports import serve_reports
from infra.local.gateway.resource_policy import read_referers
from infra.local.gateway.routes import read_routes
from infra.local.servers.http_server import HttpServer
from infra.local.servers.loop_thread import LoopThread
from infra.local.template import expand

_serial = itertools.count(1)


class FunctionBroken(RuntimeError):
    """Raised when a function does not start, with its output."""


@dataclass(frozen=True)
class Options:
    """The settings of the stack, in seconds; `port` 0 is any free one, None is the template's value."""

    port: int = 0
    template: Path = ROOT / "template.yaml"
    logs: Path = Path(sys.prefix) / "ginuri-local-logs"
    verbose: bool = False
    visibility: int | None = None  # hides a received message of the ingest queue
    ingesting: int = 1  # concurrent messages of the ingest queue
    patience: float = 29  # the gateway waits this long for a function
    # Whether clients use the edge, as in AWS, and the gateway refuses all others. Otherwise clients use the
    # gateway, which then answers everybody, without a cache.
    edge: bool = False
    clock: Callable[[], float] = time.monotonic  # the clock of the edge
    parameters: Mapping[str, str] = field(
        default_factory=dict
    )  # values of the template's parameters; others keep the default


class Stack:
    """A running stack."""

    def __init__(
        self,
        service: str,
        account: Account,
        resources: Resources,
        outputs: Mapping[str, str],
        guard: RoleGuard,
    ) -> None:
        self.service = service
        self.gateway = service  # the address of the gateway, and its Referer, if there is an edge
        self.referer = ""
        self.guard = guard
        self.endpoint = account.endpoint
        self.account = account
        self.resources = resources
        self.client = account.client
        self.uploads_bucket = outputs["UploadsBucket"]
        self.reports_bucket = outputs["ReportsBucket"]
        self.archive_bucket = outputs["ArchiveBucket"]
        self.content_bucket = outputs["ContentBucket"]
        self.published_bucket = outputs["PublishedBucket"]
        self.registry_table = outputs["RegistryTable"]
        self.access_table = outputs["AccessTable"]
        self.ingest_queue = outputs["IngestQueue"]
        self.dead_letter_queue = outputs["IngestDeadLetterQueue"]
        self.edge_secret = outputs["EdgeSecret"]
        self.roles: dict[str, Account] = {}  # the account with the rights of a function, by its logical id
        self.sources: list[EventSource] = []
        self.functions: dict[str, Function] = {}
        self.environments: dict[str, Sequence[Function]] = {}  # of a function; its own is the first
        self.logs: dict[str, LogFile] = {}
        self.loop = LoopThread()

    def invoke(self, function: str, event: bytes) -> Outcome:
        """Have a function answer an event, as `aws lambda invoke` does."""
        return self.loop.run(self.functions[function].invoke(event))

    def kill(self, function: str) -> None:
        """End a function's processes at once, like a crash."""

        async def kill() -> None:
            for environment in self.environments[function]:
                environment.kill()

        self.loop.run(kill())

    def log(self, function: str) -> list[str]:
        """Return every line of a function's log."""
        return self.logs[function].lines()


@contextmanager
def local_stack(options: Options | None = None) -> Iterator[Stack]:
    """Start the stack, and stop it afterwards with all its processes.

    Raises PortInUse before anything is started; GapsAreWrong or TemplateRefused for a template that this
    stack or AWS does not accept; FunctionBroken if a handler cannot be loaded.
    """
    options = options or Options()
    with ExitStack() as down:
        front = listen(options.port)
        down.callback(front.close)
        port = front.getsockname()[1]
        bare = listen_near(port + 2) if options.edge else front
        down.callback(bare.close)
        server = MotoServer(listen_near(port + 1))
        server.start()
        down.callback(server.stop)
        account = Account(server.endpoint)
        down.callback(account.close)
        number = next(_serial)
        name = "ginuri" if number == 1 else f"ginuri-{number}"
        tools = Tools(account, server.notifier)
        service = f"http://{address(front)}"
        template = expand(options.template, parameters=options.parameters)
        parameters = {**_parameters(template, service), **options.parameters}
        resources, outputs = create(tools, template, name, parameters)
        stack = Stack(service, account, resources, outputs, server.guard)
        down.callback(stack.loop.stop)
        _start_functions(stack, server, options, down)
        _start_gateway(stack, front, bare, options, down)
        _start_sources(stack, server, options, down)
        yield stack


def _parameters(template: Mapping[str, Any], service: str) -> Mapping[str, str]:
    """Return the address of reports on this machine, if the template has a parameter for it."""
    address = f"{service}/{REPORTS}/"
    return {"ReportsAddress": address} if "ReportsAddress" in template.get("Parameters", {}) else {}


def _start_functions(stack: Stack, server: MotoServer, options: Options, down: ExitStack) -> None:
    mappings = stack.resources.of_kind("AWS::Lambda::EventSourceMapping")
    polled = {function_name(created.properties["FunctionName"]) for created in mappings}
    for plan in plan_functions(stack.resources, stack.account, options.template.parent):
        number = options.ingesting if plan.name in polled else 1
        stack.environments[plan.logical_id] = _make(plan, number, stack, server, options, down)
        stack.functions[plan.logical_id] = stack.environments[plan.logical_id][0]
    environments = list(itertools.chain.from_iterable(stack.environments.values()))

    async def start() -> Sequence[str]:
        failures = await asyncio.gather(*(environment.start() for environment in environments))
        return [failure.message for failure in failures if failure]

    async def stop() -> None:
        await asyncio.gather(*(environment.stop() for environment in environments))

    down.callback(lambda: stack.loop.run(stop()))
    if broken := stack.loop.run(start()):
        raise FunctionBroken("\n".join(broken))


def _make(  # noqa: PLR0913, PLR0917  the process, its number, and its inputs
    plan: FunctionPlan, number: int, stack: Stack, server: MotoServer, options: Options, down: ExitStack
) -> Sequence[Function]:
    credentials = assume(stack.account, plan)
    server.guard.admit(credentials.access_key, statements_of(stack.account, plan.role))
    stack.roles[plan.logical_id] = Account(server.endpoint, credentials)
    down.callback(stack.roles[plan.logical_id].close)
    log = LogFile(options.logs / f"{plan.logical_id}.log", plan.logical_id, shown=options.verbose)
    stack.logs[plan.logical_id] = log
    return [Function(plan, server.endpoint, credentials, log.write) for _ in range(number)]


def _start_gateway(
    stack: Stack, front: socket.socket, bare: socket.socket, options: Options, down: ExitStack
) -> None:
    [api] = stack.resources.of_kind("AWS::ApiGateway::RestApi")
    [stage] = stack.resources.of_kind("AWS::ApiGateway::Stage")
    by_name = {function.plan.name: function for function in stack.functions.values()}
    gateway = Gateway(
        read_routes(stack.resources),
        by_name,
        stage.properties["StageName"],
        api.physical_id,
        options.patience,
        read_referers(stack.resources, stack.account) if options.edge else None,
    )
    first: Application = gateway
    if options.edge:
        distribution = read_distribution(stack.resources, stack.account)
        stack.gateway, stack.referer = f"http://{address(bare)}", dict(distribution.origin_headers)["referer"]
        first = Edge(distribution, gateway, options.clock)
        _serve(gateway, bare, stack, down)
    outputs = {"UploadsBucket": stack.uploads_bucket, "ReportsBucket": stack.reports_bucket}
    _serve(serve_reports(stack.account, outputs, stack.service, first), front, stack, down)


def _serve(application: Application, listening: socket.socket, stack: Stack, down: ExitStack) -> None:
    http = HttpServer(application, listening)
    stack.loop.run(http.start())
    down.callback(lambda: stack.loop.run(http.stop()))


def _start_sources(stack: Stack, server: MotoServer, options: Options, down: ExitStack) -> None:
    by_name = {function.plan.name: function for function in stack.functions.values()}
    for created in stack.resources.of_kind("AWS::Lambda::EventSourceMapping"):
        function = by_name[function_name(created.properties["FunctionName"])]
        mapping = read_mapping(created, stack.account, options.visibility)
        if not polls(statements_of(stack.account, function.plan.role), mapping.queue_arn):
            raise TemplateRefused(
                f"the role of {function.plan.logical_id} may not take from {mapping.queue_arn}"
            )
        logical_id = function.plan.logical_id
        source = EventSource(mapping, stack.environments[logical_id], stack.roles[logical_id])
        stack.sources.append(source)
        down.callback(stack.loop.spawn(source.run()))
        down.callback(server.doorbell.listen(partial(stack.loop.soon, source.wake)))
