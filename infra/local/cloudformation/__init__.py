"""The stack as created from the template, with the resources that moto drops; read `creation` first."""
