"""Tools of the repository: local stack, measurements, catalogues, documentation. Read `local.stack` first."""
