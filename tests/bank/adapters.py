"""The bank's adapters: each calls the product's own code and nothing else (see harness.py)."""
