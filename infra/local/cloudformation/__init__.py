"""The stack as created from the template, and what moto drops of it; read `creation` first."""
