"""Keeps a registry folder safe: backups, a complete check, and a quick one after an unclean stop."""
