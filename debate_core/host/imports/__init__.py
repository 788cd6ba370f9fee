"""Import of files that other tools or people wrote: read, reviewed by a person, and then kept as drafts."""
