"""What a scheduled job writes of the whole registry: a data set, sitemaps, a feed, and what searches read."""
