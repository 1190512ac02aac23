"""The commands that undo an upload, or move locations."""
