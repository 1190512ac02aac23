"""Commands that read the registry: its history, exports, and their differences."""
