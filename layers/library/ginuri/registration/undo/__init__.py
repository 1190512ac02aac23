"""Rollback of uploads, relocation of web addresses, and the difference of two exports."""
