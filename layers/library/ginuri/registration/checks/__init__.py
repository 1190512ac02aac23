"""The checks on a registration, one module for each subject. Read `authorization` first."""
