"""Commands that read the registry: history, export, comparison of exports."""
