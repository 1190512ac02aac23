"""`ginuri apply`: brings a registry to the state of a folder of registration files. Read `apply` first."""
