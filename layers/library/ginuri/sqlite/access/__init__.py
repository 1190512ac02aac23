"""The access tokens of a registry folder, in a database of their own."""
