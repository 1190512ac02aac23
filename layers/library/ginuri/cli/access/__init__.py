"""The commands about access tokens."""
