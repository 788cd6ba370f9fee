"""The dialects of model servers: one connection, one reading of faults, one wire for each dialect."""
