"""The edge: the used part of CloudFront, read from the expanded template; read `edge` first."""
