"""The command line in pieces: flags, the debate they describe, playing it, and what is done with records.

Talks to stores and the runner directly; knows no screen.
"""
