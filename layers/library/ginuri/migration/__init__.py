"""What other resolvers keep → registrations: each of their entries is taken, or not taken for a reason."""
