"""DynamoDB over HTTP by libcurl, for the calls of the functions. Read `client` first."""
