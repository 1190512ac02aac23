"""The adapters for DynamoDB, S3 and SQS."""
