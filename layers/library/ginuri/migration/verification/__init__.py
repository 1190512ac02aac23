"""The same requests to two resolvers, and the differences between their answers: start at comparison.py."""
