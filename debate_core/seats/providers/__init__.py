"""Connections to model servers: one wire for each dialect, with shared faults."""
