"""Commands that ask a service for descriptions, explanations and searches; begin with `asking.py`."""
