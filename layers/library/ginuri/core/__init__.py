"""What ginuri knows: pure, standard library only, no input or output."""
