"""The command line in pieces: a module for what a command does, the flags of all, and the debate that they describe.

Talks to stores and the runner directly; knows no screen.
"""
