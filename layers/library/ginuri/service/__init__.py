"""The flows that answer a `Request` with a `Response`. Read `resolve` first, then `paths` and `describe`."""
