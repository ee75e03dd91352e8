"""The graph: one flow a file, named like the file."""
