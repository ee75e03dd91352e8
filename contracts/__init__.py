"""What is said: the frozen records and the errors that every other room speaks in."""
