"""The entries of other resolvers as registrations: each is converted, or refused with a reason."""
