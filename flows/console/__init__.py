"""The human side: the command line."""
