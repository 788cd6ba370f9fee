"""Files that leave the room: reports, decision records, CSV and JSON."""
