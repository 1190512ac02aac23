"""The scheduled job: writes a data set, sitemaps, a feed and the search index."""
