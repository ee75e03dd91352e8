"""A file of questions of any length, for trying a batch without having one."""

import csv
from itertools import cycle, islice, permutations
from pathlib import Path

CHOICES = ("Microservices", "Monolith", "Serverless", "Kubernetes", "SQLite", "Postgres", "Kafka")
PURPOSES = ("a team of three", "ten thousand users", "a regulated client", "a one-year bet")


def write_sample(home: Path, count: int) -> Path:
    """Write `count` different questions with two options each, and return the csv file."""
    path = home / "samples" / f"questions-{count}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("question", "options", "topic", "id"))
        pairs = zip(cycle(permutations(CHOICES, 2)), cycle(PURPOSES), strict=False)
        for number, ((one, other), purpose) in enumerate(islice(pairs, count), 1):
            asked = f"{one} or {other} for {purpose}, case {number}?"
            rows.writerow((asked, f"{one}|{other}", "architecture", f"sample-{number}"))
    return path
