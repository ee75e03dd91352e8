"""A small grammar of endorsement: which option a text is for, which it is against."""
