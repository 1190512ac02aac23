"""The report on an upload as JSON, its summary, and the refused lines. Read `report` first."""
