"""Commands for uploads: check, upload, list, undo."""
