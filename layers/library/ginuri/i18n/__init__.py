"""Message catalogues, and writing messages in the reader's language. Read `translation` first.

Nothing here is imported to answer a redirect.
"""
