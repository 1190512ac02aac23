"""`ginuri hosts`: the registered hosts that the edge does not answer on yet, and what to do."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import localize, write_json
from ginuri.identifiers.messages import Message, counted, message
from ginuri.registry.model import RecordType

MOST_HOSTS = 100
"""The most hosts of a distribution without a higher quota: "Alternate domain names" in
https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html."""
_REQUEST = "aws acm request-certificate --region us-east-1 --validation-method DNS"


@dataclass(frozen=True, slots=True)
class RegisteredHost:
    """A host, and the identifiers whose records name it."""

    host: str
    named_by: tuple[str, ...]
    is_served: bool

    @property
    def is_public(self) -> bool:
        """Whether an edge can answer on it: a name with a dot, and no port."""
        return "." in self.host and ":" not in self.host and "%" not in self.host


@click.command("hosts")
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def hosts_command(*, name: str | None, as_json: bool) -> None:
    """Show the registered hosts that the edge does not answer on yet, and what to do.

    A host is registered by a record of its own, or as a trusted host of a scheme or an authority. Reads the
    whole table. Exits 1 if there is such a host.
    """
    with open_stack(name, message("The registry cannot be read")) as stack:
        served, edge = stack.served_hosts, stack.edge
        hosts = match_hosts(stack.archive.standing(""), served)
    missing = [host for host in hosts if not host.is_served]
    if as_json:
        click.echo(write_json(_as_json(hosts, served or (), edge), indent=1))
    else:
        click.echo("\n".join([*_list(hosts), *(_advise(hosts, served or (), edge) if missing else ())]))
    sys.exit(1 if missing else 0)


def match_hosts(
    records: Iterable[tuple[str, Mapping[str, Any]]], served: Sequence[str] | None
) -> list[RegisteredHost]:
    """Collect the hosts in records, in order, and compare them with those that are served; None means all.

    A host that another one answers for is left out: the edge gets no requests for it.
    """
    named: dict[str, list[str]] = {}
    for identifier, values in records:
        own = [identifier.strip("/")] if values.get("record") == RecordType.HOST else []
        for host in () if values.get("answered_by") else [*own, *values.get("trusted_hosts", ())]:
            named.setdefault(host.lower(), []).append(identifier)
    return [
        RegisteredHost(host, tuple(names), _is_served(host, served)) for host, names in sorted(named.items())
    ]


def _is_served(host: str, served: Iterable[str] | None) -> bool:
    # A wildcard of a distribution covers one label.
    return served is None or any(name in {host, f"*.{host.partition('.')[2]}"} for name in served)


def _list(hosts: Sequence[RegisteredHost]) -> Iterator[str]:
    if not hosts:
        yield localize(message("No hosts are registered."))
    for host in hosts:
        state = message("served") if host.is_served else message("not served yet")
        first, *others = host.named_by
        yield f"{host.host}  {localize(state)}  ({first}{f' + {len(others)}' if others else ''})"


def _advise(hosts: Sequence[RegisteredHost], served: Sequence[str], edge: str) -> Iterator[str]:
    local = [host.host for host in hosts if not host.is_served and not host.is_public]
    names = _host_names(hosts, served)
    yield ""
    if local:
        yield localize(
            message(
                "An edge cannot answer on {hosts}: it takes public names without a port.",
                hosts=", ".join(local),
            )
        )
    if names == list(served):
        return
    yield localize(counted("{number} host for the edge:", "{number} hosts for the edge:", len(names)))
    for number, step in enumerate(_steps(names, edge), 1):
        yield f"{number}. {localize(step)}"
    if len(names) > MOST_HOSTS:
        yield localize(
            message(
                "An edge takes {most} hosts. Ask AWS for a higher quota of CloudFront's alternate domain "
                "names.",
                most=str(MOST_HOSTS),
            )
        )


def _steps(names: Sequence[str], edge: str) -> Iterator[Message]:
    first, *others = names
    alternatives = f" --subject-alternative-names {' '.join(others)}" if others else ""
    yield message(
        "Ask for a certificate of all of them, in us-east-1 whatever your region: {command}",
        command=f"{_REQUEST} --domain-name {first}{alternatives}",
    )
    yield message(
        "Prove in DNS that they are yours, and deploy with these parameters: {parameters}",
        parameters=f"HostNames={','.join(names)} CertificateArn=arn:aws:acm:us-east-1:…",
    )
    yield message(
        "Lead them to {edge} in DNS, with an alias or a CNAME.",
        edge=edge or message("the output EdgeDomain of the stack"),
    )


def _host_names(hosts: Sequence[RegisteredHost], served: Sequence[str]) -> list[str]:
    return [*served, *(host.host for host in hosts if host.is_public and not host.is_served)]


def _as_json(hosts: Sequence[RegisteredHost], served: Sequence[str], edge: str) -> Mapping[str, Any]:
    return {
        "edge": edge or None,
        "hosts": [
            {"host": host.host, "served": host.is_served, "public": host.is_public, "named_by": host.named_by}
            for host in hosts
        ],
        "host_names": _host_names(hosts, served),
        "unregistered": [name for name in served if not any(_is_served(host.host, [name]) for host in hosts)],
    }
