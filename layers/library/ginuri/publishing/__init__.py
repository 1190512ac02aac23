"""The scheduled job, which writes a data set, sitemaps, a feed and the search index. Read `flow` first."""
