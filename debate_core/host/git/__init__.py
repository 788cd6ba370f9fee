"""Puts a decision into a git repository."""
