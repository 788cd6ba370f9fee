"""Documents that people bring: one reading of Markdown, plain text and transcripts, which every part reads."""
