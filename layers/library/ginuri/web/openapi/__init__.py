"""The description of all paths in OpenAPI 3.1. Read `document` first."""
