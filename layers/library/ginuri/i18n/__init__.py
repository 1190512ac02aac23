"""Message catalogues, and writing messages in the reader's language. Read `translation` first.

A redirect imports none of these modules.
"""
