"""How good the detectors are on texts that people labelled, and how good protocols are on a team's own questions.

It reads folders, and knows neither a screen nor the command line.
"""
