"""The attacked targets: stores and functions in memory, the edge, a DynamoDB that misbehaves."""
