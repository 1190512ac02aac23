"""The cost of the service: counted calls, measured CPU and list prices. Read `figures` first."""
