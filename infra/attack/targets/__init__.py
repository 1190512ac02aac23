"""What is attacked: stores and functions in memory, the edge, a DynamoDB that misbehaves."""
