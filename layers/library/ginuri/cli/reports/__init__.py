"""Commands that fetch the report on an upload. Read `report` first."""
