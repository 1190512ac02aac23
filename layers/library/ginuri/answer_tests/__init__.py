"""Tests that registrations state: which requests they make, and whether answers are as expected.

Read `runner` first.
"""
