"""The function that answers descriptions, lists, searches and services."""
