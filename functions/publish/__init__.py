"""The function that publishes the whole registry, on a schedule."""
