"""The parts of the results page."""
