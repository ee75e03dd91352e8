"""The page: one question box, and the disagreement as the headline."""
