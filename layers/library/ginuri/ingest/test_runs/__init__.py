"""The tests that an upload affects, and their run on the registry as the upload leaves it.

Read `affected` first: a task notes the tests that its rows affect; `run` runs those of all tasks, once.
"""
