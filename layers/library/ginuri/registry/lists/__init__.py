"""Who is a member of what: registers, collections, and their pages."""
