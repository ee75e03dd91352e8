"""What may pass is tried again, what may not is told at once, and the last word is the cause."""

import asyncio
import logging

import pytest

from contracts import errors
from contracts.errors import ProviderError, ProviderTimeout, RateLimited, ServerFault
from tasks.providers.policy import RetryPolicy, delays, should_retry, with_retries

QUICK = RetryPolicy(attempts=3, backoff_seconds=0.001)
CAUSES = [
    each
    for each in vars(errors).values()
    if isinstance(each, type) and issubclass(each, ProviderError) and each is not ProviderError
]


class Call:
    """Fails with each of `failures` in turn, then answers."""

    def __init__(self, *failures):
        self.failures = list(failures)
        self.made = 0

    async def __call__(self):
        self.made += 1
        if self.failures:
            raise self.failures.pop(0)
        return "answer"


async def test_a_success_is_made_once():
    call = Call()
    assert await with_retries(call, QUICK) == "answer"
    assert call.made == 1


async def test_what_may_pass_is_tried_again():
    call = Call(ServerFault("500"), RateLimited("429"))
    assert await with_retries(call, QUICK) == "answer"
    assert call.made == 3


async def test_after_the_last_attempt_the_last_cause_is_told():
    call = Call(ServerFault("one"), ServerFault("two"), RateLimited("three"), ServerFault("four"))
    with pytest.raises(RateLimited, match="three"):
        await with_retries(call, QUICK)
    assert call.made == 3


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.kind)
async def test_only_what_the_tree_marks_is_tried_again(cause):
    call = Call(cause("no"))
    if cause.retryable:
        assert await with_retries(call, QUICK) == "answer"
    else:
        with pytest.raises(cause):
            await with_retries(call, QUICK)
    assert call.made == (2 if cause.retryable else 1)
    assert should_retry(cause("no")) is cause.retryable


async def test_a_fault_of_our_own_is_never_tried_again():
    call = Call(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        await with_retries(call, QUICK)
    assert call.made == 1
    assert not should_retry(ZeroDivisionError())
    assert not should_retry(None)


async def test_time_that_ran_out_is_tried_less_often():
    call = Call(*(ProviderTimeout("late") for _ in range(5)))
    with pytest.raises(ProviderTimeout):
        await with_retries(call, QUICK)
    assert call.made == QUICK.timeout_attempts == 2


async def test_a_wait_that_the_server_asks_for_is_kept(monkeypatch):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    monkeypatch.setattr("stamina._core._smart_sleep", sleep)
    call = Call(RateLimited("429", retry_after=7), RateLimited("429", retry_after=0))
    assert await with_retries(call, QUICK) == "answer"
    assert slept[0] == 7
    assert 0.002 <= slept[1] <= 0.0025


async def test_a_longer_wait_than_is_allowed_is_not_waited_for():
    call = Call(RateLimited("429", retry_after=61))
    with pytest.raises(RateLimited):
        await with_retries(call, QUICK)
    assert call.made == 1


async def test_a_wait_beyond_the_deadline_is_not_begun():
    call = Call(RateLimited("429", retry_after=30))
    with pytest.raises(RateLimited):
        await with_retries(call, RetryPolicy(deadline_seconds=5))
    assert call.made == 1


async def test_the_deadline_ends_an_attempt():
    async def hang():
        await asyncio.sleep(60)

    with pytest.raises(ProviderTimeout, match=r"0\.05 s in all"):
        await with_retries(hang, RetryPolicy(deadline_seconds=0.05))


async def test_a_timeout_inside_the_call_is_not_taken_for_the_deadline():
    call = Call(TimeoutError("its own"))
    with pytest.raises(TimeoutError, match="its own"):
        await with_retries(call, RetryPolicy(deadline_seconds=5))


async def test_a_cancelled_call_stays_cancelled():
    call = Call(asyncio.CancelledError())
    with pytest.raises(asyncio.CancelledError):
        await with_retries(call, QUICK)
    assert call.made == 1


async def test_retries_make_no_noise(caplog):
    with caplog.at_level(logging.DEBUG):
        await with_retries(Call(ServerFault("500")), QUICK)
    assert not [record for record in caplog.records if record.name.startswith("stamina")]


def test_attempts_and_waits_are_weighed_where_a_policy_is_given():
    late = RateLimited("429", retry_after=61)
    assert should_retry(late)
    assert not should_retry(late, QUICK)
    assert should_retry(ServerFault("500"), QUICK, 2)
    assert not should_retry(ServerFault("500"), QUICK, 3)


def test_waits_double_up_to_the_longest():
    policy = RetryPolicy(attempts=5, backoff_seconds=1, max_wait_seconds=3)
    assert delays(policy) == [1, 2, 3, 3]
    assert delays(RetryPolicy(attempts=1)) == []
