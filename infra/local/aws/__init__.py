"""The AWS endpoint: moto, and before it what moto lacks or lets pass; read `moto_server` first."""
