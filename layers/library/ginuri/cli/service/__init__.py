"""The parts of a service over HTTP as commands use them. Begin with `ginuri.cli.service_stack`."""
