"""`make first-run`: the checks of a deployed stack that only AWS can show."""
