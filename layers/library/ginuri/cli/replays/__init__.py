"""Stacks whose uploads are processed once more: in AWS, and in a registry folder."""
