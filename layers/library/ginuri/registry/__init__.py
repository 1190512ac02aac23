"""The registry: typed values, records and their history, rules, lists, and the ports to a store.

Read `model` first.
"""
