"""The adapters for DynamoDB, S3 and SQS. Read `clients` first."""
