"""The record of a debate: events, acts of people, commands, and the state that the events fold to."""
