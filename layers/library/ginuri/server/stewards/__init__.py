"""The interface for stewards on one machine; imported with the first request to it."""
