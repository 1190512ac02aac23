"""`ginuri import`: the entries of another resolver, as a registry file. One command for each resolver."""

from __future__ import annotations

import click

from ginuri.cli.migration.importing import ImportRequest, host_option, import_options, run_import
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
