"""Accuracy of the detectors on labelled texts, accuracy of protocols on a team's own questions, practice debates.

The package reads folders, and knows neither screens nor the command line.
"""
