"""The rules of a debate: what is asked next, what is refused, when it ends. Pure: no I/O and no clock."""
