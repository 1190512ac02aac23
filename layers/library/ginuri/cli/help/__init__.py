"""The list of commands, their help in other languages, and completion; begin with `command_list.py`."""
