"""How often one client may ask: a bucket of tokens each (Turner 1986), for each kind of request."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import NamedTuple

MOST_CLIENTS = 10_000


class Rate(NamedTuple):
    """How many at once, and how many a second in the long run."""

    burst: float
    per_second: float


DEFAULT: Mapping[str, Rate] = {
    "read": Rate(600, 20),
    "write": Rate(120, 2),
    "login": Rate(10, 0.1),
}


class Rates:
    """The buckets of all clients; the one that was longest away is forgotten first."""

    def __init__(
        self,
        rates: Mapping[str, Rate] = DEFAULT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with full buckets."""
        self._rates, self._clock = rates, clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, client: str, kind: str) -> int:
        """Take one token; return 0, or the whole seconds to wait where there is none."""
        rate, now = self._rates[kind], self._clock()
        left, then = self._buckets.pop((client, kind), (rate.burst, now))
        left = min(rate.burst, left + (now - then) * rate.per_second)
        enough = left >= 1
        self._buckets[client, kind] = (left - enough, now)
        while len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return 0 if enough else math.ceil((1 - left) / rate.per_second)


def rates_of(writes_per_minute: int) -> Rates:
    """Return rates with so many writes a minute, all of them at once if need be."""
    write = Rate(writes_per_minute, writes_per_minute / 60)
    return Rates({**DEFAULT, "write": write})
