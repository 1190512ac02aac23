"""Ingests uploads in parts: splits a file into chunks, registers each part, and writes the report.

No call has to finish a big file. Queue messages carry the remaining work, and the reports bucket keeps the
results until the report is written; a small file is processed in a single call. Each part may run twice, or
be interrupted, with the same result. Read `flow` first.
"""
