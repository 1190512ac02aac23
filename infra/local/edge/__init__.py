"""The edge: CloudFront as far as the template uses it, read from the expanded template; read `edge` first."""
