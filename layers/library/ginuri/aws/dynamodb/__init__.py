"""The registry in DynamoDB: one identifier, one item. Read `reader` first."""
