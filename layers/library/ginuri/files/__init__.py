"""Registrations in and reports out: JSON lines and CSV. The only place that needs pydantic."""
