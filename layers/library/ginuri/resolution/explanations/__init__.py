"""A decision as steps and sentences, and what would change it. Read `explanation` first."""
