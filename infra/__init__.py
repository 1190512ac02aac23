"""What stands around a release: the stack on one machine, the bench, and what outlives a deployment."""
