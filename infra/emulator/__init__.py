"""The built functions under AWS's emulator, compared with the local stack; read `comparison` first."""
