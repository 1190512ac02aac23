"""The processes of a run: handlers, cold starts, the stand-in for DynamoDB; read `processes` first."""
