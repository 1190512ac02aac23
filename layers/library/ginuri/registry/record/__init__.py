"""A record as the sum of its registrations: stamps, merging, history, differences. Read `record` first."""
