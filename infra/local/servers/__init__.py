"""Sockets, event loops and what is needed of ASGI; read `http_server` first."""
