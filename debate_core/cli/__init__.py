"""The command line: one module per command, the flags of all, and the debate they describe.

Uses stores and the runner directly; knows no screen.
"""
