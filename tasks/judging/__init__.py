"""Pure: from opinions and memory to one verdict."""
