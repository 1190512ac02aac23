"""The routes of the interface for stewards, one module for each kind of thing."""
