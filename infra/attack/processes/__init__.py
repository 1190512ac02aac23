"""What runs in processes of its own, to be killed, timed or kept from packages."""
