"""Sockets, event loops and the used part of ASGI; read `http_server` first."""
