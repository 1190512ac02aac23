"""Restating what stood before: rollback, relocation, and the difference of two exports."""
