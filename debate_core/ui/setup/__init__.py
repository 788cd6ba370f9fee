"""The parts of the set-up page."""
