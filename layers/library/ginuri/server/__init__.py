"""The registry on one machine: answers over HTTP, ingests uploads and publishes. Read `application` first."""
