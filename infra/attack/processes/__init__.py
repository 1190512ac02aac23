"""Programs in separate processes, to be killed, timed or run without packages."""
