"""What a child left on the disk, checked without trusting a word of it."""
