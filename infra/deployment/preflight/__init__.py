"""`make preflight` checks what a first deployment fails on, and changes nothing."""
