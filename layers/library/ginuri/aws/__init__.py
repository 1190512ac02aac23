"""The rim: DynamoDB and S3, and the shipped fakes that are held to the same tests."""
