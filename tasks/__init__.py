"""What is done: plain functions, one module a stage, and the graph that joins them."""
