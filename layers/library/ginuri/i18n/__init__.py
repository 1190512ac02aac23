"""The language of people: message catalogues, and what writes a message from them. Read `translation` first.

Nothing here is imported to answer a redirect.
"""
