"""What the service costs: counted calls, measured CPU and list prices. Begin with `figures`."""
