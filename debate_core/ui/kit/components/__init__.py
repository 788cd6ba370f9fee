"""Drawings of votes and decisions as HTML: light enough for a phone, the same on every screen."""
