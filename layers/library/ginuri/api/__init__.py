"""The HTTP interface for stewards: registrations, reports, undo and tokens; read `application.py` first."""
