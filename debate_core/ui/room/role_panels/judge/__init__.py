"""The desk of a judge: reading, probabilities, rubric and pairs."""
