"""OBO's PURLs as registrations. Read `conversion.py` first."""
