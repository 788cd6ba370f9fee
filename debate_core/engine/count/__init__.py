"""Counting: ballots, profiles, election rules, and the results that follow from them."""
