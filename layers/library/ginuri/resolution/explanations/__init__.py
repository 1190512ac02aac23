"""A decision as steps and sentences, with requests that get another answer. Read `explanation` first."""
