"""Well-known schemes, such as DOIs and ORCID iDs: a file of registrations that an operator may add.

`well-known.jsonl` has the facts, `catalogue` reads them; read `recognition` first. Nothing here is imported
to answer a redirect.
"""
