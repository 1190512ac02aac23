"""The files and the figures of the last daily run. Read `publications` first."""
