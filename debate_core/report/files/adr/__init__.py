"""Decision records: the decision, its reasons and its dissent as one file, in the forms that people keep."""
