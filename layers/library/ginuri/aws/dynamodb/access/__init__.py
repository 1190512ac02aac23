"""The access tokens of a stack, in a table of their own; `tokens` is the module to read first."""
