"""What a person chooses before an upload: guesses, questions and corrections. Read `choice` first."""
