"""What is learned: Markdown seeds, copied to the home where they grow."""
