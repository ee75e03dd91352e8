"""The Hyde arena: the council cast against its own verdict."""
