"""The interface for stewards, `/api`."""
