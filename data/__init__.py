"""What is kept: the journal, the DuckDB store derived from it, and the questions asked of it."""
