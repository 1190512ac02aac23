"""The requests in the logs of a server, counted by path and `Accept`: start at inventory.py."""
