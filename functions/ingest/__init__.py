"""The function that takes in what stewards upload."""
