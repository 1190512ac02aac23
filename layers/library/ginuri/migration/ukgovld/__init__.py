"""The registers of UKGovLD's registry-core as registrations. Read `conversion.py` first."""
