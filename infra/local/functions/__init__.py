"""The functions' processes, the Runtime API, and the queue that calls ingest; read `process` first."""
