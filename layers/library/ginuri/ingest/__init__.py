"""From an upload to the registry, in parts: cut a file, take in each part, put the report together.

No call ever has to finish a big file. What is left to do travels as queue messages, and what was done is kept
in the reports bucket until the report is written; a small file is taken in by the call that cut it. Each part
may be done twice, or begun and cut off: it ends the same.
"""
