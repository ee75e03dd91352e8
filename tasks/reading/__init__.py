"""Pure: from a model's raw text to an opinion and its stance."""
