"""What a rule says: which identifiers its pattern takes, and where its templates lead."""
