"""Seats that share an address share its turns, its pace and its Retry-After."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import RateLimited, ServerFault
from contracts.juror import Endpoint
from tasks.providers import limits
from tasks.providers.limits import LONGEST_HOLD, Gate, gate, open_gates, turn

BASE = "http://127.0.0.1:9/v1"


class Clock:
    """A clock that sleeping moves."""

    def __init__(self):
        self.now = 1000.0
        self.slept = []

    def monotonic(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(limits.time, "monotonic", clock.monotonic)
    monkeypatch.setattr(limits.asyncio, "sleep", clock.sleep)
    return clock


@pytest.fixture(autouse=True)
def _open_gates():
    open_gates()
    yield
    open_gates()


def seat(model="ada", base_url=BASE, **fields):
    return Endpoint(provider="openai_compatible", model=model, base_url=base_url, **fields)


async def most_at_once(endpoints):
    running = most = 0

    async def call(endpoint):
        nonlocal running, most
        async with turn(endpoint, 60):
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            running -= 1

    await asyncio.gather(*(call(each) for each in endpoints))
    return most


def test_the_smallest_concurrency_that_a_seat_names_holds_for_all_and_in_every_loop():
    seats = [seat("ada", max_concurrency=5), seat("bob", max_concurrency=2), seat("cy")] * 4
    for _ in range(3):
        assert asyncio.run(most_at_once(seats)) == 2


async def test_a_seat_that_comes_later_with_less_narrows_the_gate():
    assert await most_at_once([seat(max_concurrency=4)] * 8) == 4
    assert await most_at_once([seat(max_concurrency=4), seat("bob", max_concurrency=1)] * 4) == 1


async def test_seats_without_a_limit_do_not_wait_for_each_other():
    assert await most_at_once([seat()] * 20) == 20


def test_an_address_is_one_gate_however_it_is_written():
    assert gate(seat(base_url=BASE)) is gate(seat("bob", base_url=BASE.upper() + "/ "))
    assert gate(seat(base_url=BASE)) is not gate(seat(base_url="http://127.0.0.1:8/v1"))


async def test_a_wait_that_a_server_asks_for_holds_every_seat(clock):
    with pytest.raises(RateLimited):
        async with turn(seat("ada"), 60):
            raise RateLimited("slow down", retry_after=7)
    async with turn(seat("bob"), 60):
        assert clock.now >= 1007


async def test_an_error_without_a_wait_holds_nobody(clock):
    with pytest.raises(ServerFault):
        async with turn(seat("ada"), 60):
            raise ServerFault("500")
    async with turn(seat("bob"), 60):
        assert clock.now == 1000


async def test_a_longer_wait_than_is_allowed_fails_at_once_and_says_for_how_long(clock):
    gate(seat()).heed(RateLimited("slow down", retry_after=300))
    with pytest.raises(RateLimited, match=r"another 300 s.*60 s") as caught:
        async with turn(seat(), 60):
            pass
    assert caught.value.retry_after == 300
    assert clock.slept == []


async def test_no_server_closes_its_gate_for_ever(clock):
    gate(seat()).heed(RateLimited("slow down", retry_after=1e9))
    clock.now += LONGEST_HOLD
    async with turn(seat(), 60):
        assert clock.now == 1000 + LONGEST_HOLD


async def test_the_pace_is_kept(clock):
    starts = []
    for _ in range(5):
        async with turn(seat(requests_per_minute=2), 60):
            starts.append(clock.now)
    assert starts == [1000, 1000, 1060, 1060, 1120]


async def test_the_slowest_pace_that_a_seat_names_holds_for_all(clock):
    starts = []
    for each in (seat(requests_per_minute=10), seat("bob", requests_per_minute=1), seat("cy")):
        async with turn(each, 60):
            starts.append(clock.now)
    assert starts == [1000, 1060, 1120]


@given(
    rate=st.floats(min_value=0.2, max_value=50),
    gaps=st.lists(st.floats(min_value=0, max_value=90), min_size=1, max_size=80),
)
def test_no_window_ever_holds_more_than_the_rate(rate, gaps):
    here, now, starts = Gate(), 0.0, []
    here.narrow(seat(requests_per_minute=rate))
    for gap in gaps:
        now += gap
        starts.append(now + here._reserve(now))
    places = max(1, int(rate))
    window = 60 * places / rate
    assert starts == sorted(starts)
    for early, late in zip(starts, starts[places:], strict=False):
        assert late - early >= window - 1e-6


def test_a_cancelled_seat_gives_its_turn_back():
    async def run():
        endpoint = seat(max_concurrency=1)
        entered = asyncio.Event()

        async def hang():
            async with turn(endpoint, 60):
                entered.set()
                await asyncio.Event().wait()

        call = asyncio.create_task(hang())
        await entered.wait()
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        async with asyncio.timeout(5), turn(endpoint, 60):
            return True

    assert asyncio.run(run())
