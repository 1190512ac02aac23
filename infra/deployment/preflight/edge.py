"""Checks of the edge: whether CloudFront is allowed, its hosts, their certificate and their zone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from botocore.exceptions import ClientError

from infra.deployment.preflight.finding import Finding, failed, passed, unknown, warning
from infra.deployment.preflight.plan import Plan

_VERIFY = (
    "open a case with AWS Support, Account and billing, with this message: Your account must be verified "
    "before you can add new CloudFront resources. The answer takes up to some days."
)
_SOON = timedelta(days=30)
CERTIFICATES = "us-east-1"
"""The region of the certificates of CloudFront, whatever the region of a stack."""


def list_all(call: Callable[..., Any], name: str, **arguments: str) -> Iterator[Mapping[str, Any]]:
    """Yield the items of all pages of a list of CloudFront. Raises ClientError."""
    marker: Mapping[str, str] = {}
    while True:
        page = call(**arguments, **marker)[name]
        yield from page.get("Items", [])
        if not page.get("NextMarker"):
            return
        marker = {"Marker": page["NextMarker"]}


def check_cloudfront(plan: Plan) -> Iterator[Finding]:
    """Look for a distribution: AWS refuses the first one of an account that it has not verified."""
    found = list(list_all(plan.clients("cloudfront").list_distributions, "DistributionList"))
    if found:
        yield passed(f"CloudFront is allowed: the account has {len(found)} distributions")
    else:
        yield unknown(
            "the account has no distribution yet, and AWS shows only at the first one whether it allows any",
            "make preflight PROBE=1 makes a disabled one and deletes it, which takes minutes. If refused, "
            f"{_VERIFY}",
        )


def probe_cloudfront(plan: Plan) -> Iterator[Finding]:
    """Make a disabled distribution, which costs nothing, and delete it once it is deployed."""
    edge = plan.clients("cloudfront")
    try:
        made = edge.create_distribution(DistributionConfig=_disabled(plan))["Distribution"]["Id"]
    except ClientError as error:
        if "must be verified" not in str(error):
            raise
        yield failed("CloudFront refuses distributions of this account", _VERIFY)
        return
    edge.get_waiter("distribution_deployed").wait(Id=made)
    edge.delete_distribution(Id=made, IfMatch=edge.get_distribution(Id=made)["ETag"])
    yield passed(f"CloudFront is allowed: it made the distribution {made}, which is deleted again")


def _disabled(plan: Plan) -> Mapping[str, Any]:
    origin = {"HTTPPort": 80, "HTTPSPort": 443, "OriginProtocolPolicy": "https-only"}
    return {
        "CallerReference": f"preflight {datetime.now(UTC):%Y%m%dT%H%M%SZ}",
        "Comment": f"preflight of {plan.environment.stack}, to be deleted",
        "Enabled": False,
        "Origins": {
            "Quantity": 1,
            "Items": [{"Id": "none", "DomainName": "example.org", "CustomOriginConfig": origin}],
        },
        "DefaultCacheBehavior": {
            "TargetOriginId": "none",
            "ViewerProtocolPolicy": "allow-all",
            "CachePolicyId": "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",  # CachingDisabled, of AWS
        },
    }


def check_hosts(plan: Plan) -> Iterator[Finding]:
    """Check that no other distribution of the account has one of the hosts."""
    hosts = plan.hosts()
    if not hosts:
        yield passed("no hosts are named: the service answers on the name of its edge")
        return
    own = {each.id for each in plan.own}
    taken = [
        (host, each["Id"])
        for each in list_all(plan.clients("cloudfront").list_distributions, "DistributionList")
        if each["Id"] not in own
        for host in each.get("Aliases", {}).get("Items", [])
        if host in hosts
    ]
    for host, distribution in taken:
        yield failed(f"the distribution {distribution} has {host} already", f"remove {host} from it first.")
    if not taken:
        yield passed(f"no other distribution of the account has {', '.join(hosts)}")


def check_certificate(plan: Plan) -> Iterator[Finding]:
    """Check that the certificate is issued and names every host."""
    arn, hosts = plan.values["CertificateArn"], plan.hosts()
    if arn == "none" or not hosts:
        if arn == "none" and not hosts:
            yield passed("no hosts are named, so no certificate is needed")
        else:
            yield failed("HostNames and CertificateArn go together", "name both of them in site.toml.")
        return
    try:
        certificate = plan.clients("acm", CERTIFICATES).describe_certificate(CertificateArn=arn)[
            "Certificate"
        ]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        yield failed(
            f"there is no certificate {arn} in {CERTIFICATES}", "request one: docs/how-to/serve-your-hosts.md"
        )
        return
    yield from _check_issued(certificate, hosts)


def _check_issued(certificate: Mapping[str, Any], hosts: list[str]) -> Iterator[Finding]:
    names = [certificate["DomainName"], *certificate.get("SubjectAlternativeNames", [])]
    ends = certificate.get("NotAfter")
    if certificate["Status"] != "ISSUED":
        yield failed(
            f"the certificate is {certificate['Status']}",
            "make the records that ACM asks for: docs/how-to/serve-your-hosts.md",
        )
    elif missing := [host for host in hosts if not any(_covers(name, host) for name in names)]:
        yield failed(f"the certificate does not name {', '.join(missing)}", "request one for all hosts.")
    elif ends is not None and ends < datetime.now(UTC) + _SOON:
        yield warning(
            f"the certificate ends on {ends:%Y-%m-%d}", "ACM renews it while its records are in DNS."
        )
    else:
        yield passed(f"the certificate names {', '.join(hosts)}")


def _covers(name: str, host: str) -> bool:
    """Return whether a name of a certificate is that of a host; an asterisk is one label."""
    return name == host or (name.startswith("*.") and host.partition(".")[2] == name[2:])


def check_zone(plan: Plan) -> Iterator[Finding]:
    """Check that the zone is public and contains the first host, which has no record yet."""
    zone, hosts = plan.values["HostedZoneId"], plan.hosts()
    if zone == "none" or not hosts:
        yield passed("no hosted zone is named: DNS is changed by hand")
        return
    dns, host = plan.clients("route53"), hosts[0]
    try:
        found = dns.get_hosted_zone(Id=zone)["HostedZone"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchHostedZone":
            raise
        yield failed(
            f"there is no hosted zone {zone}", "write the id of the zone of the first host in site.toml."
        )
        return
    name = found["Name"].rstrip(".")
    if found.get("Config", {}).get("PrivateZone"):
        yield failed(f"the hosted zone of {name} is private", "name the public one in site.toml.")
    elif host != name and not host.endswith(f".{name}"):
        yield failed(
            f"{host} is not in the hosted zone of {name}", "name the zone of the first of HostNames."
        )
    elif not plan.owns_a("AWS::Route53::RecordSet") and (kinds := _records(dns, zone, host)):
        yield failed(
            f"{host} has records already: {', '.join(kinds)}",
            "remove them when you deploy, or leave out HostedZoneId and change DNS by hand.",
        )
    else:
        yield passed(f"{host} is in the hosted zone of {name}")


def _records(dns: Any, zone: str, host: str) -> list[str]:  # noqa: ANN401  a client of Route 53
    listed = dns.list_resource_record_sets(HostedZoneId=zone, StartRecordName=host, MaxItems="10")
    kinds = ("A", "AAAA", "CNAME")
    return [
        each["Type"]
        for each in listed["ResourceRecordSets"]
        if each["Name"].rstrip(".") == host and each["Type"] in kinds
    ]
