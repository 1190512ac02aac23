"""`ginuri import`: the entries of another resolver, as a registry file. One command for each resolver."""

from __future__ import annotations

import click

from ginuri.cli.migration.importing import ImportRequest, host_option, import_options, run_import
from ginuri.cli.terminal import wrong_value
from ginuri.identifiers.messages import message
from ginuri.migration.agldwg.hosts import HOST as AGLDWG
from ginuri.migration.apache.folders import HTACCESS
from ginuri.migration.apache.importer import Scope, import_apache
from ginuri.migration.bioregistry.conversion import HOST as BIOREGISTRY
from ginuri.migration.bioregistry.conversion import import_bioregistry
from ginuri.migration.geoconnex import import_geoconnex
from ginuri.migration.n2t import import_n2t
from ginuri.migration.obo.conversion import HOST as OBO
from ginuri.migration.obo.conversion import import_obo
from ginuri.migration.uriredirect import import_uriredirect
from ginuri.migration.uriresolve import import_uriresolve


@click.group("import")
def import_command() -> None:
    """Convert the entries of another resolver to a registry file.

    Reads files, or all files of a folder. Writes JSON lines for `ginuri upload`, to stdout or --output, and
    prints the share that was imported, the reasons for the rest, and each entry that was not, with its line.
    The same files always give the same lines. Exits 1 if an entry was refused, 2 if a file could not be read.
    """


@import_command.command("agldwg")
@import_options
@host_option(AGLDWG)
def agldwg_command(request: ImportRequest, *, host: str) -> None:
    """Import FILES of AGLDWG: *.conf of its pid-proxy or *.ttl of its pid-register, and *.json with tests."""
    from ginuri.migration.agldwg.conversion import import_agldwg

    run_import(request, ("*.conf", "*.ttl", "*.json"), lambda files: import_agldwg(files, host))


@import_command.command("apache")
@import_options
@host_option(text="The host of the names, such as w3id.org.")
@click.option(
    "--context",
    type=click.Choice([scope.value for scope in Scope]),
    default=Scope.FOLDER.value,
    show_default=True,
    help="`folder`: .htaccess files, in the folders that names begin with. `server`: the configuration of a "
    "server or a virtual host.",
)
def apache_command(request: ImportRequest, *, host: str, context: str) -> None:
    """Import FILES of Apache httpd: the redirects of mod_rewrite and mod_alias."""
    if not host:
        raise wrong_value(message("Name the host of the names with {option}.", option="--host"))
    scope = Scope(context)
    names = (HTACCESS,) if scope is Scope.FOLDER else ("*.conf",)
    run_import(request, names, lambda files: import_apache(files, host, scope))


@import_command.command("bioregistry")
@import_options
@host_option(BIOREGISTRY)
def bioregistry_command(request: ImportRequest, *, host: str) -> None:
    """Import FILES of the Bioregistry: bioregistry.json, or the wheel of its Python package."""
    names = ("bioregistry.json", "bioregistry-*.whl")
    run_import(request, names, lambda files: import_bioregistry(files, host))


@import_command.command("geoconnex")
@import_options
def geoconnex_command(request: ImportRequest) -> None:
    """Import FILES of geoconnex: tables, with their metadata.json. Name the folder `namespaces`."""
    run_import(request, ("*.csv", "metadata.json"), import_geoconnex)


@import_command.command("n2t")
@import_options
def n2t_command(request: ImportRequest) -> None:
    """Import FILES of N2T's registry of ARKs, naan_records.json, for an upload under `_host/`."""
    run_import(request, ("*.json",), import_n2t)


@import_command.command("obo")
@import_options
@host_option(OBO)
def obo_command(request: ImportRequest, *, host: str) -> None:
    """Import FILES of config/*.yml of OBO's PURLs. Name all files that share a host in one command."""
    run_import(request, ("*.yml",), lambda files: import_obo(files, host))


@import_command.command("ukgovld")
@import_options
@click.option("--base", default="", metavar="URI", help="The register that relative names belong to.")
def ukgovld_command(request: ImportRequest, *, base: str) -> None:
    """Import FILES of registers of UKGovLD's registry-core, in RDF: Turtle, RDF/XML, JSON-LD or N-Triples."""
    from ginuri.migration.ukgovld.conversion import import_ukgovld

    names = ("*.ttl", "*.rdf", "*.jsonld", "*.nt")
    run_import(request, names, lambda files: import_ukgovld(files, base))


@import_command.command("uriredirect")
@import_options
@host_option(text="The host of registers that are not a scheme uri-….")
def uriredirect_command(request: ImportRequest, *, host: str) -> None:
    """Import FILES of fixtures of usgin/uriredirect, JSON or YAML. Name all tables in one command."""
    run_import(request, ("*.json", "*.yaml", "*.yml"), lambda files: import_uriredirect(files, host))


@import_command.command("uriresolve")
@import_options
def uriresolve_command(request: ImportRequest) -> None:
    """Import FILES of fixtures of usgin/uriresolve, JSON or YAML. Name all tables in one command."""
    run_import(request, ("*.json", "*.yaml", "*.yml"), import_uriresolve)
