"""Options and reports of `ginuri verify`. Read `report` first."""
