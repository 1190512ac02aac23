"""Commands for uploads: checking, handing in, following, undoing."""
