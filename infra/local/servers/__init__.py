"""Event loops, and the server in them; read `http_server` first."""
