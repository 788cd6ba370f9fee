"""The agreement before the first turn, as frozen values: question, options, seats, protocol, rules and limits."""
