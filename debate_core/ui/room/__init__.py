"""The parts of the room: controls, the desks of each role and the live transcript."""
