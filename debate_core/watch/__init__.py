"""Watches assumptions: reads decisions from a folder, and evaluates their checks against the files of a checkout.

Reads files and executes nothing; needs no network, no database and no screen.
"""
